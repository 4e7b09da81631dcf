"""The promise: who plays which role, and who runs which case, is decided in the plan."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from support.role_plans import ABSENT, FANOUT, NAMES, WEATHER, holds, plan_for, receipt, started

from ffibench.errors import FfibenchError
from ffibench.harness.rounds import order
from ffibench.model import (
    Case,
    Experiment,
)


class TestRoles:
    def test_every_contestant_plays_all_roles(self) -> None:
        plan = plan_for(WEATHER)
        assert [[worker.role for worker in team] for team in plan.teams()] == [["publisher", "subscriber"]] * 4
        assert [started(worker) for worker in plan.workers] == [
            "c",
            "c",
            "control",
            "control",
            *["a"] * 2,
            *["b~nogil"] * 2,
        ]
        assert not any(worker.supporting for worker in plan.workers)
        assert len({worker.key for worker in plan.workers}) == 8
        publisher, subscriber = plan.workers[:2]
        assert publisher.arguments["cases"] == "publish:1000"
        assert subscriber.arguments["cases"] == "receive:100"
        assert (publisher.cases, subscriber.cases) == (("publish",), ("receive",))

    def test_the_first_role_alone_decides_when_a_run_is_narrow_enough(self) -> None:
        assert [case.decides for case in plan_for(WEATHER).cases] == [True, False]
        assert [case.decides for case in plan_for(WEATHER, vary="subscriber").cases] == [False, True]

    @pytest.mark.parametrize("options", [{"vary": "publisher"}, {"roles": {"subscriber": "c"}}])
    def test_of_a_role_that_alone_is_varied_c_plays_the_others(self, options: dict[str, Any]) -> None:
        plan = plan_for(WEATHER, **options)
        assert [(started(a), started(b)) for a, b in plan.teams()] == [
            ("c", "c"),
            ("control", "c"),
            ("a", "c"),
            ("b~nogil", "c"),
        ]
        assert [case.name for case in plan.compared()] == ["publish"]
        assert [worker.contestant.name for worker in plan.rows_of(plan.cases[0])] == list(NAMES)
        assert len({worker.key for worker in plan.workers}) == 8

    @pytest.mark.parametrize("vary", ["both", "publisher", "subscriber"])
    def test_the_team_of_the_baseline_stands_beside_every_two_others(self, vary: str) -> None:
        plan = plan_for(WEATHER, vary=vary)
        baseline = plan.teams()[0]
        assert plan.repeated == {worker.key: 2 for worker in baseline}
        places = [number for number, team in enumerate(order(plan, 1)) if team == baseline]
        assert len(places) == 2
        assert len(order(plan, 1)) == 5

    def test_cases_that_only_some_run_have_a_baseline_beside_them_too(self) -> None:
        """A round is whole: each process of the baseline stands beside those that run its cases."""
        cases = (
            Case(name="all", operation="work", iterations=10, receipt=receipt),
            Case(name="some", operation="work", iterations=10, receipt=receipt, only=("python/*", "control")),
        )
        plan = plan_for(replace(FANOUT, cases=lambda _: cases, parameters=()))
        assert sorted(plan.repeated.values()) == [2, 2]
        teams = order(plan, 1)
        counts = {team[0].key: sum(other == team for other in teams) for team in teams}
        assert counts == {team[0].key: plan.repeated.get(team[0].key, 1) for team in plan.teams()}
        ran = [{case.name for case in plan.cases_of(worker)} for (worker,) in teams]
        baselines = [worker.contestant.name == "c" for (worker,) in teams]
        for number, own in enumerate(ran):
            near = range(max(0, number - 1), min(len(teams), number + 2))
            assert any(baselines[other] and ran[other] & own for other in near)

    def test_a_role_alone_has_defaults_of_its_own(self) -> None:
        assert plan_for(WEATHER, vary="subscriber").parameters["matches"] == 5_000
        assert plan_for(WEATHER, vary="publisher").parameters["matches"] == 100
        assert plan_for(WEATHER, vary="subscriber", parameters={"matches": "7"}).parameters["matches"] == 7
        assert plan_for(WEATHER, vary="both").parameters["matches"] == 100

    def test_a_role_may_be_played_by_anybody_for_all(self) -> None:
        plan = plan_for(WEATHER, roles={"subscriber": "python/a"}, contestants=("python/b*",))
        assert [(started(a), started(b)) for a, b in plan.teams()] == [("c", "a"), ("control", "a"), ("b~nogil", "a")]

    def test_a_pair_is_a_contestant_of_its_own(self) -> None:
        plan = plan_for(WEATHER, ABSENT, roles={"publisher": "c", "subscriber": "python/a"})
        assert [(started(a), started(b)) for a, b in plan.teams()] == [("c", "c"), ("control", "control"), ("c", "a")]
        assert {worker.contestant.name for worker in plan.teams()[2]} == {"c > python/a"}
        assert [case.name for case in plan.compared()] == ["publish", "receive"]
        assert plan.unavailable == ()

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ({"vary": "reader"}, "--vary reader: work has no such role; use one of publisher, subscriber, both"),
            (
                {"vary": "publisher", "roles": {"publisher": "c"}},
                "--vary publisher and --publisher c contradict each other; leave one out",
            ),
            (
                {"roles": {"publisher": "python/q"}},
                "--publisher python/q: there is no such contestant here (did you mean python/a or",
            ),
            (
                {"iterations": 5},
                "--iterations: those of work follow from its parameters; --set changes these: matches, word",
            ),
        ],
    )
    def test_mistakes_are_told(self, options: dict[str, Any], words: str) -> None:
        with pytest.raises(FfibenchError) as error:
            plan_for(WEATHER, **options)
        assert words in str(error.value)


def with_cases(experiment: Experiment, *names: str, **changes: Any) -> Experiment:  # noqa: ANN401
    """The experiment with other cases, `ROLE/NAME` each."""
    made = [
        Case(name=name.rpartition("/")[2], role=name.rpartition("/")[0], operation="it", iterations=1, receipt=receipt)
        for name in names
    ]
    return replace(experiment, cases=lambda _values: tuple(replace(case, **changes) for case in made))


class TestCases:
    """What would be run by nobody, or by one role and not the other, is a mistake in `experiment.py`, told as one."""

    @pytest.mark.parametrize(
        ("experiment", "words"),
        [
            (with_cases(FANOUT, "a", "a"), "the experiment work has two cases 'a'; give each a name of its own"),
            (with_cases(FANOUT, "a,b"), "has a case 'a,b'; give it a name without a comma"),
            (
                with_cases(FANOUT, "reader/a"),
                "has a case 'a' of a role 'reader', which it does not have; use one of worker",
            ),
            (
                with_cases(WEATHER, "publisher/a", "b", "subscriber/c"),
                "the roles of the experiment work do not have the same number of cases: publisher 2, subscriber 1",
            ),
            (with_cases(WEATHER, "a", "subscriber/b", only=("c",)), "the case 'a' of work says who can run it"),
            (with_cases(WEATHER, "a", "subscriber/b", cannot=holds), "the case 'a' of work says who can run it"),
        ],
    )
    def test_mistakes_are_told(self, experiment: Experiment, words: str) -> None:
        with pytest.raises(FfibenchError) as error:
            plan_for(experiment)
        assert words in str(error.value)

    def test_what_fits_is_planned(self) -> None:
        plan = plan_for(with_cases(WEATHER, "a", "publisher/b", "subscriber/c", "subscriber/d"))
        assert [worker.arguments["cases"] for worker in plan.workers[:2]] == ["a:1,b:1", "c:1,d:1"]


class TestSlices:
    def test_an_experiment_and_a_role_alone_may_have_fewer(self) -> None:
        assert plan_for(FANOUT).slices == 3
        assert plan_for(replace(FANOUT, slices=1)).slices == 1
        roles = (WEATHER.roles[0], replace(WEATHER.roles[1], slices=2))
        weather = replace(WEATHER, roles=roles)
        assert [plan_for(weather, vary=vary).slices for vary in ("both", "publisher", "subscriber")] == [3, 3, 2]
        assert plan_for(weather, vary="subscriber", slices=5).slices == 5


def test_an_experiment_of_one_role_has_none_to_vary() -> None:
    with pytest.raises(FfibenchError, match="--vary: the experiment work has one role"):
        plan_for(replace(FANOUT, parameters=FANOUT.parameters), vary="publisher")
