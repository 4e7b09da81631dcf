"""The processes that a worker leaves behind, also where they left its group and session: adopted, named and ended."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36  # prctl(2), Linux 3.4 and later
PR_GET_CHILD_SUBREAPER = 37
PATIENCE_SECONDS = 0.2
"""What helps a worker and ends when that has ended, as the resource tracker of Python's multiprocessing does."""
END_SECONDS_MAX = 10.0
POLL_SECONDS = 0.005


class Orphans:
    """What has become a child of ours because its parent ended. Made by `adopting`."""

    def __init__(self) -> None:
        self._before = _children()

    def names(self) -> tuple[str, ...]:
        """Return the names of those that go on running, once the worker itself has ended and was waited for."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while (names := self._names()) and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)
        return names

    def end(self) -> bool:
        """Kill them all, with those that become ours by it, and wait for them; False where one does not go."""
        deadline = time.monotonic() + END_SECONDS_MAX
        while pids := _children() - self._before:
            for pid in pids:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
                with suppress(ChildProcessError):
                    os.waitpid(pid, os.WNOHANG)
            if time.monotonic() > deadline:
                return False
            time.sleep(POLL_SECONDS)
        return True

    def _names(self) -> tuple[str, ...]:
        names = [_name(pid) for pid in sorted(_children() - self._before)]
        return tuple(name for name in names if name is not None)


@contextmanager
def adopting() -> Iterator[Orphans]:
    """Become, in the body, the parent of every descendant whose own parent ends, in place of init.

    Where the system has no such thing, none is found.
    """
    if sys.platform != "linux":
        yield Orphans()
        return
    prctl = ctypes.CDLL(None).prctl
    before = ctypes.c_int()
    prctl(PR_GET_CHILD_SUBREAPER, ctypes.byref(before), 0, 0, 0)
    prctl(PR_SET_CHILD_SUBREAPER, ctypes.c_ulong(1), 0, 0, 0)
    try:
        yield Orphans()
    finally:
        prctl(PR_SET_CHILD_SUBREAPER, ctypes.c_ulong(before.value), 0, 0, 0)


def _children() -> set[int]:
    """The children of every thread of ours; none where the kernel does not list them, proc(5)."""
    found: set[int] = set()
    with suppress(OSError):
        for thread in Path("/proc/self/task").iterdir():
            with suppress(OSError):  # it has ended meanwhile
                found.update(map(int, (thread / "children").read_text(encoding="ascii").split()))
    return found


def _name(pid: int) -> str | None:
    """The name of a process, None of one that has ended: the second and third field of /proc/PID/stat, proc(5)."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    name, _, rest = fields.partition("(")[2].rpartition(")")
    return None if rest.split()[0] in {"Z", "X"} else name
