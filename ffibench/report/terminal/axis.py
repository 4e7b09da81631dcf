"""The axis of a chart: round rates at its ticks, from 0 or on a logarithmic scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

STEPS = (1, 2, 5)
FACTOR_MAX = 10.0
"""Rates further apart than this would lie on each other at the foot of an axis that begins at 0."""

TICKS_MAX = 7


@dataclass(frozen=True)
class Axis:
    """Its ends, and its ticks from the lowest to the highest; on a logarithmic scale equal distances are factors."""

    low: float
    high: float
    ticks: tuple[float, ...]
    logarithmic: bool

    def height(self, rate: float) -> float:
        """Give where a rate stands."""
        return log10(rate) if self.logarithmic else rate

    def labels(self) -> list[str]:
        """Write the ticks: from 0 all with the same decimals, else each with those it needs."""
        if self.logarithmic:
            return [f"{tick:.{max(0, -floor(log10(tick) + 1e-9))}f}" for tick in self.ticks]
        decimals = max(0, -floor(log10(self.ticks[1]) + 1e-9))
        return [f"{tick:.{decimals}f}" for tick in self.ticks]


def axis_of(rates: Sequence[float]) -> Axis:
    """Choose the axis for rates, all over 0: logarithmic where they lie more than tenfold apart."""
    top, bottom = max(rates), min(rates)
    return _logarithmic(bottom, top) if top > FACTOR_MAX * bottom else _from_zero(top)


def _from_zero(top: float) -> Axis:
    """Three to six ticks at a round step."""
    size = 10.0 ** floor(log10(top / 5))
    step = next(factor * size for factor in (*STEPS, 10) if factor * size * 5 >= top * (1 - 1e-9))
    ticks = tuple(step * number for number in range(ceil(top / step - 1e-9) + 1))
    return Axis(low=0.0, high=ticks[-1], ticks=ticks, logarithmic=False)


def _logarithmic(bottom: float, top: float) -> Axis:
    """Ticks at 1, 2 and 5 of each power of ten, or at the powers alone where these would be too many."""
    ticks: tuple[float, ...] = ()
    for steps in (STEPS, (1,)):
        powers = range(floor(log10(bottom)), ceil(log10(top)) + 1)
        ticks = tuple(step * 10.0**power for power in powers for step in steps if bottom <= step * 10.0**power <= top)
        if len(ticks) <= TICKS_MAX:
            break
    return Axis(low=bottom, high=top, ticks=ticks, logarithmic=True)
