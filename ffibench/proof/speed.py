"""Whether a contestant did the same while it was counted among the rounds as in its timed processes.

Both have one command line, but a program can find out that its calls are counted. Then its times give it away.
"""

from __future__ import annotations

from collections.abc import Sequence

from ffibench.model import Audit, PlannedCase

APART_MAX = 1.5
"""A process may be as much slower than the slowest of the timed ones, or faster than the fastest."""
CALL_NS = 20.0
"""What the count of a call costs at most on one thread: 5 ns, and 11 with a sum, were measured."""


def wrong_speed(case: PlannedCase, audit: Audit, timed_ns: Sequence[float]) -> str | None:
    """Describe processor times that are too far apart; `timed_ns` are those of a slice, one a round."""
    calls = audit.calls_an_operation
    if audit.cpu_ns is None or calls is None or not timed_ns:
        return None
    low, high = min(timed_ns) / APART_MAX, max(timed_ns) * APART_MAX + CALL_NS * calls * case.iterations
    if low <= audit.cpu_ns <= high:
        return None
    took = f"took {audit.cpu_ns / 1e6:,.1f} ms of processor time a slice while its calls were counted"
    return f"{took}, expected {low / 1e6:,.1f} to {high / 1e6:,.1f} ms by its timed processes"
