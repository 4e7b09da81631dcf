"""The fault matrix: what the shell limits, which disk is full, what /proc hides | what the user sees | the exit status.

In a namespace of its own a test mounts what it needs, so that nobody else sees it.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import jinja2
import pytest
from support.shell import Shell

from ffibench.paths import runs_folder

ALLOWED = "Error: this shell allows {}, and a run needs {}; {} allows more\n"
FILES = ALLOWED.format("{} open files", 64, "ulimit -n 1024")
ADDRESSES = ALLOWED.format("{} bytes of address space", "536,870,912", "ulimit -v unlimited")
PROCESSES = ALLOWED.format("{} processes and threads of this user", 64, "ulimit -u 4096")
UNSEEN = "so that nobody could see which library a worker loads"
COUNTED = "FFIBENCH audit --library 'libc.so*' -- true"
AS_NOBODY = "setpriv --reuid 65534 --inh-caps +dac_override --ambient-caps +dac_override"
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user or give rights up")


class TestLimits:
    @pytest.mark.parametrize(
        ("limit", "told"),
        [
            ("ulimit -n 7", FILES.format(7)),
            ("ulimit -n 10", FILES.format(10)),
            ("ulimit -v 100000", ADDRESSES.format("102,400,000")),
            ("ulimit -v 300000", ADDRESSES.format("307,200,000")),
        ],
    )
    @pytest.mark.parametrize("what", ["RUN", "AUDITED"])
    def test_so_low_that_nothing_could_be_measured(self, what: str, limit: str, told: str, shell: Shell) -> None:
        seen = shell(f"{limit}; {what}")
        assert (seen.status, seen.table, seen.errors) == (1, "", told)

    def test_at_least_what_is_needed(self, shell: Shell) -> None:
        """The build of what is not in the cache included."""
        assert shell("ulimit -n 64; ulimit -v 524288; FFIBENCH build -c c --force fanout; AUDITED").status == 0

    def test_the_doctor_knows_too(self, shell: Shell) -> None:
        shell("FFIBENCH doctor")  # builds the libraries of experiments, which takes more files
        seen = shell("ulimit -n 12; FFIBENCH doctor")
        assert seen.status == 1
        assert "this shell allows 12 open files, and a run needs 64" in seen.text
        assert "1 thing is missing: limits." in seen.text
        seen = shell.mounted("mount -t tmpfs none /proc; FFIBENCH doctor")
        assert "/proc does not show our processes" in seen.text

    @needs_root
    def test_no_process_of_a_user(self, shell: Shell, folder: Path) -> None:
        os.chown(folder / "data", 65534, -1)
        seen = shell(f"{AS_NOBODY} bash -c 'ulimit -u 4; exec RUN'")
        os.chown(folder / "data", 0, -1)
        assert (seen.status, seen.errors) == (1, PROCESSES.format(4))

    def test_no_memory_to_load_the_tool(self, shell: Shell) -> None:
        for kilobytes in (20_000, 30_000, 60_000):
            assert shell(f"ulimit -v {kilobytes}; FFIBENCH list").status in {0, 1}

    def test_no_file_as_large_as_that_of_the_counts(self, shell: Shell) -> None:
        seen = shell("ulimit -f 1; AUDITED")
        assert seen.status == 1
        told = "Error: this shell allows only smaller files than are needed; ulimit -f unlimited"
        assert seen.errors.startswith(told)

    def test_no_file_as_large_as_those_of_a_build(self, shell: Shell, folder: Path) -> None:
        seen = shell(f"ulimit -f 1; XDG_CACHE_HOME={folder}/cold RUN")
        shims = folder / "cold/ffibench/shims"
        assert seen.status == 1
        assert f"failed: cannot write to {shims}: File too large; ulimit -f unlimited allows larger" in seen.errors
        assert list(shims.iterdir()) == []


class TestDisks:
    @pytest.mark.parametrize("kilobytes", [20, 200, 400])
    def test_a_small_cache(self, kilobytes: int, shell: Shell, folder: Path) -> None:
        cache = folder / "cache"
        cache.mkdir(mode=0o700)
        mount = f"mount -t tmpfs -o size={kilobytes}k,mode=0700 tmpfs {cache}"
        seen = shell.mounted(f"{mount}; XDG_CACHE_HOME={cache} RUN || echo $?; ls -A {cache}/ffibench/shims")
        told = f"cannot write to {cache}/ffibench/shims: No space left on device; XDG_CACHE_HOME chooses another place"
        assert told in seen.errors
        status, *left = seen.table.split()
        assert status == "1"
        assert all(name.startswith("tally-library-") for name in left), "what is whole stays, and nothing else"

    @pytest.mark.parametrize(
        "how", ["size=64k", "size=16m,nr_inodes=1", "ro"], ids=["full", "no more files", "read-only"]
    )
    def test_no_room_in_memory_for_the_counts(self, how: str, shell: Shell) -> None:
        """They go where temporary files are."""
        seen = shell.mounted(f"mount -t tmpfs -o {how} tmpfs /dev/shm; AUDITED; {COUNTED}")
        assert seen.status == 0, seen.errors
        assert "4 audits match" in seen.text
        assert "__libc_start_main" in seen.text

    def test_no_room_for_the_counts_at_all(self, shell: Shell, folder: Path) -> None:
        small = folder / "small"
        small.mkdir()
        mounts = f"mount -t tmpfs -o ro tmpfs /dev/shm; mount -t tmpfs -o size=1m tmpfs {small}"
        seen = shell.mounted(f"{mounts}; TMPDIR={small} {COUNTED}")
        assert seen.status == 1
        assert seen.errors.startswith(f"Error: there is no room for 8 MiB in /dev/shm nor in {small}; set TMPDIR=")

    @needs_root
    def test_a_file_of_the_installation_that_may_not_be_read(self, shell: Shell, folder: Path) -> None:
        """Not the cache is at fault."""
        unreadable = folder / "unreadable"
        unreadable.touch(mode=0)
        file = Path(jinja2.__file__)
        rights = "setpriv --bounding-set -dac_override,-dac_read_search --inh-caps -dac_override,-dac_read_search"
        cold = f"XDG_CACHE_HOME={folder}/cold"
        seen = shell.mounted(f"mount --bind {unreadable} {file}; {cold} {rights} RUN")
        assert seen.status == 1
        assert f"the build of tally-library failed: cannot use {file}: Permission denied; " in seen.errors


class TestProc:
    @pytest.mark.parametrize(
        "what", ["RUN", "AUDITED", "FFIBENCH selftest", "FFIBENCH selftest --aa 3", "FFIBENCH audit fanout"]
    )
    def test_it_is_not_there(self, what: str, shell: Shell) -> None:
        seen = shell.mounted(f"mount -t tmpfs none /proc; {what}")
        told = f"Error: /proc does not show our processes, {UNSEEN}: No such file or directory; mount -t proc"
        assert seen.status == 1
        assert told in seen.errors

    def test_it_is_that_of_another_namespace(self, shell: Shell) -> None:
        seen = shell.mounted("unshare -p -f RUN")
        assert seen.status == 1
        assert seen.errors.startswith(f"Error: /proc shows the processes of another namespace than ours, {UNSEEN}; ")

    def test_it_hides_what_others_run(self, shell: Shell) -> None:
        seen = shell.mounted("unshare -p -f bash -c 'mount -t proc -o hidepid=2 proc /proc || exit 32; RUN'")
        if seen.status == 32:
            pytest.skip("no /proc can be mounted here; run as root outside of a container")
        assert seen.status == 0

    def test_a_command_cannot_be_counted_without_it(self, shell: Shell) -> None:
        seen = shell.mounted(f"mount -t tmpfs none /proc; {COUNTED}")
        assert seen.status == 1
        assert seen.errors.startswith("Error: the library that counts native calls reads /proc/self/maps, and there is")

    def test_what_needs_no_process_runs_without_it(self, shell: Shell) -> None:
        assert "xsub" in shell.mounted("mount -t tmpfs none /proc; FFIBENCH list").table


def test_the_limits_of_this_test_run_suffice() -> None:
    """The rows above are about the limits that they set."""
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] >= 64
    assert shutil.which("setpriv") or os.geteuid() != 0
    assert not list(runs_folder().iterdir())


@pytest.mark.parametrize(("lacking", "told"), [("MemoryError", "out of memory"), ("OSError(24, 'Full')", "Full")])
def test_not_even_the_tool_can_be_loaded(lacking: str, told: str) -> None:
    program = f"import builtins, sys; from ffibench.__main__ import main\ndef fail(*_): raise {lacking}\n"
    program += "builtins.__import__ = fail; main()"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert answer.returncode == 1
    assert answer.stderr.startswith("Error: ffibench cannot be loaded: ")
    assert f"{told}; `ulimit -a` shows" in answer.stderr
