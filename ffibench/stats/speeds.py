"""Whether the processes of a row fall into two groups by their speed, between which a median says nothing.

The figures are split where the variance within the two sides is least: Otsu, A threshold selection method from
gray-level histograms, IEEE Transactions on Systems, Man, and Cybernetics 9 (1979) 62-66. Of figures drawn from one
uniform distribution, the least favourable with a single peak (Hartigan and Hartigan, The dip test of unimodality,
Annals of Statistics 13 (1985) 70-84), a quarter of the variance stays within the best two halves, and less where they
are few.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from ffibench.stats.intervals import logs

APART = math.log(1.1)
"""Groups that are nearer to each other change no conclusion."""
LEAST = 3
LEAST_SHARE = 0.2
"""A group of fewer processes is outliers."""
WITHIN = 0.25
SPREAD = 2.55
"""The share of the variance that stays within two groups is at most WITHIN (1 - SPREAD / sqrt(n)): one row of a hundred
from a uniform distribution is under that, and of a normal or a longer-tailed one none in a thousand
(tests/stats/test_speeds.py). Under seven processes nothing is said."""


@dataclass(frozen=True)
class Group:
    """Processes of one speed: their median time, and their positions in what was given."""

    time: float
    members: tuple[int, ...]


def two_groups(times: Sequence[float]) -> tuple[Group, Group] | None:
    """Return the two groups of a row's times, the larger first, the faster of equal ones; None where there are none.

    Raises ValueError for a time that is not positive and finite.
    """
    values = logs(times)
    count = len(values)
    least = max(LEAST, math.ceil(LEAST_SHARE * count))
    if count < 2 * least:
        return None
    order = sorted(range(count), key=values.__getitem__)
    ordered = [values[index] for index in order]
    total = _squares(ordered)
    within, split = min((_squares(ordered[:at]) + _squares(ordered[at:]), at) for at in range(least, count - least + 1))
    if within >= WITHIN * (1 - SPREAD / math.sqrt(count)) * total:
        return None
    if median(ordered[split:]) - median(ordered[:split]) < APART:
        return None
    faster, slower = (
        Group(time=median(times[index] for index in part), members=tuple(sorted(part)))
        for part in (order[:split], order[split:])
    )
    return (slower, faster) if len(slower.members) > len(faster.members) else (faster, slower)


def _squares(values: Sequence[float]) -> float:
    """Return the sum of the squared distances from the mean."""
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values)
