"""A line through the points of a sweep: what an operation costs at any size, and what each unit of it adds.

In each round a line is fitted to that round's own times, by Theil and Sen: its slope is the median of the slopes of all
pairs of points, its start the median of what that slope leaves over. So a size at which the machine behaves otherwise,
such as one that leaves a cache, does not bend the line as it would by least squares. The estimates are medians over the
rounds and their intervals exact order statistics, as those of a ratio are (`ffibench.stats.intervals`).

H. Theil, A rank-invariant method of linear and polynomial regression analysis, Proceedings of the Royal Netherlands
Academy of Sciences 53 (1950) 386-392; P. K. Sen, Estimates of the regression coefficient based on Kendall's tau,
Journal of the American Statistical Association 63 (1968) 1379-1389.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median

from ffibench.stats.intervals import CONFIDENCE, median_bounds

POINTS_MIN = 3
"""Any two points lie on a line, so that it takes a third to say anything."""


@dataclass(frozen=True)
class Bounded:
    """An estimate with its interval; None where there are too few rounds for one."""

    value: float
    bounds: tuple[float, float] | None


@dataclass(frozen=True)
class RoundLine:
    """The line of one round: `fixed`, in the unit of the times, and `slope` for each unit of size."""

    fixed: float
    slope: float


@dataclass(frozen=True)
class Line:
    """The line of a row: over all rounds, and that of each."""

    fixed: Bounded
    slope: Bounded
    rounds: tuple[RoundLine, ...]


def fitted(sizes: Sequence[float], times: Sequence[Sequence[float]], confidence: float = CONFIDENCE) -> Line | None:
    """Fit `times[k][r]`, of size k in round r, by a line over `sizes[k]`; None with fewer than three sizes.

    Raises ValueError for sizes that are not all different, where times are not one row a size, and for no rounds.
    """
    if len(set(sizes)) < len(sizes) or len(times) != len(sizes):
        raise ValueError(f"{len(times)} rows of times over {len(set(sizes))} different sizes of {len(sizes)}")
    if len(sizes) < POINTS_MIN:
        return None
    rounds = tuple(_fitted(sizes, each) for each in zip(*times, strict=True))
    if not rounds:
        raise ValueError("there are no rounds, so there is no line")
    return Line(
        fixed=_bounded([each.fixed for each in rounds], confidence),
        slope=_bounded([each.slope for each in rounds], confidence),
        rounds=rounds,
    )


def meeting(one: Line, other: Line, confidence: float = CONFIDENCE) -> Bounded | None:
    """Return the size at which two lines of the same rounds cross, from its median over the rounds.

    None where the lines of most rounds do not cross at one size over 0. A round of which that is so counts as one whose
    lines cross at no finite size.
    """
    places = [_crossing(*lines) for lines in zip(one.rounds, other.rounds, strict=True)]
    middle = median(places)
    return _bounded(places, confidence) if math.isfinite(middle) else None


def _crossing(one: RoundLine, other: RoundLine) -> float:
    steeper = other.slope - one.slope
    place = (one.fixed - other.fixed) / steeper if steeper else math.inf
    return place if place > 0 else math.inf


def _fitted(sizes: Sequence[float], times: Sequence[float]) -> RoundLine:
    points = list(zip(sizes, times, strict=True))
    slope = median((t2 - t1) / (s2 - s1) for (s1, t1), (s2, t2) in combinations(points, 2))
    return RoundLine(fixed=median(time - slope * size for size, time in points), slope=slope)


def _bounded(values: Sequence[float], confidence: float) -> Bounded:
    return Bounded(median(values), median_bounds(values, confidence))
