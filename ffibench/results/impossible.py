"""Figures that cannot be, whatever a worker says: such a row is shown as invalid, with no figure."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from ffibench.model import PlannedCase, Run
from ffibench.stats import Sample, median_bounds, times_ns

FASTEST_NS = 0.15
"""Less than one cycle of any processor: at 6 GHz a cycle takes 0.17 ns."""
BELOW_ZERO_MAX = 0.05
"""An empty loop may take longer than the loop by this share of it, from one process to the next."""
CONFIDENCE = 0.95
SEVERAL = 3
"""Slices of a process, of which noise does not strike all empty ones and no other."""


def impossible(run: Run, key: str, case: PlannedCase, found: Sample) -> str | None:
    """Describe what cannot be in the figures of a row, in a sentence; None where nothing is.

    An operation takes at least a cycle, of as many processors as the experiment may use. The net figure is below zero
    where its whole interval is. With too few rounds for one, where in each process the fastest of several empty loops
    took longer than the slowest loop, which no noise does. It is not judged where several threads work: they may wait
    for each other longer without the call than with it.
    """
    gross_ns, net_ns = median(found.gross_ns), median(found.net_ns)
    if gross_ns < FASTEST_NS / (1 if run.plan.pinned else run.host.processors):
        return f"It reported {gross_ns:.3g} ns per operation, less than one cycle of a processor."
    bounds = median_bounds(found.net_ns, CONFIDENCE)
    if not run.plan.pinned or (bounds is None and run.plan.slices < SEVERAL):
        return None
    highest_ns = max(_highest_net_ns(run, key, case)) if bounds is None else bounds[1]
    if highest_ns < -BELOW_ZERO_MAX * gross_ns:
        return f"Its empty loop takes {-net_ns:,.3g} ns per operation longer than its loop, of {gross_ns:,.3g}."
    return None


def _highest_net_ns(run: Run, key: str, case: PlannedCase) -> Iterator[float]:
    """Yield the most that the net figure of each process can be, by its slowest loop and its fastest empty one."""
    for record in (record for each in run.rounds for record in each.records if record.key == key):
        timed, empty = (times_ns(record.slices, case, kind) for kind in ("timed", "empty"))
        yield (max(timed) - min(empty)) / case.iterations
