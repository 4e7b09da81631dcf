"""The promise: each point of a sweep has cases and processes of its own, decided in the plan."""

from __future__ import annotations

from typing import Any

import pytest
from support.role_plans import ABSENT, FANOUT, NAMES, WEATHER, plan_for

from ffibench.errors import FfibenchError


class TestSweep:
    def test_each_point_has_cases_and_processes_of_its_own(self) -> None:
        plan = plan_for(FANOUT)
        assert [case.name for case in plan.cases] == [
            f"{name} threads={threads}" for threads in (1, 2) for name in ("lock", "open", "host")
        ]
        assert [case.iterations for case in plan.cases] == [10] * 3 + [20] * 3
        assert [(case.worker_name, case.series, case.point) for case in plan.cases[:2]] == [
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
        assert held.cannot == {"host": "it holds the lock"}
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
