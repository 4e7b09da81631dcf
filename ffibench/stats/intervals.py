"""Paired ratios and their intervals, with nothing assumed about the shape of the noise.

One round gives one pair: a contestant's time and the baseline's, measured side by side. The estimate is the
median of the log ratios, so that a minority of disturbed rounds cannot distort it and so that swapping the
two sides inverts it. Its interval runs between two order statistics and is exact at any number of rounds,
because it inverts the sign test: Conover, Practical Nonparametric Statistics, 3rd ed. (1999), section 3.2;
David and Nagaraja, Order Statistics, 3rd ed. (2003), section 7.1.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import takewhile
from statistics import median

CONFIDENCE = 0.95
"""Of every interval that a table prints."""


@dataclass(frozen=True)
class Interval:
    """The interval of a ratio: `low` to `high`, both positive and without unit."""

    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half the interval's length on the log scale: 0.02 is roughly "give or take 2 %".

        On this scale a ratio and its inverse have the same half-width.
        """
        return (math.log(self.high) - math.log(self.low)) / 2


@dataclass(frozen=True)
class Estimate:
    """A ratio to the baseline, its interval and the number of rounds it was computed from.

    `interval` is None where there were too few rounds for the requested confidence.
    """

    ratio: float
    interval: Interval | None
    rounds: int


def paired_ratio(times: Sequence[float], baseline: Sequence[float], confidence: float = CONFIDENCE) -> Estimate:
    """Estimate the ratio of a contestant's time to the baseline's, paired inside each round.

    `times[r]` and `baseline[r]` are of the same round `r`, in the same unit, which cancels. The ratio is
    exp(median over the rounds of ln(t / b)); the interval covers it with at least `confidence`.

    Raises ValueError for no rounds at all, for sides of unequal length, for a time that is not positive and
    finite, and for a confidence that is not between 0 and 1.
    """
    if len(times) != len(baseline):
        raise ValueError(f"{len(times)} times and {len(baseline)} of the baseline: every round must have both")
    if not times:
        raise ValueError("there are no rounds, so there is no ratio")
    log_ratios = subtract(logs(times), logs(baseline))
    return Estimate(
        ratio=math.exp(median(log_ratios)),
        interval=median_interval(log_ratios, confidence),
        rounds=len(log_ratios),
    )


def median_interval(log_ratios: Sequence[float], confidence: float) -> Interval | None:
    """Bound the median of one log ratio a round by order statistics, given as ratios.

    None where `order_rank` finds that there are too few rounds.
    """
    bounds = median_bounds(log_ratios, confidence)
    return None if bounds is None else Interval(low=math.exp(bounds[0]), high=math.exp(bounds[1]))


def median_bounds(values: Sequence[float], confidence: float) -> tuple[float, float] | None:
    """Bound the median of what one value a round was drawn from, by order statistics, in the values' own unit.

    None where `order_rank` finds that there are too few rounds; ValueError as it says.
    """
    rank = order_rank(len(values), confidence)
    if rank is None:
        return None
    ordered = sorted(values)
    return ordered[rank - 1], ordered[-rank]


def order_rank(n: int, confidence: float) -> int | None:
    """Find which order statistics of `n` values bound the median: from k-th lowest to k-th highest.

    Returns the largest k, counted from 1, at which the interval [x_(k), x_(n+1-k)] covers the median with at
    least `confidence`: the median lies outside when fewer than k values fall on one side of it, which has
    probability at most 2 P(B < k) with B ~ Binomial(n, 1/2). None where not even the whole range, k = 1,
    is wide enough: under 6 values for 95 %.

    Raises ValueError for a negative `n` and for a confidence that is not between 0 and 1.
    """
    if n < 0:
        raise ValueError(f"{n} values: a count cannot be negative")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence {confidence} is not between 0 and 1")
    # Counted in whole sign patterns, not in floating point, so that no rounding decides a rank.
    allowed = math.floor(2**n * (1 - Fraction(confidence)) / 2)
    return sum(1 for _ in takewhile(lambda patterns: patterns <= allowed, sign_patterns(n))) or None


def sign_patterns(n: int) -> Iterator[int]:
    """Count, for k = 0, 1 ... n, how many of the 2**n patterns of `n` signs have at most k minuses.

    Divided by 2**n this is P(B <= k) with B ~ Binomial(n, 1/2). Each term follows from the one before, which
    keeps a thousand rounds cheap.
    """
    exactly = at_most = 1
    for k in range(n + 1):
        yield at_most
        exactly = exactly * (n - k) // (k + 1)
        at_most += exactly


def logs(times: Sequence[float]) -> list[float]:
    """Take the natural logarithm of every time; ValueError where one is not positive and finite."""
    for position, time in enumerate(times):
        if not (time > 0 and math.isfinite(time)):
            raise ValueError(f"time {time} at position {position} is not positive and finite")
    return [math.log(time) for time in times]


def subtract(minuend: Sequence[float], subtrahend: Sequence[float]) -> list[float]:
    """Subtract the logarithms of two rows round by round, which gives their log ratios.

    Swapping the two sides changes the sign of such a difference and nothing else; ln(t / b) would also round
    differently.
    """
    return [left - right for left, right in zip(minuend, subtrahend, strict=True)]
