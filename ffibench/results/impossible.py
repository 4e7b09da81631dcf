"""Figures that cannot be, whatever a worker says: such a row is shown as invalid, with no figure."""

from __future__ import annotations

from statistics import median

from ffibench.model import Run
from ffibench.stats import CONFIDENCE, Sample, median_bounds

FASTEST_NS = 0.15
"""Less than one cycle of any processor: at 6 GHz a cycle takes 0.17 ns."""
BELOW_ZERO_MAX = 0.05
"""An empty loop may take longer than the loop by this share of it, from one process to the next."""


def impossible(run: Run, found: Sample) -> str | None:
    """Describe what cannot be in the figures of a row, in a sentence; None where nothing is.

    An operation takes at least a cycle, of as many processors as the experiment may use. The net figure is below zero
    where its whole interval is, if one thread works alone: several may wait for each other longer without the call
    than with it. With too few rounds for an interval a busy machine is as likely the cause.
    """
    gross_ns, net_ns = median(found.gross_ns), median(found.net_ns)
    if gross_ns < FASTEST_NS / (1 if run.plan.pinned else run.host.processors):
        return f"It reported {gross_ns:.3g} ns per operation, less than one cycle of a processor."
    bounds = median_bounds(found.net_ns, CONFIDENCE)
    if run.plan.pinned and bounds is not None and bounds[1] < -BELOW_ZERO_MAX * gross_ns:
        return f"Its empty loop takes {-net_ns:,.3g} ns per operation longer than its loop, of {gross_ns:,.3g}."
    return None
