"""The noise of the host over a period: the kernel's counters at its start and end, and their difference."""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ffibench.host import cgroups
from ffibench.host.other_processes import busiest, other_processes
from ffibench.host.procfs import ROOT, text
from ffibench.model import HostSample

LOOK_SECONDS = 1.0
"""How long the host is sampled: at 100 ticks a second this resolves a hundredth of a processor."""

# With fewer ticks per processor a share is too coarse: a worker's own CPU time is exact, ticks are sampled.
TICKS_MIN = 10


class Ticks(Struct, frozen=True, kw_only=True):
    """CPU time of one processor, or of all, in ticks since boot."""

    busy: int
    stolen: int
    total: int


class Counters(Struct, frozen=True, kw_only=True):
    """The kernel's counters at one moment. None or missing where it does not report a value."""

    seconds: float
    """The monotonic clock, which stops while the machine is suspended."""
    suspended_s: float | None
    pressure_us: int | None
    group_pressure_us: int | None
    throttles: int | None
    ticks: Mapping[str, Ticks]
    """By the name in /proc/stat: `cpu` for all, `cpu0` for one."""
    own_s: float
    """CPU time of this process and of all children that it has waited for."""


def read_counters(root: Path = ROOT) -> Counters:
    """Read all counters."""
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
    """Return the noise between two readings. `siblings` are the processors on the same core as the workers'.

    No figure is negative: some counters go back, as steal time does after a virtual machine has moved.
    """
    seconds = max(after.seconds - before.seconds, 1e-9)

    def share(first: int | None, last: int | None) -> float | None:
        return None if first is None or last is None else max(last - first, 0) / 1e6 / seconds

    grown = {
        name: Ticks(
            busy=max(last.busy - first.busy, 0),
            stolen=max(last.stolen - first.stolen, 0),
            total=last.total - first.total,
        )
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
        throttles=None if throttles[0] is None or throttles[1] is None else max(throttles[1] - throttles[0], 0),
        suspended_s=None if suspended[0] is None or suspended[1] is None else _grown(suspended[0], suspended[1]),
    )


class HostWatch:
    """Reads the counters when it is made; `sample` returns the noise since then."""

    def __init__(self, siblings: Iterable[int] = (), *, root: Path = ROOT) -> None:
        self._siblings = tuple(siblings)
        self._root = root
        self._before = read_counters(root)

    def sample(self) -> HostSample:
        """Return the noise since it was made. Own processes are subtracted once they have been waited for."""
        return difference(self._before, read_counters(self._root), load1=os.getloadavg()[0], siblings=self._siblings)


def look(siblings: Iterable[int] = (), *, seconds: float = LOOK_SECONDS) -> HostSample:
    """Return the noise of the next `seconds`, in which no worker runs, and the busiest programs."""
    before, watch = other_processes(), HostWatch(siblings)
    time.sleep(seconds)
    return replace(watch.sample(), busiest=busiest(before, other_processes(), seconds))


def _others(grown: Mapping[str, Ticks], own: float) -> float | None:
    """Return the CPU use of other programs, in processors."""
    processors = len(grown) - 1  # one line is the sum of all
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
    """Return the microseconds in which some task waited for a processor: the `some` total of the kernel's psi.rst."""
    said = text(path)
    return None if said is None else int(said.splitlines()[0].rpartition("total=")[2])


def _grown(before: float, after: float) -> float:
    """Return the difference to the millisecond: the two clocks of a reading are not read at the same moment."""
    return max(0.0, round(after - before, 3))


def _suspended_s() -> float | None:
    """Return the seconds suspended since boot, which only CLOCK_BOOTTIME counts: clock_gettime(2)."""
    if not hasattr(time, "CLOCK_BOOTTIME"):
        return None
    return time.clock_gettime(time.CLOCK_BOOTTIME) - time.clock_gettime(time.CLOCK_MONOTONIC)


def _own_s() -> float:
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)
