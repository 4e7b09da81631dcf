"""How throughput changes along a sweep: one value for each contestant and series. Arithmetic alone.

Throughput is the inverse of time, so the factor from one point to another is the ratio of their times the other way
round, paired inside the rounds and bounded as every ratio of this tool is: `ffibench.stats.paired_ratio`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from ffibench.model import Row, Run, Value
from ffibench.results.times import RowKey, key_of, times_ns
from ffibench.stats import Estimate, paired_ratio

CLIFF = 0.9
"""Throughput beyond the peak that is under this share of it is named, where the rounds carry it."""


class Point(Struct, frozen=True, kw_only=True):
    """A value of the parameter that is swept, with the row that was measured there."""

    value: Value
    row: Row

    @property
    def ns(self) -> float | None:
        """Nanoseconds an operation; None where the row has no valid figure."""
        return self.row.gross_ns if self.row.valid else None


class Peak(Struct, frozen=True, kw_only=True):
    """The most throughput of a sweep, as a factor of that at the first point."""

    value: Value
    factor: float


class Cliff(Struct, frozen=True, kw_only=True):
    """Throughput at the last point that is clearly less than at the peak: `share` of it, `low` to `high`."""

    peak: Value
    share: float
    low: float
    high: float


class Scaling(Struct, frozen=True, kw_only=True):
    """One contestant in one series: its points in the order of the parameter's values."""

    contestant: str
    interpreter: str
    role: str
    block: str
    series: str
    parameter: str
    points: tuple[Point, ...]
    factor: Estimate | None
    """Throughput at the last point over that at the first; None where either has no figure."""
    peak: Peak | None
    """None where the first point has no figure, or no other has one."""
    cliff: Cliff | None

    @property
    def first(self) -> Point:
        """The point of the least value."""
        return self.points[0]

    @property
    def last(self) -> Point:
        """The point of the largest value."""
        return self.points[-1]


def swept(row: Row) -> bool:
    """Tell whether a row is a point of a sweep."""
    return bool(row.point)


def scalings(run: Run, rows: Iterable[Row]) -> tuple[Scaling, ...]:
    """Return what the rows of a run say along its sweep, in the order in which they come; nothing where none is."""
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        if swept(row):
            series, parameter = row.series or row.case, next(iter(row.point))
            groups.setdefault((row.contestant, row.interpreter, row.role, series, parameter), []).append(row)
    if not groups:
        return ()
    times = times_ns(run, [case for case in run.plan.cases if case.point])
    return tuple(_scaling(group, series, parameter, times) for (*_, series, parameter), group in groups.items())


def in_order(values: Iterable[Value]) -> list[Value]:
    """Return values of a parameter from the least to the largest, each once; words stay as they come."""
    numbers, words = [], []
    for value in dict.fromkeys(values):
        if isinstance(value, str):
            words.append(value)
        else:
            numbers.append(value)
    return [*sorted(numbers), *words]


def _scaling(rows: Sequence[Row], series: str, parameter: str, times: Mapping[RowKey, Sequence[float]]) -> Scaling:
    by_value = {row.point[parameter]: row for row in rows if parameter in row.point}
    points = tuple(Point(value=value, row=by_value[value]) for value in in_order(by_value))
    known = [times.get(key_of(point.row)) if point.ns is not None else None for point in points]
    first, last = known[0], known[-1]
    peak, cliff = _peak_and_cliff(points, known)
    return Scaling(
        contestant=rows[0].contestant,
        interpreter=rows[0].interpreter,
        role=rows[0].role,
        block=rows[0].block,
        series=series,
        parameter=parameter,
        points=points,
        factor=None if first is None or last is None else paired_ratio(first, last),
        peak=peak,
        cliff=cliff,
    )


def _peak_and_cliff(
    points: Sequence[Point], known: Sequence[Sequence[float] | None]
) -> tuple[Peak | None, Cliff | None]:
    first, last = known[0], known[-1]
    if first is None:
        return None, None
    factors = {index: paired_ratio(first, times).ratio for index, times in enumerate(known) if times is not None}
    if len(factors) < 2:
        return None, None
    highest = max(factors, key=factors.__getitem__)
    peak = Peak(value=points[highest].value, factor=factors[highest])
    at_peak = known[highest]
    if last is None or at_peak is None:
        return peak, None
    share = paired_ratio(at_peak, last)
    if share.interval is None or share.interval.high >= 1 or share.ratio > CLIFF:
        return peak, None
    return peak, Cliff(peak=peak.value, share=share.ratio, low=share.interval.low, high=share.interval.high)
