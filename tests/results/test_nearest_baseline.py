"""The promise: where a round has several processes of the baseline, each row is paired with the one that ran beside it.

The machine of these runs has two speeds, of which a process and its neighbour see the same.
"""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace
from support.contestants import planned_case
from support.runs import run_of, slices, usage

from ffibench.model import Run, WorkerRecord
from ffibench.results.compare import compare
from ffibench.results.consistency import contradictions
from ffibench.results.control import control_gaps
from ffibench.results.times import times_ns
from ffibench.stats import measured

ROUNDS = 12
TRUE_NS = {"c": 20.0, "control": 20.0, "python/a": 60.0, "python/b": 63.0}
ORDER = ("control", "c", "python/a", "python/b", "c")
"""Each of the others stands beside a process of the baseline, and has another one further away."""


def two_speeds(**true_ns: float) -> Run:
    """A run in which the machine takes twice as long at random times: never between two neighbours of the order."""
    times = {**TRUE_NS, **true_ns}
    run = run_of({name: [ns] * ROUNDS for name, ns in times.items()}, baseline_every=2, audited=False)
    keys = {worker.contestant.name: worker.key for worker in run.plan.workers}
    drawn = random.Random("two speeds")

    def record(name: str, slow: float, number: int) -> WorkerRecord:
        first = next(each for each in run.rounds[0].records if each.key == keys[name])
        noise = drawn.uniform(0.999, 1.001)
        own = slices("send", times[name] * slow * noise, run.plan.slices)
        return replace(first, slices=tuple(own), usage=usage(number))

    rounds = []
    for number, each in enumerate(run.rounds):
        early, late = drawn.choice((1.0, 2.0)), drawn.choice((1.0, 2.0))
        speeds = (early, early, early, late, late)
        records = tuple(
            record(name, slow, 10 * number + place)
            for place, (name, slow) in enumerate(zip(ORDER, speeds, strict=True))
        )
        rounds.append(replace(each, records=records))
    return replace(run, rounds=tuple(rounds))


def key(run: Run, name: str) -> str:
    return next(worker.key for worker in run.plan.workers if worker.contestant.name == name)


def test_a_ratio_does_not_know_of_the_speeds() -> None:
    rows = {row.contestant: row for row in compare(two_speeds()).rows}
    for name, ratio in (("c", 1.0), ("control", 1.0), ("python/a", 3.0), ("python/b", 3.15)):
        row = rows[name]
        assert row.ratio == pytest.approx(ratio, rel=0.003)
        assert row.ratio_low is not None
        assert row.ratio_high is not None
        assert row.ratio_high / row.ratio_low < 1.005
    assert rows["python/a"].rounds == ROUNDS


def test_with_one_baseline_for_all_it_would() -> None:
    run = two_speeds()
    once = [
        replace(each, records=tuple(record for place, record in enumerate(each.records) if place != 4))
        for each in run.rounds
    ]
    rows = compare(replace(run, plan=replace(run.plan, baseline_every=0), rounds=tuple(once))).rows
    widths = {row.contestant: (row.ratio_low or 0, row.ratio_high or 0) for row in rows}
    assert widths["python/b"][1] / widths["python/b"][0] > 1.5


def test_the_control_is_held_against_its_neighbour() -> None:
    """Three processes of the baseline away from it ran at another speed."""
    run = two_speeds()
    assert control_gaps(run, compare(run).rows) == ()
    slower = two_speeds(control=20.4)
    (gap,) = control_gaps(slower, compare(slower).rows)
    assert gap.ratio.ratio == pytest.approx(1.02, rel=0.003)


def test_a_figure_of_the_baseline_is_of_one_process_a_round_as_of_all_others() -> None:
    run = two_speeds()
    case = planned_case()
    found = measured(run.rounds)
    own = found.sample(key(run, "c"), case)
    assert own is not None
    firsts = [each.records[1].slices[1].wall_ns / case.iterations for each in run.rounds]
    assert list(own.gross_ns) == firsts
    assert found.beside(key(run, "c"), key(run, "c"), case) == own
    near = found.beside(key(run, "python/b"), key(run, "c"), case)
    assert near is not None
    assert list(near.gross_ns) == [each.records[4].slices[1].wall_ns / case.iterations for each in run.rounds]


def test_two_rows_are_paired_by_their_own_times() -> None:
    """The noise of C has no part in it."""
    run = two_speeds()
    times = times_ns(run, run.plan.cases)[("python/b", "CPython 3.11.7", "worker", "send")]
    assert {round(ns) for ns in times} == {63, 126}


@pytest.mark.parametrize(
    ("places", "words"),
    [
        ((0, 1, 2, 3), "1 record of c [gcc 12.2.0], and a round has 2 - at `$.rounds[3].records`"),
        ((0, 1, 2, 3, 4, 4), "A record number 3 of c [gcc 12.2.0] - at `$.rounds[3].records[5]`"),
        ((0, 1, 2, 3, 4, 2), "A second record of python/a [CPython 3.11.7] - at `$.rounds[3].records[5]`"),
    ],
)
def test_a_file_has_as_many_processes_as_its_plan(places: tuple[int, ...], words: str) -> None:
    run = two_speeds()
    assert list(contradictions(run)) == []
    wrong = replace(run.rounds[3], records=tuple(run.rounds[3].records[place] for place in places))
    assert words in list(contradictions(replace(run, rounds=(*run.rounds[:3], wrong, *run.rounds[4:]))))


def test_a_baseline_that_fails_once_has_failed() -> None:
    run = two_speeds()
    records = list(run.rounds[-1].records)
    records[4] = replace(records[4], failure="hung", slices=())
    ended = replace(run, rounds=(*run.rounds[:-1], replace(run.rounds[-1], records=tuple(records))))
    assert list(contradictions(replace(ended, ending="baseline failed"))) == []
    assert {row.reason for row in compare(ended).rows} == {"It hung.", "The baseline has no figures."}
