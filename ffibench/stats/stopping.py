"""When a run has measured enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

OVERTIME = 2
"""A run may take this many times the seconds allowed, where the minimum of rounds fits into that time."""

Stop: TypeAlias = Literal["precision", "rounds", "time"]


@dataclass(frozen=True)
class Limits:
    """The limits of a run.

    `rounds_min` rounds are done before precision may end the run. `rounds_max` rounds end it in any case, and so do
    `seconds_max`, except that the first `rounds_min` rounds are completed where they fit into twice that time: with
    fewer an interval is the whole range, and rows cannot be distinguished. `precision` is the half-width that
    every row must reach, on the log scale: 0.02 is about 2 %.
    """

    rounds_min: int
    rounds_max: int
    seconds_max: float
    precision: float

    def seconds_left(self, rounds_done: int, seconds_used: float, round_seconds: float) -> float:
        """Return how many seconds the run may still take, after `rounds_done` rounds of `round_seconds` each."""
        allowed = max(self.seconds_max - seconds_used, 0.0)
        fewest = (self.rounds_min - rounds_done) * round_seconds
        if seconds_used + fewest <= OVERTIME * self.seconds_max:
            allowed = max(allowed, fewest)
        return min(allowed, (self.rounds_max - rounds_done) * round_seconds)


def stop(
    limits: Limits,
    rounds_done: int,
    seconds_used: float,
    half_widths: Sequence[float | None],
    round_seconds: float,
) -> Stop | None:
    """Return why to stop after `rounds_done` rounds, or None to do one more. To be called between rounds.

    `half_widths` has one entry per row, `Interval.half_width`, or None where the row has no interval yet. With
    no row at all there is nothing left to improve. `round_seconds` is the mean length of a round so far. The
    reasons, in this order:

    - "rounds": `rounds_max` rounds are done;
    - "precision": `rounds_min` rounds are done and every row has reached the precision;
    - "time": one more round would exceed the time allowed, `Limits.seconds_left`. The first round is always done.

    Never on significance. A run that stops as soon as a difference is significant tests as often as it has rounds, so
    false alarms add up: Armitage, McPherson and Rowe, Repeated significance tests on accumulating data, Journal of the
    Royal Statistical Society A 132 (1969) 235-244. The width of an interval says little about where it lies, so
    stopping on width hardly changes its coverage. Simulated with heavy tails and 4 % outliers, the 95 % intervals of a
    table of five rows cover in 95 to 96 % of the runs. A row alone stops when it happens to look narrow and covers in
    93 to 94 % (tests/stats/test_stopping.py).
    """
    if rounds_done >= limits.rounds_max:
        return "rounds"
    precise = all(width is not None and width <= limits.precision for width in half_widths)
    if precise and rounds_done >= limits.rounds_min:
        return "precision"
    if rounds_done >= 1 and round_seconds > limits.seconds_left(rounds_done, seconds_used, round_seconds):
        return "time"
    return None
