"""The promise: plans that are carried out side by side meet the same host, and a contestant's processes at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

import pytest
from msgspec.structs import replace
from support.contestants import contestant, plan_of, scripted_plan

from ffibench.errors import FfibenchError
from ffibench.harness.beside import execute_beside, order_beside
from ffibench.harness.rounds import Team, order
from ffibench.model import Audit, Plan, PlannedWorker, Run


def planned(*names: str, **changes: object) -> Plan:
    workers = [PlannedWorker(contestant=contestant(name), role="worker", command=("work", name)) for name in names]
    return plan_of(*workers, **changes)


def drawn(plans: Sequence[Plan], number: int) -> list[tuple[str, int]]:
    return [(team[0].contestant.name, place) for team, place in order_beside(plans, number)]


WHOLE = planned("c", "control", "python/a", "python/b", baseline_every=1)
PARTS = planned("c", "control", "python/a", "python/b", "python/lock", baseline_every=1)


def names(teams: Iterable[Team]) -> list[str]:
    return [team[0].contestant.name for team in teams]


@pytest.mark.parametrize("number", range(1, 40))
def test_the_processes_of_a_contestant_follow_each_other(number: int) -> None:
    found = drawn((WHOLE, PARTS), number)
    together = [{place for _, place in group} for name, group in groupby(found, lambda each: each[0]) if name != "c"]
    assert sorted(map(sorted, together)) == [[0, 1], [0, 1], [0, 1], [1]]
    assert [name for name, place in found if place == 0] == names(order(WHOLE, number))
    assert Counter(name for name, place in found if place == 1) == Counter(names(order(PARTS, number)))


@pytest.mark.parametrize("count", [2, 3])
@pytest.mark.parametrize("number", range(1, 20))
def test_of_several_processes_each_stands_beside_its_own_of_the_other_plans(number: int, count: int) -> None:
    found = drawn([WHOLE] * count, number)
    groups = [found[first : first + count] for first in range(0, len(found), count)]
    assert [{name for name, _ in group} for group in groups] == [{name} for name in names(order(WHOLE, number))]
    assert all(sorted(place for _, place in group) == list(range(count)) for group in groups)


def test_of_fewer_processes_the_first_ones_have_company() -> None:
    once = planned("c", "control", "python/a", "python/b")
    found = drawn((WHOLE, once), 1)
    places = [{place for _, place in group} for name, group in groupby(found, lambda each: each[0]) if name == "c"]
    assert places == [{0, 1}, {0}, {0}]


def test_either_is_first_and_those_of_the_second_plan_alone_are_anywhere() -> None:
    rounds = [drawn((WHOLE, PARTS), number) for number in range(1, 200)]
    assert {each.index(("python/a", 0)) < each.index(("python/a", 1)) for each in rounds} == {True, False}
    places = {each.index(("python/lock", 1)) for each in rounds}
    assert {0, len(rounds[0]) - 1} <= places
    assert rounds[0] == drawn((WHOLE, PARTS), 1)  # it follows from the seed


def test_both_have_as_many_rounds_and_each_its_own_records(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    whole = scripted_plan(tmp_path, {"c": 27, "python/a": 50}, rounds_min=2, rounds_max=2)
    parts = scripted_plan(tmp_path / "parts", {"c": 3, "python/a": 20})
    seen: list[int] = []

    def observe(runs: Sequence[Run], seconds: float) -> None:
        assert seconds > 0
        seen.append(len(runs[0].rounds))

    failed = Audit(key=parts.workers[1].key, case="send", operations=1, verdict="invalid", reason="said so")
    runs = execute_beside((whole, parts), ((), (failed,)), observe=observe)
    assert seen == [1, 2]
    names = [[sorted(each.key.partition(" ")[0] for each in one.records) for one in run.rounds] for run in runs]
    assert names == [[["c", "python/a"]] * 2, [["c"]] * 2]  # what failed the count of its calls is not timed
    assert [run.ending for run in runs] == ["rounds", "rounds"]


def test_a_baseline_that_fails_ends_all(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    whole = scripted_plan(tmp_path, {"c": 27})
    parts = scripted_plan(tmp_path / "parts", {"c": {"gross": 3, "trouble": "exit@slice"}})
    with pytest.raises(FfibenchError, match="c, with which all is compared"):
        execute_beside((whole, replace(parts, seed=2)), ((), ()), observe=lambda runs, seconds: None)
