"""The fault matrix: who or what hinders a build | what the user sees | the exit status."""

from __future__ import annotations

import fcntl
import subprocess
from contextlib import ExitStack
from pathlib import Path

from support.faults import SECONDS_MAX, Command
from support.shell import Shell

from ffibench.paths import cache_folder


def test_another_build_that_hangs(command: Command, own: Path) -> None:
    """Nobody waits for ever without a word; when it ends, the build goes on."""
    assert command("build", str(own)).status == 0
    with ExitStack() as held:
        for lock in cache_folder("locks").glob("c-*.lock"):
            fcntl.flock(held.enter_context(lock.open("wb")), fcntl.LOCK_EX)
        process = command.start("build", "--force", str(own), stdout=subprocess.DEVNULL)
        assert process.stderr is not None
        told = process.stderr.readline()
    _, more = process.communicate(timeout=SECONDS_MAX)
    assert told.startswith("Waiting for another process that builds c-")
    assert f"where that one hangs, end it: `fuser {cache_folder('locks')}/c-" in told
    assert (process.returncode, more) == (0, "")


def test_a_cache_from_which_no_program_may_be_run(shell: Shell, folder: Path) -> None:
    cache = folder / "cache"
    cache.mkdir(mode=0o700)
    seen = shell.mounted(f"mount -t tmpfs -o noexec,mode=0700 tmpfs {cache}; XDG_CACHE_HOME={cache} RUN")
    told = f"{cache}/ffibench/shims is mounted noexec; XDG_CACHE_HOME chooses another place"
    assert seen.status == 1
    assert seen.errors.startswith(f"Error: the build of tally-library failed: {told}")


def test_a_working_folder_that_was_removed(shell: Shell, folder: Path) -> None:
    """A path of its own needs none."""
    gone = folder / "gone"
    gone.mkdir()
    assert shell(f"cd {gone}; rmdir {gone}; RUN").status == 0
    seen = shell(f"mkdir {gone}; cd {gone}; rmdir {gone}; FFIBENCH run .")
    assert (seen.status, seen.errors.startswith("Error: no experiment.py in .; ")) == (1, True)
    assert seen.errors.count("\n") == 1
