"""The promise: a plan says all that a run will do, from the experiment, the mode and the user's options alone."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from support.contestants import LIBRARY, candidate, contestant

from ffibench.catalog.folders import Folder
from ffibench.errors import FfibenchError
from ffibench.host.interpreters import interpreter_builds
from ffibench.languages import languages
from ffibench.model import (
    Case,
    Effort,
    Experiment,
    InterpreterBuild,
    LibraryFile,
    Mode,
    Parameter,
    Plan,
    Receipt,
    Role,
    Unavailable,
    Value,
)
from ffibench.model.runtime import Runtime
from ffibench.paths import PACKAGE
from ffibench.plan.make import make_plan
from ffibench.plan.options import EFFORTS, WIDE, PlanOptions, widened
from ffibench.plan.parameters import CONTRACT_WORDS, read_parameters


def cases(values: Mapping[str, Value]) -> tuple[Case, ...]:
    def receipt(iterations: int) -> Receipt:
        return {"sends": iterations, "bytes": iterations * int(values["size"])}

    return (
        Case(name="send", operation=f"send of {values['size']} bytes", iterations=50_000, receipt=receipt),
        Case(
            name="receive", operation="receive", iterations=10, receipt=receipt, group="data", bytes=int(values["size"])
        ),
    )


def check_size(size: Value) -> str | None:
    return "a size is at least 1" if int(size) < 1 else None


EXPERIMENT = Experiment(
    title="work that is made up",
    header="work.h",
    functions=("work",),
    library=LibraryFile(path="libwork.so"),
    cases=cases,
    parameters=(
        Parameter(name="size", default=5, help="bytes", check=check_size),
        Parameter(name="share", default=0.5, help="of the whole"),
        Parameter(name="message", default="ohhai", help="what to say"),
    ),
    roles=(Role(name="sender"),),
    transport="ipc",
)
RUNTIME = Runtime(
    language="python", label="CPython 3.11.7", version="3.11.7", executable=sys.executable, identity="", context={}
)


def plan_for(experiment: Experiment = EXPERIMENT, unavailable: tuple[Unavailable, ...] = (), **options: Any) -> Plan:  # noqa: ANN401
    folder = Folder(
        name="work", path=Path("/somewhere"), experiment=experiment, header=Path("/somewhere/work.h"), sources=()
    )
    chosen = [
        (candidate("c"), Path("/cache/c")),
        (candidate("python/a~nogil"), Path("/cache/a b.so")),
        (candidate("python/b"), None),
    ]
    return make_plan(folder, chosen, unavailable, LIBRARY, PlanOptions(**options))


class TestEffort:
    @pytest.mark.parametrize("mode", ["quick", "default", "rigorous"])
    def test_a_mode_is_an_effort(self, mode: Mode) -> None:
        plan, effort = plan_for(mode=mode), EFFORTS[mode]
        assert plan.mode == mode
        assert (plan.rounds_min, plan.rounds_max, plan.seconds_max, plan.precision, plan.slices, plan.warmup) == (
            effort.rounds_min,
            effort.rounds_max,
            effort.seconds_max,
            effort.precision,
            effort.slices,
            effort.warmup,
        )

    def test_an_experiment_may_have_efforts_of_its_own(self) -> None:
        long = Effort(rounds_min=20, rounds_max=40, seconds_max=100.0, precision=0.05)
        experiment = replace(EXPERIMENT, efforts={"default": long})
        own, quick = plan_for(experiment), plan_for(experiment, mode="quick")
        assert (own.rounds_min, own.rounds_max, own.seconds_max, own.precision) == (20, 40, 100.0, 0.05)
        assert quick.rounds_min == EFFORTS["quick"].rounds_min
        case = own.cases[0].name
        some = plan_for(experiment, cases=(case,))
        assert (some.rounds_min, some.seconds_max) == (EFFORTS["default"].rounds_min, EFFORTS["default"].seconds_max)

    def test_efforts_are_as_promised(self) -> None:
        assert [EFFORTS[mode].rounds_min for mode in ("quick", "default", "rigorous")] == [6, 11, 30]
        assert EFFORTS["quick"].seconds_max < 15
        assert EFFORTS["default"].seconds_max < 60
        assert (EFFORTS["default"].rounds_max, EFFORTS["default"].precision) == (60, 0.02)

    def test_all_languages_together_take_longer(self, monkeypatch: pytest.MonkeyPatch) -> None:
        effort = EFFORTS["default"]
        assert widened(effort, ["python"] * 40) == effort
        monkeypatch.setattr(languages()["perl"], "asked", True, raising=False)
        assert widened(effort, ["perl"] * WIDE) == effort
        wide = widened(effort, ["perl"] * (WIDE + 1))
        assert (wide.rounds_min, wide.slices) == (15, 2)
        assert wide.seconds_max < 5 * 60 / 2  # the first rounds may take twice as long

    @pytest.mark.parametrize("mode", ["quick", "default", "rigorous"])
    def test_rounds_that_were_asked_for_are_all_that_counts(self, mode: Mode) -> None:
        plan = plan_for(mode=mode, rounds=3)
        assert (plan.rounds_min, plan.rounds_max, plan.seconds_max) == (3, 3, None)

    def test_wishes_go_before_the_mode(self) -> None:
        plan = plan_for(slices=7, warmup=0, precision=0.5, worker_seconds_max=1.5, seed=0)
        assert (plan.slices, plan.warmup, plan.precision, plan.worker_seconds_max, plan.seed) == (7, 0, 0.5, 1.5, 0)

    def test_a_language_that_compiles_meanwhile_warms_up_for_longer(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(languages()["python"], "warmup", 20, raising=False)
        for asked, own in ((None, 20), (3, None)):  # the user's own wish is for all
            plan = plan_for(warmup=asked)
            workers = {worker.contestant.name: worker for worker in plan.workers}
            assert (workers["c"].warmup, workers["python/b"].warmup) == (None, own)
            slices = [plan.warmup_of(workers[name]) for name in ("c", "python/b")]
            assert slices == [workers[name].arguments["warmup"] for name in ("c", "python/b")]
            assert slices == ([1, 20] if asked is None else [3, 3])

    def test_a_seed_is_drawn_where_none_is_given(self) -> None:
        assert len({plan_for().seed for _ in range(20)}) > 1

    def test_all_cases_get_the_iterations_that_were_asked_for(self) -> None:
        assert [case.iterations for case in plan_for().cases] == [50_000, 10]
        assert [case.iterations for case in plan_for(iterations=77).cases] == [77, 77]

    def test_the_time_limit_grows_with_the_work(self) -> None:
        """No binding that one can think of takes 20 us for a call."""
        limits = [plan_for(iterations=iterations).worker_seconds_max for iterations in (1, 1000, 10**9)]
        assert limits == sorted(limits)
        assert limits[0] >= 30
        assert limits[2] >= 2 * 10**9 * 7 * 20e-6

    @pytest.mark.parametrize(("threads", "pinned"), [(1, True), (2, False)])
    def test_one_thread_is_pinned(self, threads: int, pinned: bool) -> None:
        assert plan_for(replace(EXPERIMENT, threads=threads)).pinned is pinned


class TestWork:
    def test_the_oracle_is_asked_for_the_iterations_of_this_run(self) -> None:
        (send, receive) = plan_for(iterations=100, parameters={"size": "7"}).cases
        assert send.receipt == {"sends": 100, "bytes": 700}
        assert (send.operation, receive.operation) == ("send of 7 bytes", "receive")

    def test_workers_are_told_all_of_it(self) -> None:
        plan = plan_for(slices=2, parameters={"message": "a=b c"})
        (c, a, b) = plan.workers
        kit = str(PACKAGE / "worker" / "__main__.py")
        told = {
            "experiment": "work",
            "role": "sender",
            "cases": "send:50000,receive:10",
            "slices": 2,
            "warmup": 1,
            "peers": 0,
            "verbose": 0,
            "library": LIBRARY.path,
            "size": 5,
            "share": 0.5,
            "message": "a=b c",
        }
        assert [worker.arguments for worker in plan.workers] == [
            {"binding": binding, **told} for binding in ("c", "a~nogil", "b")
        ]
        assert c.command == ("/cache/c",)
        python = (sys.executable, "-I", "-B", kit, "source=/somewhere/python.py")
        assert a.command == (*python, "shim=/cache/a b.so")
        assert b.command == python
        assert {worker.role for worker in plan.workers} == {"sender"}

    def test_every_worker_has_a_key_of_its_own(self) -> None:
        keys = [worker.key for worker in plan_for().workers]
        assert keys == ["c [gcc 12.2.0]", "python/a~nogil [CPython 3.11.7]", "python/b [CPython 3.11.7]"]

    def test_who_is_absent_stays_in_the_plan(self) -> None:
        unavailable = (Unavailable(contestant=contestant("python/x"), reason="it does not build"),)
        assert plan_for(unavailable=unavailable).unavailable == unavailable

    def test_how_interpreters_were_built_is_known_once_for_each_that_tells(self) -> None:
        assert plan_for().interpreters == ()
        told = {"debug": "", "pgo": "no", "lto": ""}
        python = replace(RUNTIME, context=told)
        other = replace(RUNTIME, label="CPython 3.13.0 debug", context={"debug": "yes", "pgo": "yes", "lto": "yes"})
        assert interpreter_builds([RUNTIME, python, other, python]) == (
            InterpreterBuild(name="CPython 3.11.7", debug=False, pgo=False, lto=None),
            InterpreterBuild(name="CPython 3.13.0 debug", debug=True, pgo=True, lto=True),
        )

    def test_what_is_under_test_and_where_it_is_talked_to(self) -> None:
        plan = plan_for()
        assert (plan.experiment, plan.title, plan.library, plan.transport) == (
            "work",
            "work that is made up",
            LIBRARY,
            "ipc",
        )

    def test_a_case_s_name_can_be_told_from_the_next(self) -> None:
        def cases(values: Mapping[str, Value]) -> tuple[Case, ...]:
            return (Case(name="a,b", operation="", iterations=1, receipt=lambda n: {"n": n}),)

        with pytest.raises(FfibenchError, match="a case 'a,b'; give it a name without a comma"):
            plan_for(replace(EXPERIMENT, cases=cases))


class TestSettings:
    @staticmethod
    def told(**given: str) -> str:
        with pytest.raises(FfibenchError) as error:
            read_parameters(EXPERIMENT, "work", given)
        return str(error.value)

    def test_defaults(self) -> None:
        assert read_parameters(EXPERIMENT, "work", {}).values == {"size": 5, "share": 0.5, "message": "ohhai"}

    def test_values_have_the_type_of_the_default(self) -> None:
        given = {"size": "64", "share": "0.25", "message": "5"}
        assert read_parameters(EXPERIMENT, "work", given).values == {"size": 64, "share": 0.25, "message": "5"}

    @pytest.mark.parametrize(("text", "value"), [("10k", 10_000), ("1e3", 1000), ("1_000", 1000), ("007", 7)])
    def test_whole_numbers_are_written_as_counts_are(self, text: str, value: int) -> None:
        assert read_parameters(EXPERIMENT, "work", {"size": text}).values["size"] == value

    @pytest.mark.parametrize(
        ("given", "words"),
        [
            ({"size": "five"}, "--set size=five: 'five' is not a whole number; use a whole number, such as 5"),
            ({"size": "5.5"}, "--set size=5.5: '5.5' is not a whole number; use a whole number, such as 5"),
            ({"size": ""}, "--set size=: '' is not a whole number; use a whole number, such as 5"),
            ({"share": "half"}, "--set share=half: 'half' is not a number; use a number, such as 0.5"),
            ({"share": "nan"}, "--set share=nan: 'nan' is not a number; use a number, such as 0.5"),
            ({"share": "inf"}, "--set share=inf: 'inf' is not a number; use a number, such as 0.5"),
            ({"size": "0"}, "--set size: a size is at least 1; leave it out to use the default, 5"),
        ],
    )
    def test_a_value_that_does_not_serve(self, given: dict[str, str], words: str) -> None:
        assert self.told(**given) == words

    def test_a_name_that_the_experiment_has_not(self) -> None:
        told = self.told(massage="hi")
        assert told.startswith("the experiment work has no parameter 'massage'")
        assert "message" in told
        assert "size, share, message" in told

    def test_an_experiment_without_settings_says_so(self) -> None:
        with pytest.raises(FfibenchError, match=r"has no parameter 'size'; leave it out: there are no parameters$"):
            read_parameters(replace(EXPERIMENT, parameters=()), "work", {"size": "5"})

    @pytest.mark.parametrize("word", sorted(CONTRACT_WORDS))
    def test_no_setting_takes_a_word_of_the_contract(self, word: str) -> None:
        parameter = Parameter(name=word, default=1, help="")
        with pytest.raises(FfibenchError, match=f"calls a parameter {word}, a word of the worker contract; rename it"):
            read_parameters(replace(EXPERIMENT, parameters=(parameter,)), "work", {})


@pytest.mark.parametrize(
    ("roles", "fixed", "told"), [(1, False, "call"), (1, True, "import"), (2, False, "import"), (2, True, "import")]
)
def test_workers_are_asked_for_a_first_call_where_one_operation_can_be_done_alone(
    roles: int, fixed: bool, told: str
) -> None:
    names = ("sender", "receiver")[:roles]

    def fitting(values: Mapping[str, Value]) -> tuple[Case, ...]:
        both = [replace(case, fixed=fixed) for case in cases(values)]
        return tuple(replace(case, role=name if roles > 1 else "") for case, name in zip(both, names * 2, strict=False))

    experiment = replace(EXPERIMENT, cases=fitting, roles=tuple(Role(name=name) for name in names))
    assert {worker.arguments["costs"] for worker in plan_for(experiment, costs=True).workers} == {told}
    assert all("costs" not in worker.arguments for worker in plan_for(experiment).workers)


def test_a_case_keeps_its_group_and_its_bytes_at_every_point() -> None:
    plan = plan_for(sweep=("size", "5,50"))
    assert [(case.group, case.bytes) for case in plan.cases] == [("", 0), ("data", 5), ("", 0), ("data", 50)]
