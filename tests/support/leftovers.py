"""What may stay behind of a run: processes, descriptors. All of it is told from /proc."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

GONE_SECONDS_MAX = 30


def footprint() -> tuple[set[str], int]:
    """Processes of our own, zombies among them, and the number of open descriptors."""
    return children_of(os.getpid()), len(list(Path("/proc/self/fd").iterdir()))


def children_of(pid: int) -> set[str]:
    """The processes that any thread of another has started, zombies among them."""
    found: set[str] = set()
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):  # the thread has ended meanwhile
            found.update(children.read_text(encoding="ascii").split())
    return found


def assert_as_before(before: tuple[set[str], int]) -> None:
    """The footprint is no larger than it was, once threads that end have ended.

    It may be smaller: what an earlier test left to the garbage collector goes when that runs.
    """
    patience = time.monotonic() + GONE_SECONDS_MAX
    while any(left := _more_than(before)) and time.monotonic() < patience:
        time.sleep(0.01)
    assert not any(left), f"left behind: processes {left[0]}, descriptors {left[1]} of {_open_files()}"


def _more_than(before: tuple[set[str], int]) -> tuple[set[str], int]:
    processes, descriptors = footprint()
    return processes - before[0], max(descriptors - before[1], 0)


def _open_files() -> list[str]:
    found = []
    for path in Path("/proc/self/fd").iterdir():
        with suppress(OSError):  # that of the listing itself
            found.append(str(path.readlink()))
    return found


def is_running(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(")")[2].split()[0] not in {"Z", "X"}


def carrying(mark: str) -> list[int]:
    """The running processes, but this one, that were started with an environment that has `mark` in it."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            environment = (folder / "environ").read_bytes()
        except OSError:
            continue
        if mark.encode() in environment and int(folder.name) != os.getpid() and is_running(int(folder.name)):
            found.append(int(folder.name))
    return found


def assert_gone(mark: str) -> None:
    """No process with the mark is left, once the kernel has come to those that were killed."""
    patience = time.monotonic() + GONE_SECONDS_MAX
    while left := carrying(mark):
        assert time.monotonic() < patience, f"left behind: {[Path(f'/proc/{pid}/cmdline').read_text() for pid in left]}"
        time.sleep(0.01)
