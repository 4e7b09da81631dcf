"""The promise: equal rows that differ significantly are counted, and so many are allowed as chance brings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from scipy import stats as oracle
from support.contestants import contestant, plan_of
from support.runs import run_of

from ffibench.model import BASELINE, CONTROL, PlannedWorker, Run, Value
from ffibench.results.compare import compare
from ffibench.selftest.aa import COPIES, SLOWER, Repeat, aa_plan, repeat_of
from ffibench.selftest.summing import Summary, Tally, covered, most_by_chance, summary

ROUNDS = 30


def run_like(times: Mapping[str, float], noise: float = 0.01, seed: int = 1) -> Run:
    """A run of all entries at 100 ns with a little noise, times the factors given."""
    random = Random(seed)
    return run_of(
        {
            name: [100 * times.get(name, 1.0) * (1 + noise * random.random()) for _ in range(ROUNDS)]
            for name in (BASELINE, CONTROL, *COPIES, *SLOWER)
        }
    )


def found(times: Mapping[str, float], **options: Any) -> Repeat:  # noqa: ANN401
    run = run_like(times, **options)
    return repeat_of(run, compare(run))


def summed(repeats: Sequence[Repeat], *, interrupted: bool = False) -> Summary:
    return summary(repeats, asked=40, seed=1, started="", tool="", interrupted=interrupted)


def tallies(repeats: Sequence[Repeat]) -> dict[str, Tally]:
    return {tally.what: tally for tally in summed(repeats).tallies}


# One run


def test_equal_rows_are_not_told_apart_and_slower_ones_are() -> None:
    factors = {name: 1 + share for name, share in SLOWER.items()}
    one = found(factors, noise=0.0001)
    assert (one.control_apart, one.copies_apart, one.invalid) == (False, False, None)
    assert one.seen == dict.fromkeys(SLOWER, True)
    assert one.slow_down == {name: pytest.approx(share, abs=1e-4) for name, share in SLOWER.items()}
    assert one.rounds == ROUNDS
    assert set(one.ratios) == {CONTROL, *COPIES, *SLOWER}


def test_a_control_or_a_copy_that_differs_is_told_apart() -> None:
    assert found({CONTROL: 1.05}).control_apart
    assert not found({CONTROL: 1.05}).copies_apart
    assert found({COPIES[2]: 1.05}).copies_apart
    assert not found({COPIES[2]: 1.05}).control_apart


def test_what_noise_hides_is_not_seen() -> None:
    assert found({}, noise=0.5).seen == dict.fromkeys(SLOWER, False)


def test_a_slower_row_is_seen_where_it_differs_from_every_copy() -> None:
    alike = {"c/slower-5": 1.05, COPIES[0]: 1.05}
    assert not found(alike).seen["c/slower-5"]
    assert found({"c/slower-5": 1.05}).seen["c/slower-5"]


def test_a_row_that_is_not_valid_is_told() -> None:
    run = run_like({})
    rows = [
        replace(row, valid=False, reason="It crashed.", ratio=None, tie=None) if row.contestant == COPIES[0] else row
        for row in compare(run).rows
    ]
    one = repeat_of(run, replace(compare(run), rows=tuple(rows)))
    assert one.invalid == f"{COPIES[0]}: It crashed."
    assert COPIES[0] not in one.ratios
    assert one.slow_down == {}
    assert tallies([one])["runs with a row that is not valid"].verdict == "contradicted"


# The plan


def test_the_entries_are_one_program_that_is_told_how_much_more_it_does() -> None:
    told: dict[str, Value] = {"extra": 0, "message": "ohhai"}
    workers = [
        PlannedWorker(contestant=contestant(name), role="sender", command=("program",), arguments=told)
        for name in (BASELINE, CONTROL)
    ]
    plan = aa_plan(plan_of(*workers), 99)
    assert {worker.contestant.name: worker.arguments for worker in plan.workers} == {
        **dict.fromkeys((BASELINE, CONTROL, *COPIES), told),
        "c/slower-1": {**told, "extra": 10},
        "c/slower-2": {**told, "extra": 20},
        "c/slower-5": {**told, "extra": 50},
    }
    assert {worker.command for worker in plan.workers} == {("program",)}
    assert plan.seed == 99
    with pytest.raises(ValueError, match="is made of c and control"):
        aa_plan(plan_of(workers[0]), 1)
    with pytest.raises(ValueError, match="is not told how many sends to do more"):
        aa_plan(plan_of(*(replace(each, arguments={}) for each in workers)), 1)


# Many runs


@pytest.mark.parametrize(("runs", "most"), [(40, 5), (1, 1), (2, 1), (100, 10)])
def test_how_many_may_be_told_apart(runs: int, most: int) -> None:
    assert most_by_chance(runs, 0.05, 0.02) == most


@settings(deadline=None)
@given(trials=st.integers(1, 300), probability=st.floats(0.01, 0.99), level=st.floats(0.001, 0.5))
def test_the_count_is_scipys(trials: int, probability: float, level: float) -> None:
    most = most_by_chance(trials, probability, level)
    assert oracle.binom.sf(most, trials, probability) <= level + 1e-9
    assert most == 0 or oracle.binom.sf(most - 1, trials, probability) > level - 1e-9


@pytest.mark.parametrize(("trials", "probability", "level"), [(0, 0.05, 0.02), (40, 0.0, 0.02), (40, 0.05, 1.0)])
def test_what_says_nothing_is_refused(trials: int, probability: float, level: float) -> None:
    with pytest.raises(ValueError, match="says nothing"):
        most_by_chance(trials, probability, level)


@pytest.mark.parametrize(
    ("apart", "verdict"), [(0, "as known"), (5, "as known"), (6, "contradicted"), (40, "contradicted")]
)
@pytest.mark.parametrize("what", ["control", "copies"])
def test_more_than_chance_brings_is_a_contradiction(apart: int, verdict: str, what: str) -> None:
    good = found({})
    bad = replace(good, **{f"{what}_apart": True})
    name = {
        "control": "c and control differ significantly",
        "copies": "any of three copies differ significantly",
    }[what]
    told = tallies([good] * (40 - apart) + [bad] * apart)
    assert (told[name].count, told[name].of, told[name].most, told[name].verdict) == (apart, 40, 5, verdict)
    assert sum(tally.verdict == "contradicted" for tally in told.values()) == (verdict == "contradicted")


def test_intervals_that_miss_the_mean_are_a_contradiction() -> None:
    """As if each were printed a tenth as wide as it is."""
    repeats = [found({}, seed=seed) for seed in range(40)]
    narrow = [
        replace(
            each,
            ratios={
                name: (ratio, ratio * (low / ratio) ** 0.1, ratio * (high / ratio) ** 0.1)
                for name, (ratio, low, high) in each.ratios.items()
            },
        )
        for each in repeats
    ]
    name = "intervals that hold the mean of all runs"
    assert tallies(repeats)[name].verdict == "as known"
    assert tallies(repeats)[name].of == 40 * 7
    assert tallies(narrow)[name].verdict == "contradicted"
    assert covered(repeats)[0] > covered(narrow)[0]


def test_the_spread_is_that_of_the_runs() -> None:
    repeats = [found(dict.fromkeys(COPIES, 1 + share), noise=0) for share in (0.0, 0.02)]
    # The standard deviation of 1.00 and 1.02 is 0.0141, their mean 1.01.
    assert summed(repeats).spread_ratio == pytest.approx(0.0141 / 1.01, rel=0.01)
    assert summed(repeats).spread_ns == pytest.approx(0, abs=1e-9)
    assert summed(repeats[:1]).spread_ratio is None


def test_what_can_be_seen_is_counted_and_nothing_is_promised_of_it() -> None:
    seen = found({"c/slower-5": 1.05})
    told = tallies([seen, found({})])
    assert (told["5 % slower, seen"].count, told["5 % slower, seen"].verdict) == (1, None)
    assert told["1 % slower, seen"].count == 0


def test_an_interrupt_before_the_first_run_leaves_nothing_to_tell() -> None:
    empty = summed([], interrupted=True)
    assert (empty.tallies, empty.spread_ratio, empty.slow_down) == ((), None, {})
