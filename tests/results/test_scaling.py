"""How throughput changes along a sweep, against figures worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from msgspec.structs import replace
from support.runs import Along, changed, run_of, swept_run

from ffibench.model import Run
from ffibench.results.compare import compare
from ffibench.results.scaling import Scaling, in_order, scalings

Table = Mapping[str, Mapping[str, Along]]


def flat(ns: float, rounds: int = 6) -> list[float]:
    return [ns] * rounds


def found(run: Run) -> dict[tuple[str, str], Scaling]:
    return {(each.contestant, each.series): each for each in scalings(run, compare(run).rows)}


def only(along: Along) -> Scaling:
    (each,) = found(swept_run({"lock": {"c": along}})).values()
    return each


def test_the_change_is_throughput_at_the_last_point_over_that_at_the_first() -> None:
    scaling = only({1: flat(40), 2: flat(25), 4: flat(10)})
    assert (scaling.series, scaling.parameter) == ("lock", "threads")
    assert [(point.value, point.ns) for point in scaling.points] == [(1, 40), (2, 25), (4, 10)]
    assert scaling.factor is not None
    assert scaling.factor.ratio == pytest.approx(4.0)
    assert scaling.peak is not None
    assert scaling.peak.value == 4
    assert scaling.peak.factor == pytest.approx(4.0)
    assert scaling.cliff is None


def test_the_change_is_paired_inside_the_rounds() -> None:
    """A machine that slows down in each round changes no ratio; ratios of medians would tell another story."""
    one: Sequence[float] = [40, 80, 20, 60, 100, 30]
    scaling = only({1: one, 8: [each / factor for each, factor in zip(one, (2, 2, 2, 2.5, 2.5, 2), strict=True)]})
    assert scaling.factor is not None
    assert scaling.factor.interval is not None
    assert scaling.factor.ratio == pytest.approx(2.0)
    assert [scaling.factor.interval.low, scaling.factor.interval.high] == pytest.approx([2.0, 2.5])


def test_six_rounds_carry_an_interval_and_five_do_not() -> None:
    for rounds, carried in ((5, False), (6, True)):
        scaling = only({1: flat(40, rounds), 2: flat(20, rounds)})
        assert scaling.factor is not None
        assert (scaling.factor.interval is not None) == carried


def test_a_clear_fall_beyond_the_peak_is_a_cliff() -> None:
    scaling = only({1: flat(40), 2: flat(10), 4: flat(12), 8: flat(16)})
    assert scaling.peak is not None
    assert scaling.peak.value == 2
    assert scaling.peak.factor == pytest.approx(4.0)
    assert scaling.cliff is not None
    assert scaling.cliff.peak == 2
    assert scaling.cliff.share == pytest.approx(0.625)
    assert [scaling.cliff.low, scaling.cliff.high] == pytest.approx([0.625, 0.625])


@pytest.mark.parametrize(
    ("last", "why"),
    [
        ([10.8] * 6, "7 % less is under the tenth"),
        ([20, 20, 20, 20, 20, 9], "a round the other way leaves 1 in the interval"),
        ([20, 20, 20, 20, 20, 10], "a round without a fall leaves 1 at its end"),
    ],
)
def test_a_fall_that_is_small_or_not_clear_is_none(last: Sequence[float], why: str) -> None:
    assert only({1: flat(40), 2: flat(10), 4: last}).cliff is None, why


def test_without_an_interval_nothing_is_called_a_cliff() -> None:
    assert only({1: flat(10, 5), 2: flat(30, 5)}).cliff is None


def test_a_fall_from_the_very_first_point_is_a_cliff_too() -> None:
    scaling = only({1: flat(10), 2: flat(30)})
    assert scaling.peak is not None
    assert (scaling.peak.value, scaling.peak.factor) == (1, 1.0)
    assert scaling.cliff is not None
    assert scaling.cliff.share == pytest.approx(1 / 3)


def test_points_stand_from_the_least_value_to_the_largest_however_they_were_asked_for() -> None:
    scaling = only({8: flat(10), 1: flat(40), 64: flat(5)})
    assert [point.value for point in scaling.points] == [1, 8, 64]
    assert scaling.factor is not None
    assert scaling.factor.ratio == pytest.approx(8.0)
    assert in_order([10, 2.5, 1, "few", 2.5]) == [1, 2.5, 10, "few"]


def test_a_point_that_cannot_be_has_its_reason_and_no_figure() -> None:
    table: Table = {"ring": {"c": {1: flat(10), 2: None}}, "lock": {"c": {1: flat(10), 2: flat(20)}}}
    ring = found(swept_run(table))["c", "ring"]
    assert ring.last.ns is None
    assert ring.last.row.reason == "It cannot run this case: it serves one at a time."
    assert (ring.factor, ring.peak, ring.cliff) == (None, None, None)


def test_a_peak_stands_though_the_last_point_cannot_be() -> None:
    table: Table = {"few": {"c": {1: flat(10), 2: flat(5), 4: None}}}
    few = found(swept_run(table))["c", "few"]
    assert few.peak is not None
    assert few.peak.value == 2
    assert few.peak.factor == pytest.approx(2.0)
    assert (few.factor, few.cliff) == (None, None)


def test_without_a_first_point_there_is_nothing_to_be_a_factor_of() -> None:
    table: Table = {"wide": {"c": {1: None, 2: flat(10)}}, "lock": {"c": {1: flat(10), 2: flat(20)}}}
    wide = found(swept_run(table))["c", "wide"]
    assert (wide.factor, wide.peak, wide.cliff) == (None, None, None)


def test_an_invalid_point_gives_no_factor_though_it_was_measured() -> None:
    table: Table = {"lock": {"c": {1: flat(10), 2: flat(5)}, "python/a": {1: flat(40), 2: flat(20)}}}
    run = changed(
        swept_run(table),
        "python/a",
        lambda record: replace(record, failure="lied") if record.key.endswith("threads=2") else record,
    )
    lied = found(run)["python/a", "lock"]
    assert lied.last.ns is None
    assert lied.factor is None
    assert found(run)["c", "lock"].factor is not None


def test_the_clock_of_the_case_is_the_clock_of_its_change() -> None:
    run = swept_run({"lock": {"c": {1: flat(40), 2: flat(10)}}})
    cases = tuple(replace(case, clock="cpu") for case in run.plan.cases)

    def halved(run: Run) -> Run:
        records = [
            [
                replace(record, slices=tuple(replace(each, cpu_ns=each.cpu_ns // 2) for each in record.slices))
                if record.key.endswith("threads=2")
                else record
                for record in each.records
            ]
            for each in run.rounds
        ]
        rounds = [replace(each, records=tuple(own)) for each, own in zip(run.rounds, records, strict=True)]
        return replace(run, rounds=tuple(rounds), plan=replace(run.plan, cases=cases))

    (scaling,) = found(halved(run)).values()
    assert scaling.factor is not None
    assert scaling.factor.ratio == pytest.approx(8.0)


def test_each_contestant_has_its_own_scaling_in_each_series() -> None:
    table: Table = {
        "lock": {"c": {1: flat(10), 2: flat(20)}},
        "sharded": {"c": {1: flat(10), 2: flat(5)}, "python/a": {1: flat(30), 2: flat(30)}},
    }
    assert set(found(swept_run(table))) == {("c", "lock"), ("c", "sharded"), ("python/a", "sharded")}


def test_a_run_without_a_sweep_has_none() -> None:
    run = run_of({"c": [10.0] * 6})
    assert scalings(run, compare(run).rows) == ()
