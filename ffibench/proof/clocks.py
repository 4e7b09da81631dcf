"""Compares the times that a worker claims with those that the harness saw by clocks of its own.

Work that lies outside the slices is work that nobody timed: done while the empty loop is set up, between two slices,
in code that prints, in another thread or process. Processor time shows it; wall time also passes while a worker waits.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from ffibench.model import Clocks, Plan, Slice, WorkerRecord

OUTSIDE_NS_MAX = 3_000_000
"""Processor time that a worker may use outside its slices, where honest ones use 0.2 to 1.7 ms for printing their
lines: the line *clocks* of `ffibench run EXPERIMENT --verbose`."""
OUTSIDE_SHARE_MAX = 0.05
"""The same as a share of what it uses in them, for long runs. The largest of them applies."""
OUTSIDE_LINE_NS_MAX = 150_000
"""The same for each line of a slice, for many cases. Python prints 210 of them after `go` in `ffibench run calls
--rounds 6 --verbose -c python/ctypes -c python/cffi-abi -c python/cffi-api`. Six such runs on a host that others share
took 8.9 to 36.0 ms in single processes, and 12.5 to 24.5 in the median of a row's six: 60 to 116 µs a line."""
OUTSIDE_COMPILED_NS_MAX = 5_000_000
"""It is added where the language compiles while it runs, in threads of its own. Processes of Java and Deno used 1.3 to
9.4 ms in all on a busy host, most of Java's 4 to 5: `ffibench run calls --case int -c '*'`."""
OUTSIDE_OFTEN = 0.5
"""A row is invalid where more than this share of its processes used more: fewer move no median. Who works outside its
clocks does so in each. One that lost its processor to another virtual machine, of which no steal time told, was charged
with 3.1 to 7.7 ms: a process or two in each run of `ffibench run xsub` on a busy host."""
FEW, LOST_NS_MAX = 5, 9_000_000
"""Fewer processes may all have lost their processor, which adds to what they print: 24 to 26 ms for the 210 lines of
`ffibench run calls --rounds 1` on a busy host. Cheats in one case use 22 ms or more, and are allowed 12."""
CHILDREN_NS_MAX = 20_000_000
"""What children used before `go` is known in ticks of 10 ms, of user and of system time."""
AHEAD_NS_MAX = 100_000
"""By which the processor's clock, which is read around the other, may be ahead in a slice on one processor."""
MANY = 3
"""With so many slices one that was interrupted between its two clocks does not decide."""


def wrong_clocks(record: WorkerRecord, plan: Plan) -> str | None:
    """Describe how the claimed times of a record contradict the clocks of the harness; None where they do not."""
    if plan.alone and (wrong := _ahead(record.slices)) is not None:
        return wrong
    seen = record.clocks
    if seen is None:
        return None
    cpu_ns, wall_ns = claimed_ns(record, plan), sum(each.wall_ns for each in record.slices)
    if cpu_ns > seen.cpu_ns:
        return f"reported {_ms(cpu_ns)} of processor time in its slices and used {_ms(seen.cpu_ns)} from go to its end"
    if wall_ns > seen.wall_ns:
        return f"reported {_ms(wall_ns)} of wall time in its slices, and {_ms(seen.wall_ns)} passed from go to its end"
    return None


def much_outside(record: WorkerRecord, plan: Plan, lost_ns: int = 0) -> str | None:
    """Describe how much processor time a process used outside its slices; None where that is little.

    `lost_ns` is what it may have lost to another virtual machine besides.
    """
    seen = record.clocks
    if seen is None:
        return None
    cpu_ns = claimed_ns(record, plan)
    lines_ns = OUTSIDE_LINE_NS_MAX * len(record.slices)
    worker = plan.by_key.get(record.key)
    compiled_ns = OUTSIDE_COMPILED_NS_MAX if worker is not None and worker.compiles else 0
    allowed = max(OUTSIDE_NS_MAX, OUTSIDE_SHARE_MAX * cpu_ns, lines_ns) + compiled_ns + lost_ns
    outside = outside_ns(seen, cpu_ns)
    if outside <= allowed:
        return None
    where = " and in processes that it started" if seen.children_ns > CHILDREN_NS_MAX else ""
    return f"used {_ms(outside)} of processor time outside its slices{where}, allowed {_ms(allowed)}"


def often_outside(records: Sequence[WorkerRecord], plan: Plan) -> str | None:
    """Describe the first of a worker's processes that used much outside its slices, where too many of them did."""
    lost_ns = 0 if len(records) >= FEW else LOST_NS_MAX
    found = [said for said in (much_outside(record, plan, lost_ns) for record in records) if said is not None]
    if len(found) <= OUTSIDE_OFTEN * len(records):
        return None
    return found[0] if len(records) == 1 else f"{found[0]}, and so in {len(found)} of {len(records)} processes"


def claimed_ns(record: WorkerRecord, plan: Plan) -> int:
    """Return the processor time of all slices, with what is done around them where the experiment declares that."""
    return sum(each.cpu_ns + (each.around_ns if plan.around else 0) for each in record.slices)


def outside_ns(seen: Clocks, claimed_ns: int) -> int:
    """Return the processor time that a process and its children used outside its slices, between `go` and its end."""
    return seen.cpu_ns - claimed_ns + max(0, seen.children_ns - CHILDREN_NS_MAX)


def _ahead(slices: tuple[Slice, ...]) -> str | None:
    """Describe slices that claim more processor time than wall time, which one processor cannot give."""
    for kind in ("timed", "empty"):
        chosen = [each for each in slices if each.kind == kind]
        if not chosen:
            continue
        cpu_ns, wall_ns = median(each.cpu_ns for each in chosen), median(each.wall_ns for each in chosen)
        least = AHEAD_NS_MAX if len(chosen) >= MANY else OUTSIDE_NS_MAX
        if cpu_ns - wall_ns > max(least, OUTSIDE_SHARE_MAX * wall_ns):
            return f"reported {_ms(cpu_ns)} of processor time in {_ms(wall_ns)} of wall time, on one processor"
    return None


def _ms(nanoseconds: float) -> str:
    return f"{nanoseconds / 1e6:,.1f} ms"
