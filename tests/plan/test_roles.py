"""The promise: who plays which role, who runs which case, and what is swept, is decided in the plan."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from support.contestants import LIBRARY, candidate, contestant

from ffibench.catalog.folders import Folder
from ffibench.errors import FfibenchError
from ffibench.model import (
    Case,
    Contestant,
    Experiment,
    Figure,
    LibraryFile,
    Parameter,
    Plan,
    PlannedWorker,
    Receipt,
    Role,
    Unavailable,
    Value,
)
from ffibench.plan.make import make_plan
from ffibench.plan.options import PlanOptions

ABSENT = (Unavailable(contestant=contestant("python/x"), reason="it does not build"),)


def receipt(iterations: int) -> Receipt:
    return {"done": iterations}


def roles(values: Mapping[str, Value]) -> tuple[Case, ...]:
    count = int(values["matches"])
    return (
        Case(
            name="publish", role="publisher", operation="an update", iterations=10 * count, receipt=receipt, fixed=True
        ),
        Case(
            name="receive",
            role="subscriber",
            operation="a match",
            iterations=count,
            receipt=receipt,
            fixed=True,
            clock="cpu",
            figures=(Figure(name="wall", heading="end to end"),),
        ),
    )


WEATHER = Experiment(
    title="two roles",
    header="work.h",
    functions=("work",),
    library=LibraryFile(path="libwork.so"),
    cases=roles,
    parameters=(
        Parameter(name="matches", default=100, help="updates"),
        Parameter(name="word", default="a", help="what"),
    ),
    roles=(Role(name="publisher"), Role(name="subscriber", alone={"matches": 5_000})),
    threads=2,
)


def holds(who: Contestant) -> str | None:
    return "it holds the GIL" if who.lock == "held" else None


def designs(values: Mapping[str, Value]) -> tuple[Case, ...]:
    count = 10 * int(values["threads"])
    return (
        Case(name="lock", operation="submit", iterations=count, receipt=receipt, only=("c",)),
        Case(name="open", operation="submit", iterations=count, receipt=receipt),
        Case(name="host", operation="submit", iterations=count, receipt=receipt, cannot=holds),
    )


FANOUT = Experiment(
    title="threads",
    header="work.h",
    functions=("work",),
    library=LibraryFile(path="libwork.so"),
    cases=designs,
    parameters=(
        Parameter(name="threads", default=1, sweep=(1, 2), help="producers"),
        Parameter(name="share", default=0.5, help="a share"),
    ),
    threads=2,
)


NAMES = ("c", "control", "python/a", "python/b~nogil")


def plan_for(experiment: Experiment, unavailable: tuple[Unavailable, ...] = (), **options: Any) -> Plan:  # noqa: ANN401
    folder = Folder(name="work", path=Path("/x"), experiment=experiment, header=Path("/x/work.h"), sources=())
    chosen = [(candidate(name), Path(f"/cache/{name}")) for name in NAMES]
    return make_plan(folder, chosen, unavailable, LIBRARY, PlanOptions(**options))


def started(worker: PlannedWorker) -> str:
    return str(worker.arguments["binding"])


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
        assert not any(worker.beside for worker in plan.workers)
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


class TestSweep:
    def test_each_point_has_cases_and_processes_of_its_own(self) -> None:
        plan = plan_for(FANOUT)
        assert [case.name for case in plan.cases] == [
            f"{name} threads={threads}" for threads in (1, 2) for name in ("lock", "open", "host")
        ]
        assert [case.iterations for case in plan.cases] == [10] * 3 + [20] * 3
        assert [(case.word, case.series, case.point) for case in plan.cases[:2]] == [
            ("lock", "lock", {"threads": 1}),
            ("open", "open", {"threads": 1}),
        ]
        c = [worker for worker in plan.workers if worker.contestant.name == "c"]
        assert [worker.arguments["cases"] for worker in c] == [
            "lock:10",
            "open:10,host:10",
            "lock:20",
            "open:20,host:20",
        ]
        assert [worker.arguments["threads"] for worker in c] == [1, 1, 2, 2]
        assert [worker.key.removeprefix("c [gcc 12.2.0] ") for worker in c] == [
            f"threads={threads}{only}" for threads in (1, 2) for only in (" only c", "")
        ]
        assert plan.parameters == {"threads": "1,2", "share": 0.5}
        assert len(plan.teams()) == 10

    def test_what_only_some_run_is_in_a_process_of_its_own(self) -> None:
        """So that the rest is done alike by all, in processes that did nothing else before."""
        plan = plan_for(FANOUT, parameters={"threads": "1"})
        told = {worker.key.partition(" ")[0]: worker.arguments["cases"] for worker in plan.workers if not worker.label}
        assert told["c"] == told["control"] == told["python/b~nogil"] == "open:10,host:10"

    def test_a_case_takes_those_whom_it_names(self) -> None:
        plan = plan_for(FANOUT, ABSENT, parameters={"threads": "1"})
        lock, open_, _ = plan.cases
        assert [worker.contestant.name for worker in plan.rows_of(lock)] == ["c"]
        assert [worker.contestant.name for worker in plan.rows_of(open_)] == list(NAMES)
        assert plan.unavailable[0].cases == ("open", "host")

    def test_who_can_never_run_a_case_is_not_asked_to(self) -> None:
        (held,) = (w for w in plan_for(FANOUT, parameters={"threads": "1"}).workers if w.contestant.name == "python/a")
        assert held.cannot == {"host": "it holds the GIL"}
        assert held.arguments["cases"] == "open:10"
        assert held.cases == ("open", "host")

    def test_one_value_is_no_sweep(self) -> None:
        plan = plan_for(FANOUT, parameters={"threads": "3"})
        assert [(case.name, case.series, case.point) for case in plan.cases] == [
            (name, "", {}) for name in ("lock", "open", "host")
        ]

    @pytest.mark.parametrize("options", [{"parameters": {"share": "0.1,0.2"}}, {"sweep": ("share", "0.1,0.2")}])
    def test_another_number_may_be_swept_in_its_place(self, options: dict[str, Any]) -> None:
        plan = plan_for(FANOUT, **options)
        assert [case.point for case in plan.cases[::3]] == [{"share": 0.1}, {"share": 0.2}]
        assert plan.parameters == {"threads": 1, "share": "0.1,0.2"}

    def test_roles_are_swept_too(self) -> None:
        plan = plan_for(WEATHER, sweep=("matches", "10,20"))
        assert len(plan.teams()) == 8
        assert len({worker.key for worker in plan.workers}) == 16
        assert [worker.arguments["cases"] for worker in plan.workers[:2]] == ["publish:100", "receive:10"]

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            (
                {"sweep": ("thread", "1,2")},
                "has no parameter 'thread' (did you mean threads or share?); use one of threads, share",
            ),
            (
                {"sweep": ("threads", "1,x")},
                "--sweep threads=x: 'x' is not a whole number; use a whole number, such as 1",
            ),
            ({"sweep": ("threads", "1,1")}, "--sweep threads=1,1: a value is there twice; take one away"),
            ({"sweep": ("threads", ",".join(map(str, range(1, 70))))}, "69 values are more than 64"),
            ({"sweep": ("threads", "1,2"), "parameters": {"share": "0.1,0.2"}}, "one parameter can be swept at a time"),
        ],
    )
    def test_mistakes_are_told(self, options: dict[str, Any], words: str) -> None:
        with pytest.raises(FfibenchError) as error:
            plan_for(FANOUT, **options)
        assert words in str(error.value)

    def test_a_text_cannot_be_swept(self) -> None:
        with pytest.raises(FfibenchError, match=r"--sweep word: its value is not a number, .*; use one of matches"):
            plan_for(WEATHER, sweep=("word", "a,b"))
        assert plan_for(WEATHER, parameters={"word": "a,b"}).parameters["word"] == "a,b"


def test_an_experiment_of_one_role_has_none_to_vary() -> None:
    with pytest.raises(FfibenchError, match="--vary: the experiment work has one role"):
        plan_for(replace(FANOUT, parameters=FANOUT.parameters), vary="publisher")
