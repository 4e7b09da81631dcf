"""Processes that a worker leaves behind, even in other groups and sessions: adopted, named and killed."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ffibench.host.procfs import children

PR_SET_CHILD_SUBREAPER = 36  # prctl(2), Linux 3.4 and later
PR_GET_CHILD_SUBREAPER = 37
PATIENCE_SECONDS = 0.2
"""For helpers that exit shortly after their worker, such as the resource tracker of Python's multiprocessing."""
END_SECONDS_MAX = 10.0
POLL_SECONDS = 0.005


class Orphans:
    """Processes that became our children because their parent exited. Made by `adopting`."""

    def __init__(self) -> None:
        self._before = _own_children()
        self.used_ns = 0
        """Processor time of those that `end` has waited for, with that of their own children."""

    def names(self) -> tuple[str, ...]:
        """Return the names of those still running after the worker has exited and was waited for."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while (names := self._names()) and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)
        return names

    def end(self) -> bool:
        """Kill them all, with those adopted meanwhile, and wait for them; False where one does not exit."""
        deadline = time.monotonic() + END_SECONDS_MAX
        while pids := _own_children() - self._before:
            for pid in pids:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
                with suppress(ChildProcessError):
                    _, _, usage = os.wait4(pid, os.WNOHANG)
                    self.used_ns += seconds_ns(usage.ru_utime + usage.ru_stime)
            if time.monotonic() > deadline:
                return False
            time.sleep(POLL_SECONDS)
        return True

    def _names(self) -> tuple[str, ...]:
        names = [_name(pid) for pid in sorted(_own_children() - self._before)]
        return tuple(name for name in names if name is not None)


def seconds_ns(seconds: float) -> int:
    """Return seconds as nanoseconds."""
    return round(seconds * 1e9)


@contextmanager
def adopting() -> Iterator[Orphans]:
    """Adopt, in the body, every descendant whose parent exits, in place of init.

    Systems other than Linux do not support this: there no orphan is found.
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


def _own_children() -> set[int]:
    return set(children(os.getpid()))


def _name(pid: int) -> str | None:
    """Return the name of a process, None where it has exited: the second and third field of /proc/PID/stat, proc(5)."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    name, _, rest = fields.partition("(")[2].rpartition(")")
    return None if rest.split()[0] in {"Z", "X"} else name
