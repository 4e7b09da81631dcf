"""Two ways to do the same over a size: their ratio at each size, and the size from which they cost as much."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from support.sweeps import payloads, ways

from ffibench.model import Run
from ffibench.results.alternatives import ALIKE, Alternative, alternatives
from ffibench.results.compare import compare
from ffibench.results.scaling import scalings


def found(run: Run) -> dict[str, Alternative]:
    return {each.one.contestant: each for each in alternatives(run, scalings(run, compare(run).rows))}


def test_each_contestant_has_the_ratios_of_its_own_two_ways() -> None:
    known = found(ways())
    assert list(known) == ["c", "control", "python/capi"]
    assert (known["c"].one.series, known["c"].other.series) == ("packed", "message")
    assert [each.ratio for each in known["c"].ratios.values()] == pytest.approx([4, 2, 1.2, 1.05], rel=1e-3)
    assert [each.ratio for each in known["python/capi"].ratios.values()] == pytest.approx([2, 2, 2, 2], rel=1e-3)


def test_a_ratio_is_paired_within_processes() -> None:
    """Both ways have the noise of their process, and the ratio of the two has none."""
    for estimate in found(ways())["c"].ratios.values():
        assert estimate.interval is not None
        assert estimate.interval.high == pytest.approx(estimate.interval.low, rel=1e-4)


@pytest.mark.parametrize(
    ("factors", "meet"),
    [
        ((4, 2, 1.2, 1.05), 100_000),
        ((4, 1.09, 0.95, 1.0), 1_000),
        ((1.0, 1.0, 1.0, 1.0), 100),
        ((1.0, 1.0, 1.0, 1.2), None),  # they part again
        ((4, 1.05, 3, 1.05), 100_000),  # not at every size from the second on
        ((4, 2, 1.5, 0.8), None),  # the other is clearly faster
        ((4, 2, 1.2, 1.15), None),
    ],
)
def test_they_meet_where_neither_takes_more_from_there_on(factors: tuple[float, ...], meet: int | None) -> None:
    assert found(ways(ratios={"c": (4, 2, 1, 1), "python/capi": factors}))["python/capi"].meet == meet


def test_the_limit_holds_in_both_directions() -> None:
    for factor, meet in ((ALIKE * 0.999, 100), (1 / ALIKE * 1.001, 100), (ALIKE * 1.001, None), (0.999 / ALIKE, None)):
        assert found(ways(ratios={"c": [factor] * 4}))["c"].meet == meet


def test_a_size_that_one_way_cannot_has_no_ratio() -> None:
    known = found(ways(ratios={"c": (4, 2, 1, 1), "python/capi": (2, None, 2, 1)}))
    assert list(known["python/capi"].ratios) == [100, 10_000, 100_000]


def test_a_run_whose_cases_name_none_has_none() -> None:
    assert found(payloads(a=(20, 0.1))) == {}


def test_a_way_that_was_not_measured_is_no_pair() -> None:
    run = ways()
    plan = replace(run.plan, cases=tuple(replace(each, alternative="gone") for each in run.plan.cases))
    assert found(replace(run, plan=plan)) == {}
