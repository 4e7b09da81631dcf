"""The promise: `--case` chooses what is measured, by the names that a report shows, and nothing else is run."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from support.role_plans import ABSENT, FANOUT, WEATHER, plan_for

from ffibench.errors import FfibenchError

WORDS = replace(
    WEATHER,
    cases=lambda values: tuple(
        replace(case, name=f"{case.name} {end}") for end in ("a b", "b") for case in WEATHER.cases(values)
    ),
)


def test_a_glob_chooses_cases_and_the_processes_that_run_them() -> None:
    plan = plan_for(FANOUT, cases=("o*",), parameters={"threads": "1"})
    assert [case.name for case in plan.cases] == ["open"]
    assert [worker.arguments["cases"] for worker in plan.workers] == ["open:10"] * len(plan.workers)
    assert all(worker.cases is None for worker in plan.workers)


def test_a_name_is_that_of_all_points_of_a_sweep_or_of_one() -> None:
    assert [case.name for case in plan_for(FANOUT, cases=("lock",)).cases] == ["lock threads=1", "lock threads=2"]
    one = plan_for(FANOUT, cases=("host threads=2", "open threads=2"))
    assert [case.name for case in one.cases] == ["open threads=2", "host threads=2"]
    assert {worker.arguments["threads"] for worker in one.workers} == {2}


def test_who_runs_none_of_them_takes_no_part() -> None:
    plan = plan_for(FANOUT, ABSENT, cases=("lock",), parameters={"threads": "1"})
    assert {worker.contestant.name for worker in plan.workers} == {"c"}
    assert plan.unavailable == ()
    assert plan_for(FANOUT, ABSENT, cases=("open",), parameters={"threads": "1"}).unavailable[0].cases is None


def test_what_runs_beside_a_case_in_another_role_stays() -> None:
    plan = plan_for(WEATHER, cases=("receive",))
    assert [case.name for case in plan.cases] == ["publish", "receive"]
    more = replace(
        WEATHER,
        cases=lambda values: tuple(
            replace(case, name=f"{case.name} {number}") for number in (1, 2) for case in WEATHER.cases(values)
        ),
    )
    assert [case.name for case in plan_for(more, cases=("publish 2",)).cases] == ["publish 2", "receive 2"]


def test_a_name_may_be_cut_after_a_word() -> None:
    def names(pattern: str) -> list[str]:
        return [case.name for case in plan_for(WORDS, cases=(pattern,)).cases]

    assert names("publish") == ["publish a b", "receive a b"]
    assert names("publish a") == ["publish a b", "receive a b"]
    assert names("publish b") == ["publish b", "receive b"]
    with pytest.raises(FfibenchError, match="--case pub: "):
        names("pub")


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("lokc", r"--case lokc: work has no such case \(did you mean lock.*it has lock, lock threads=1, open"),
        ("lock threads=3", "--case lock threads=3: work has no such case"),
    ],
)
def test_a_name_that_is_none_is_told_with_those_that_are(pattern: str, words: str) -> None:
    with pytest.raises(FfibenchError, match=words):
        plan_for(FANOUT, cases=("open", pattern))
