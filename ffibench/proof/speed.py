"""Whether a contestant did the same while it was counted among the rounds as in its timed processes.

Both have one command line, but a program can find out that its calls are counted. Then its times give it away.
"""

from __future__ import annotations

from collections.abc import Sequence

from ffibench.model import Audit, PlannedCase
from ffibench.proof.clocks import LOST_NS_MAX, MANY, OUTSIDE_NS_MAX

APART_MAX = 2.5
"""A process may be as much slower than the slowest of the timed ones, or faster than the fastest: with a busy neighbour
on its core a program takes up to 1.9 times as long (the line *two speeds*)."""
CALL_NS = 20.0
"""What the count of a call costs at most on one thread: `python tools/performance/audit.py` measured 0.3 to 5 ns, and
2 to 11 with a sum."""


SLACK_NS = 100_000.0
"""Of an interrupt or a cold cache, which is much of a short slice. With few slices a lost processor counts too."""
PROCESSES_MIN = 6
"""With fewer timed processes nobody knows how far they are apart, as for an interval."""


def wrong_speed(case: PlannedCase, audit: Audit, timed_ns: Sequence[float], slices: int) -> str | None:
    """Describe processor times that are too far apart; `timed_ns` has one a round, each the median of `slices`."""
    calls = audit.calls_an_operation
    if audit.cpu_ns is None or calls is None or len(timed_ns) < PROCESSES_MIN:
        return None
    slack_ns = SLACK_NS if slices >= MANY else OUTSIDE_NS_MAX + LOST_NS_MAX
    low = min(timed_ns) / APART_MAX - slack_ns
    high = max(timed_ns) * APART_MAX + slack_ns + CALL_NS * calls * case.iterations
    if low <= audit.cpu_ns <= high:
        return None
    took = f"took {audit.cpu_ns / 1e6:,.1f} ms of processor time a slice while its calls were counted"
    return f"{took}, expected {max(0.0, low) / 1e6:,.1f} to {high / 1e6:,.1f} ms by its timed processes"
