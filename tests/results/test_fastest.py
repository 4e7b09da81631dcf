"""The promise: fastest is said only where it is significant, and how much faster comes from paired rounds."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from support.runs import Along, Times, changed, run_of, swept_run

from ffibench.model import Run
from ffibench.results.compare import compare
from ffibench.results.fastest import Lead, leads

ROUNDS = 12


def steady(**ns: float) -> Times:
    """Contestants of Python with the same time in each round, and the baseline at 20 ns."""
    return {"c": [20.0] * ROUNDS, **{f"python/{name}": [each] * ROUNDS for name, each in ns.items()}}


def lead_of(run: Run) -> Lead:
    (lead,) = leads(run, compare(run).rows)
    return lead


def names(lead: Lead) -> list[str]:
    return [row.contestant.removeprefix("python/") for row in lead.fastest]


def test_one_that_beats_all_others_is_the_fastest() -> None:
    lead = lead_of(run_of(steady(a=50.0, b=60.0, d=100.0)))
    assert names(lead) == ["a"]
    assert lead.next is not None
    assert lead.slowest is not None
    assert (lead.next.row.contestant, lead.slowest.row.contestant) == ("python/b", "python/d")
    assert lead.next.ratio.ratio == pytest.approx(1.2)
    assert lead.slowest.ratio.ratio == pytest.approx(2.0)


def test_two_that_take_turns_are_the_fastest_together() -> None:
    turns = [50.0, 51.0] * (ROUNDS // 2)
    run = run_of({**steady(d=100.0), "python/a": turns, "python/b": turns[::-1]})
    lead = lead_of(run)
    assert sorted(names(lead)) == ["a", "b"]
    assert lead.next is not None
    assert lead.next.row.contestant == "python/d"
    assert lead.slowest is None


def test_how_much_faster_is_paired_and_not_a_quotient_of_ratios() -> None:
    """Both take half as long in every other round, as the baseline does not: their own ratio does not see it."""
    wave = [1.0, 0.5] * (ROUNDS // 2)
    run = run_of({**steady(), "python/a": [50 * each for each in wave], "python/b": [60 * each for each in wave]})
    lead = lead_of(run)
    assert lead.next is not None
    assert lead.next.ratio.interval is not None
    assert lead.next.ratio.ratio == pytest.approx(1.2)
    assert lead.next.ratio.interval.low == pytest.approx(1.2)
    assert lead.next.ratio.interval.high == pytest.approx(1.2)
    row = compare(run).rows[1]
    assert row.ratio_low == pytest.approx(1.25)
    assert row.ratio_high == pytest.approx(2.5)


def test_the_fastest_is_whom_no_other_beats_though_its_median_be_higher() -> None:
    """`a` has the lower median of times, and loses to `b` in eleven of twelve rounds."""
    ramp = [40.0 + 4 * number for number in range(ROUNDS)]
    run = run_of({**steady(), "python/a": ramp, "python/b": [200.0, *(each - 0.1 for each in ramp[1:])]})
    assert [row.contestant for row in compare(run).rows] == ["c", "python/a", "python/b"]
    assert names(lead_of(run)) == ["b"]


def test_too_few_rounds_make_nobody_the_fastest() -> None:
    times = {name: each[:6] for name, each in steady(a=50.0, b=60.0, d=100.0).items()}
    lead = lead_of(run_of(times))
    assert lead.fastest == ()
    assert (lead.next, lead.slowest) == (None, None)
    assert len(lead.rows) == 3


def test_one_alone_is_compared_with_nobody() -> None:
    lead = lead_of(run_of(steady(a=50.0)))
    assert names(lead) == ["a"]
    assert (lead.next, lead.slowest) == (None, None)


def test_blocks_are_ranked_apart_and_the_baseline_s_not_at_all() -> None:
    times = {**steady(a=50.0, b=60.0), "control": [20.0] * ROUNDS, "perl/xs": [30.0] * ROUNDS}
    found = leads(run_of(times), compare(run_of(times)).rows)
    assert [(lead.block, lead.fastest[0].contestant) for lead in found] == [
        ("lock held", "python/a"),
        ("no lock", "perl/xs"),
    ]


def test_what_is_not_ranked_leads_nothing() -> None:
    run = changed(run_of(steady(a=50.0, b=60.0)), "python/a", lambda record: replace(record, failure="lied"))
    assert names(lead_of(run)) == ["b"]


def test_each_case_and_each_point_of_a_sweep_has_its_own() -> None:
    other = {"c": [20.0] * ROUNDS, "python/a": [70.0] * ROUNDS, "python/b": [60.0] * ROUNDS}
    run = run_of(steady(a=50.0, b=60.0), cases={"other": other})
    found = leads(run, compare(run).rows)
    assert [(lead.case, lead.fastest[0].contestant) for lead in found] == [("send", "python/a"), ("other", "python/b")]
    along: dict[str, Along] = {name: {1: [ns] * 6, 2: [ns] * 6} for name, ns in (("c", 5.0), ("python/a", 9.0))}
    swept = swept_run({"send": along})
    assert [lead.case for lead in leads(swept, compare(swept).rows)] == ["send threads=1", "send threads=2"]
