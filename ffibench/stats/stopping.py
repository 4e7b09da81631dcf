"""When a run has measured enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

Stop: TypeAlias = Literal["precision", "rounds", "time"]


@dataclass(frozen=True)
class Limits:
    """How long a run may go on.

    `rounds_min` rounds are done before precision may end the run; `rounds_max` and `seconds_max` end it in
    any case. `precision` is the half-width that every row must reach, on the log scale: 0.02 is about 2 %.
    """

    rounds_min: int
    rounds_max: int
    seconds_max: float
    precision: float


def stop(
    limits: Limits,
    rounds_done: int,
    seconds_used: float,
    half_widths: Sequence[float | None],
    round_seconds: float,
) -> Stop | None:
    """Say why to stop after `rounds_done` rounds, or None to do one more; asked between rounds.

    `half_widths` has one entry a row, `Interval.half_width`, or None where the row has no interval yet; with
    no row at all there is nothing left to sharpen. `round_seconds` is the mean length of a round so far. The
    reasons, first one first:

    - "rounds": the most rounds are done;
    - "precision": the fewest rounds are done and every row has reached the precision;
    - "time": one more round would go past the time allowed. The first round is always done.

    Never on significance. A run that stops as soon as a difference shows gets as many chances to be fooled as
    it has rounds: Armitage, McPherson and Rowe, Repeated significance tests on accumulating data, Journal of
    the Royal Statistical Society A 132 (1969) 235-244. How wide an interval is says little about where it
    lies, so stopping on width all but keeps what the interval promises. Simulated with heavy tails and 4 %
    outliers, the 95 % intervals of a table of five rows cover in 95 to 96 % of the runs. A row alone stops
    when it happens to look narrow and covers in 93 to 94 % (tests/stats/test_stats_stopping.py).
    """
    if rounds_done >= limits.rounds_max:
        return "rounds"
    precise = all(width is not None and width <= limits.precision for width in half_widths)
    if precise and rounds_done >= limits.rounds_min:
        return "precision"
    if rounds_done >= 1 and seconds_used + round_seconds > limits.seconds_max:
        return "time"
    return None
