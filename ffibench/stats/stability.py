"""Whether a row was still drifting, and whether other programs disturbed a slice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median

from ffibench.stats.intervals import logs
from ffibench.stats.ties import sign_test

# A smaller drift, however certain, changes no conclusion: the control itself may be off by as much.
DRIFT = math.log(1.01)

# A process whose compiler is still at work speeds up by more; a shared processor alone moves a few percent.
DRIFT_OF_ONE = math.log(1.05)


def settled(slices_by_round: Sequence[Sequence[float]], level: float = 0.01) -> bool:
    """Return whether a row ran at one speed in its timed slices; False where it was still drifting.

    `slices_by_round[r]` are the times of the row's timed slices in round r, in the order they ran, in any one
    unit. In each round the median of the first half is paired with the median of the second half; the middle
    slice of an odd number belongs to neither. The row is still drifting where both hold:

    - the sign test over the rounds gives p < `level`: the drift repeats from process to process;
    - the median drift is more than 1 %, up or down: a just-in-time compiler speeds up, a leak slows down.

    Rounds of fewer than 2 slices have no halves and are ignored. True where none is left, and where there
    are too few for the test to reach `level` (under 8 for 0.01): a drift that cannot be shown is not claimed. Why
    a fixed number of warm-up slices is checked rather than trusted: Barrett et al., Virtual Machine Warmup
    Blows Hot and Cold, Proceedings of the ACM on Programming Languages 1 (OOPSLA 2017) 52.

    Raises ValueError for a time that is not positive and finite.
    """
    drifts = [_drift(logs(slices)) for slices in slices_by_round if len(slices) >= 2]
    if not drifts:
        return True
    return sign_test(drifts) >= level or abs(median(drifts)) <= DRIFT


def settled_processes(slices_by_process: Sequence[Sequence[float]]) -> int:
    """Return how many processes ran at one speed: the halves of their timed slices are within 5 % of each other.

    The times are as those of `settled`. A process of fewer than 2 slices has no halves and counts as settled.
    """
    drifts = [_drift(logs(slices)) for slices in slices_by_process if len(slices) >= 2]
    return len(slices_by_process) - sum(abs(drift) > DRIFT_OF_ONE for drift in drifts)


def disturbed(wall_ns: int, cpu_ns: int) -> bool:
    """Return whether a slice had to wait: its wall time exceeds its CPU time by more than 2 %.

    Both in nanoseconds, of the same slice and process. Only valid for one thread that never sleeps:
    with several threads CPU time exceeds wall time and hides any wait.
    """
    return wall_ns * 100 > cpu_ns * 102


def _drift(log_times: Sequence[float]) -> float:
    """Return the log ratio of the second half's median to the first's; below 0 where a round sped up."""
    half = len(log_times) // 2
    return median(log_times[-half:]) - median(log_times[:half])
