"""The clocks of a worker, read from outside: the processor time of its threads, and of the processes that it started.

A process's own clock has nanoseconds and keeps the time of threads that have ended. /proc/PID/stat has ticks of ten
milliseconds, and /proc/PID/schedstat the first thread alone.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from ffibench.host.procfs import ROOT, text

TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
"""The unit of /proc/PID/stat, proc(5)."""

_CHILDREN = slice(13, 15)
"""cutime and cstime, fields 16 and 17 of /proc/PID/stat, counted from the third, which follows the name."""


def processor_ns(pid: int) -> int | None:
    """Return the processor time of a process so far, without its children; of a zombie too.

    None on systems other than Linux, and where the process is gone.
    """
    if sys.platform != "linux":
        return None
    try:
        return time.clock_gettime_ns(_clock(pid))
    except OSError:
        return None


def children_ns(pid: int, *, root: Path = ROOT) -> int | None:
    """Return the processor time of the children that a live process has waited for, in ticks; None where unknown."""
    said = text(root / f"proc/{pid}/stat")
    if said is None:
        return None
    ticks = said.rpartition(")")[2].split()[_CHILDREN]
    return sum(map(int, ticks)) * TICK_NS


def _clock(pid: int) -> int:
    """Return the id of a process's processor clock, as clock_getcpuclockid(3) makes it, which Python lacks."""
    return (~pid << 3) | 2
