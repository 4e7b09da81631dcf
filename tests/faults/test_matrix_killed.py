"""The fault matrix: the tool itself is killed, and cannot clean up: the next run does, and takes nothing of another."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from support.faults import SECONDS_MAX, Command

from ffibench.temporary import OWNER, PREFIX, roomy_folder

KILL = "trouble=run:kill -9 $(cut -d' ' -f4 /proc/$PPID/stat)@slice"  # the parent of the worker is the tool
BROKEN = Path(__file__).parent / "data" / "broken.py"


@pytest.fixture
def command(folder: Path, own: Path) -> Command:
    """Run an experiment whose workers have endpoints, in a folder of temporary files."""
    shutil.copy(BROKEN, own)
    declared = own / "experiment.py"
    text = declared.read_text(encoding="utf-8").replace("    cases=cases,", '    cases=cases,\n    transport="ipc",')
    declared.write_text(text, encoding="utf-8")
    return Command(folder, own)


def inside(folder: Path) -> list[Path]:
    """The folders of temporary files."""
    return list((folder / "tmp").iterdir())


def ownerless() -> set[str]:
    """The folders for counts whose owner is gone."""
    found = set()
    for owner in roomy_folder(1 << 23).glob(f"{PREFIX}*/{OWNER}"):
        try:
            with owner.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
                found.add(owner.parent.name)
        except OSError:  # it lives, or has just ended
            continue
    return found


def test_what_a_killed_run_leaves_is_swept_by_the_next(command: Command, folder: Path) -> None:
    """The folder of the endpoints; the run file has the round that was finished."""
    assert command.run(script=f"{KILL}\nsince=2").status == -signal.SIGKILL
    (left,) = inside(folder)
    seen = command("show")
    assert seen.kept is not None
    assert len(seen.kept.rounds) == 1
    assert command.run(script=f"{KILL}\nsince=4").status == -signal.SIGKILL
    assert left not in inside(folder)
    assert command.run().status == 0
    assert inside(folder) == []


def test_what_a_killed_audit_leaves_is_swept_by_the_next(command: Command) -> None:
    """Counts, in memory where there is some."""
    counted = ("audit", "--library", "libc.so*", "--")
    before = ownerless()
    assert command(*counted, "sh", "-c", "kill -9 $PPID").status == -signal.SIGKILL
    left = ownerless() - before
    assert left
    assert command(*counted, "true").status == 0
    assert not left & ownerless()


def test_a_run_file_that_was_being_written(command: Command, folder: Path) -> None:
    """It goes with the next run, but not what another process writes now."""
    runs = folder / "data/ffibench/runs"
    runs.mkdir(parents=True)
    for each in (runs, runs.parent):
        each.chmod(0o700)
    old, new = runs / ".ffibench-1", runs / ".ffibench-2"
    for path in (old, new):
        path.write_text('{"schema": 2, "sta', encoding="utf-8")
    os.utime(old, (time.time() - 7200,) * 2)
    assert command.run().status == 0
    assert not old.exists()
    assert new.exists()
    new.unlink()


def test_what_a_running_run_has_stays(command: Command, folder: Path) -> None:
    with command.start(*command.run_arguments, script="trouble=hang@slice", stdout=subprocess.DEVNULL) as other:
        patience = time.monotonic() + SECONDS_MAX
        while not command.starts.exists() or "child" not in command.starts.read_text(encoding="ascii"):
            assert time.monotonic() < patience
            time.sleep(0.02)
        owned = inside(folder)
        assert len(owned) == 1
        assert command.run().status == 0
        assert inside(folder) == owned
        other.send_signal(signal.SIGINT)
        other.communicate(timeout=SECONDS_MAX)
    assert other.returncode == 128 + signal.SIGINT
    assert inside(folder) == []
