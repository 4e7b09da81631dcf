"""What time costs over a size: a fixed part, a part for each byte, and the size at which two bindings meet.

Arithmetic alone; the lines are those of `ffibench.stats.lines`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from statistics import median

from msgspec import Struct

from ffibench.model import Row, Run, Value
from ffibench.results.blocks import BASE_BLOCK
from ffibench.results.scaling import Point, Scaling
from ffibench.results.times import RowKey, key_of, times_ns
from ffibench.stats import Bounded, Line, fitted, meeting


class Fit(Struct, frozen=True, kw_only=True):
    """The line of a contestant over the bytes of its points: nanoseconds, and nanoseconds for each byte."""

    line: Line
    miss: float
    """By which share of the measured time it is off where it is furthest off."""
    miss_at: Value
    """The value of the parameter there."""


class Meeting(Struct, frozen=True, kw_only=True):
    """Two contestants of a block, the one that is faster below a number of bytes and the one that is above it."""

    below: Scaling
    above: Scaling
    low: float
    size: float
    high: float
    """Bytes, with the interval of 95 %."""


def sized(scalings: Iterable[Scaling]) -> bool:
    """Tell whether a sweep is one over a size: operations take bytes across at each point, and not always so many."""
    sizes = [point.row.bytes for each in scalings for point in each.points]
    return bool(sizes) and min(sizes) > 0 and len(set(sizes)) > 1


def fits(run: Run, scalings: Iterable[Scaling]) -> Mapping[RowKey, Fit]:
    """Return the line of each contestant by the key of its last row, where it has three sizes or more."""
    times = times_ns(run, [case for case in run.plan.cases if case.point])
    found = ((key_of(each.last.row), _fit(each, times)) for each in scalings)
    return {key: fit for key, fit in found if fit is not None}


def meetings(scalings: Sequence[Scaling], fits: Mapping[RowKey, Fit]) -> list[Meeting]:
    """Return who meets whom, by size: two of a block and series whose lines cross, certainly inside the sweep.

    So the interval of the size lies between the least and the largest that both were measured at; and the order that
    was measured at these two is not the same.
    """
    found = []
    for one, other in combinations(scalings, 2):
        if (one.block, one.series) == (other.block, other.series) and one.block != BASE_BLOCK:
            met = _meeting(one, other, fits)
            if met is not None:
                found.append(met)
    return sorted(found, key=lambda each: each.size)


def _fit(scaling: Scaling, times: Mapping[RowKey, Sequence[float]]) -> Fit | None:
    by_size: dict[int, Point] = {}
    for point in scaling.points:
        if point.ns is not None and key_of(point.row) in times:
            by_size.setdefault(point.row.bytes, point)
    own = [times[key_of(point.row)] for point in by_size.values()]
    line = fitted(list(by_size), own) if own else None
    if line is None:
        return None
    misses = {
        point.value: abs(line.fixed.value + line.slope.value * size - median(each)) / median(each)
        for (size, point), each in zip(by_size.items(), own, strict=True)
    }
    worst = max(misses, key=misses.__getitem__)
    return Fit(line=line, miss=misses[worst], miss_at=worst)


def _meeting(one: Scaling, other: Scaling, fits: Mapping[RowKey, Fit]) -> Meeting | None:
    own, others = (fits.get(key_of(each.last.row)) for each in (one, other))
    if own is None or others is None:
        return None
    crossing: Bounded | None = meeting(own.line, others.line)
    rows = [{point.row.bytes: point.row for point in each.points if point.ns is not None} for each in (one, other)]
    common = sorted(rows[0].keys() & rows[1].keys())
    if crossing is None or crossing.bounds is None or not common:
        return None
    low, high = crossing.bounds
    at_first, at_last = (_difference(rows[0][size], rows[1][size]) for size in (common[0], common[-1]))
    if not common[0] <= low <= high <= common[-1] or at_first * at_last >= 0:
        return None
    below, above = (one, other) if at_first < 0 else (other, one)
    return Meeting(below=below, above=above, low=low, size=crossing.value, high=high)


def _difference(one: Row, other: Row) -> float:
    return (one.gross_ns or 0.0) - (other.gross_ns or 0.0)
