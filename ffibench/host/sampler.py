"""The noise of the host over a stretch of time: counters read at its two ends, and what they grew by."""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ffibench.host import cgroups
from ffibench.host.other_processes import busiest, neighbours
from ffibench.host.procfs import ROOT, text
from ffibench.model import HostSample

LOOK_SECONDS = 1.0
"""How long a quiet host is looked at: a processor's share to the hundredth, at a hundred ticks a second."""

# With fewer ticks a processor a share says little: a worker's own time is exact, the ticks are drawn.
TICKS_MIN = 10


class Ticks(Struct, frozen=True, kw_only=True):
    """The time of one processor, or of all, in ticks since boot."""

    busy: int
    stolen: int
    total: int


class Counters(Struct, frozen=True, kw_only=True):
    """What the kernel has counted up to a moment. What it does not tell is None or missing."""

    seconds: float
    """Of the monotonic clock, which stands still while the machine is suspended."""
    suspended_s: float | None
    pressure_us: int | None
    group_pressure_us: int | None
    throttles: int | None
    ticks: Mapping[str, Ticks]
    """By the name in /proc/stat: `cpu` for all, `cpu0` for one."""
    own_s: float
    """Processor time of this process and of all that it has started and collected."""


def read_counters(root: Path = ROOT) -> Counters:
    """Read all counters, now."""
    group = cgroups.pressure_file(root)
    return Counters(
        seconds=time.monotonic(),
        suspended_s=_suspended_s(),
        pressure_us=_pressure_us(root / "proc/pressure/cpu"),
        group_pressure_us=None if group is None else _pressure_us(group),
        throttles=cgroups.throttles(root),
        ticks=_ticks(root / "proc/stat"),
        own_s=_own_s(),
    )


def difference(before: Counters, after: Counters, *, load1: float, siblings: Iterable[int] = ()) -> HostSample:
    """Return the noise between two readings. `siblings` are the processors on the core of the workers'."""
    seconds = max(after.seconds - before.seconds, 1e-9)

    def share(first: int | None, last: int | None) -> float | None:
        return None if first is None or last is None else (last - first) / 1e6 / seconds

    grown = {
        name: Ticks(busy=last.busy - first.busy, stolen=last.stolen - first.stolen, total=last.total - first.total)
        for name, last in after.ticks.items()
        if (first := before.ticks.get(name)) is not None
    }
    throttles, suspended = (before.throttles, after.throttles), (before.suspended_s, after.suspended_s)
    return HostSample(
        load1=load1,
        pressure=share(before.pressure_us, after.pressure_us),
        steal=grown["cpu"].stolen / max(grown["cpu"].total, 1) if "cpu" in grown else None,
        group_pressure=share(before.group_pressure_us, after.group_pressure_us),
        others=_others(grown, (after.own_s - before.own_s) / seconds),
        sibling=max((_busy(grown[name]) for each in siblings if (name := f"cpu{each}") in grown), default=None),
        throttles=None if throttles[0] is None or throttles[1] is None else throttles[1] - throttles[0],
        suspended_s=None if suspended[0] is None or suspended[1] is None else _grown(suspended[0], suspended[1]),
    )


class HostWatch:
    """Reads the counters at its making; `sample` tells what they grew by since."""

    def __init__(self, siblings: Iterable[int] = (), *, root: Path = ROOT) -> None:
        self._siblings = tuple(siblings)
        self._root = root
        self._before = read_counters(root)

    def sample(self) -> HostSample:
        """Return the noise since the making. Of one's own processes those count that have been waited for."""
        return difference(self._before, read_counters(self._root), load1=os.getloadavg()[0], siblings=self._siblings)


def look(siblings: Iterable[int] = (), *, seconds: float = LOOK_SECONDS) -> HostSample:
    """Return the noise of the next `seconds`, in which nothing of ours runs, and who makes it."""
    before, watch = neighbours(), HostWatch(siblings)
    time.sleep(seconds)
    return replace(watch.sample(), busiest=busiest(before, neighbours(), seconds))


def _others(grown: Mapping[str, Ticks], own: float) -> float | None:
    """Processors kept busy, less those that we kept busy ourselves."""
    processors = len(grown) - 1  # the line of all of them is one too
    if processors < 1 or grown["cpu"].total < TICKS_MIN * processors:
        return None
    return max(_busy(grown["cpu"]) * processors - own, 0.0)


def _busy(ticks: Ticks) -> float:
    return ticks.busy / max(ticks.total, 1)


def _ticks(path: Path) -> dict[str, Ticks]:
    """Read user, nice, system, idle, iowait, irq, softirq and steal; guest time is in user time already: proc(5)."""
    found = {}
    for line in (text(path) or "").splitlines():
        name, *said = line.split()
        if name.startswith("cpu"):
            user, nice, system, idle, iowait, irq, softirq, steal = map(int, said[:8])
            busy = user + nice + system + irq + softirq
            found[name] = Ticks(busy=busy, stolen=steal, total=busy + idle + iowait + steal)
    return found


def _pressure_us(path: Path) -> int | None:
    """Microseconds in which some task waited for a processor: the `some` line's total, in the kernel's psi.rst."""
    said = text(path)
    return None if said is None else int(said.splitlines()[0].rpartition("total=")[2])


def _grown(before: float, after: float) -> float:
    """Milliseconds alone: the two clocks of each are not read at the same moment."""
    return max(0.0, round(after - before, 3))


def _suspended_s() -> float | None:
    """Seconds that the machine has been suspended since boot: what only the one clock counts, clock_gettime(2)."""
    if not hasattr(time, "CLOCK_BOOTTIME"):
        return None
    return time.clock_gettime(time.CLOCK_BOOTTIME) - time.clock_gettime(time.CLOCK_MONOTONIC)


def _own_s() -> float:
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)
