"""Two ways to do the same, by one contestant over a size: what one costs in terms of the other, and where they meet.

Both ran in the same processes, so that their ratio is paired as closely as it can be. Arithmetic alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from ffibench.model import Run, Value
from ffibench.results.scaling import Scaling
from ffibench.results.times import RowKey, key_of, times_ns
from ffibench.stats import Estimate, paired_ratio

ALIKE = 1.1
"""Two ways cost as much where neither takes more than this times the other."""


class Alternative(Struct, frozen=True, kw_only=True):
    """One contestant's way, `one`, with the ratios to it of the `other`, which does the same."""

    one: Scaling
    other: Scaling
    ratios: Mapping[Value, Estimate]
    """Of the times of `other` to those of `one`, by the value of the parameter, the least first."""
    meet: Value | None
    """From this value on the two cost as much; None where they do not at the largest."""


def alternatives(run: Run, scalings: Iterable[Scaling]) -> list[Alternative]:
    """Return the pairs of ways that the cases of a run declare, in the order of the contestants' scalings."""
    declared = {case.series: case.alternative for case in run.plan.cases if case.alternative and case.series}
    if not declared:
        return []
    listed = list(scalings)
    known = {(each.contestant, each.interpreter, each.role, each.series): each for each in listed}
    times = times_ns(run, [case for case in run.plan.cases if case.point])
    found = []
    for one in listed:
        other = known.get((one.contestant, one.interpreter, one.role, declared.get(one.series, "")))
        if other is not None:
            ratios = _ratios(one, other, times)
            found.append(Alternative(one=one, other=other, ratios=ratios, meet=_meet(ratios)))
    return [each for each in found if each.ratios]


def _ratios(one: Scaling, other: Scaling, times: Mapping[RowKey, Sequence[float]]) -> dict[Value, Estimate]:
    others = {point.value: point for point in other.points if point.ns is not None}
    found = {}
    for point in one.points:
        beside = others.get(point.value)
        if point.ns is None or beside is None:
            continue
        own, theirs = times.get(key_of(point.row)), times.get(key_of(beside.row))
        if own is not None and theirs is not None:
            found[point.value] = paired_ratio(theirs, own)
    return found


def _meet(ratios: Mapping[Value, Estimate]) -> Value | None:
    """Return the first of the last values in a row at which two ways cost as much."""
    found = None
    for value, estimate in reversed(list(ratios.items())):
        if abs(math.log(estimate.ratio)) > math.log(ALIKE):
            break
        found = value
    return found
