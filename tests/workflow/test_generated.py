"""Calls of a header become an experiment, or are refused with the call, the function, and what works instead."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace
from support.expressed import HEADER

from ffibench.builds.project import build
from ffibench.builds.sources import sources_project
from ffibench.calls.answers import Answers, read_answers
from ffibench.errors import FfibenchError
from ffibench.loops import oracle
from ffibench.loops.cases import iterations_for
from ffibench.model import Call, LibrarySources
from ffibench.plan.make import make_plan
from ffibench.plan.options import PlanOptions
from ffibench.workflow.prepare import Prepared, prepare

Measured = Callable[..., Prepared]


@pytest.fixture
def measured(library: Path) -> Measured:
    """Prepare calls of shapes.h for the baseline alone."""

    def make(*calls: str | Call, **options: object) -> Prepared:
        every = tuple(each if isinstance(each, Call) else Call(expression=each) for each in calls)
        usual: dict[str, object] = {"library": str(library), "contestants": ("c",)}
        return prepare(str(HEADER), PlanOptions(calls=every, **{**usual, **options}))  # type: ignore[arg-type]

    return make


def told(make: Callable[[], object]) -> FfibenchError:
    with pytest.raises(FfibenchError) as refused:
        make()
    assert refused.value.fix
    return refused.value


def test_a_function_that_answers_differently_each_time_wants_a_sequence(measured: Measured) -> None:
    error = told(lambda: measured("ever_more()"))
    assert "'ever_more()' answers differently each time: ever_more was 1, then 2" in error.reason
    assert error.fix == "make it a sequence that begins and ends alike, 'f(x); g(x)', or add --unchecked"


def test_one_that_differs_between_processes_is_found_too(measured: Measured) -> None:
    assert re.search(r"drawn was \d+, then \d+", told(lambda: measured("drawn()")).reason)


def test_unchecked_it_runs_and_its_row_says_so(measured: Measured) -> None:
    prepared = measured(Call(expression="ever_more()", checked=False))
    (case,) = prepared.folder.experiment.cases({})
    assert case.name == "ever_more() (unchecked)"
    assert case.operation == "ever_more(), whose answers are not compared with those of C"
    assert case.receipt(7) == {"operations": 7}


def test_a_call_that_ends_c_is_named(measured: Measured) -> None:
    error = told(lambda: measured("same_i32(5)", "crashes(1)", "same_i32(6)"))
    assert error.reason == "'crashes(1)' ends C itself by SIGSEGV"
    assert error.fix == "look at its arguments and set-up"


def test_a_call_that_never_ends_is_named(measured: Measured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oracle, "SECONDS_MAX", 1)
    assert told(lambda: measured("same_i32(5)", "sleeps()")).reason == "'sleeps()' does not end in C within 1 seconds"


def test_a_set_up_that_fails_is_named(measured: Measured) -> None:
    failing = Call(expression="same_i32(5)", setup=("divide(1, 0, out(q), out(r)) == 0",))
    error = told(lambda: measured(failing))
    assert error.reason.startswith("'same_i32(5)' ends with status 1: ")
    assert "in the set-up another answer was expected of: divide" in error.reason


def test_two_calls_that_are_the_same_want_names(measured: Measured) -> None:
    assert "two cases 'same_i32(5)'" in told(lambda: measured("same_i32(5)", "same_i32(5)")).reason


def test_a_function_that_the_library_lacks_is_named_with_header_and_library(
    measured: Measured, tmp_path: Path, library: Path
) -> None:
    shutil.copy(HEADER, tmp_path / "more.h")
    with (tmp_path / "more.h").open("a") as file:
        file.write("int not_there(int number);\n")
    error = told(
        lambda: prepare(
            str(tmp_path / "more.h"),
            PlanOptions(calls=(Call(expression="not_there(1)"),), library=str(library), contestants=("c",)),
        )
    )
    assert error.reason == f"{library} does not export `not_there`, which more.h declares"


def test_a_header_wants_calls_and_a_library(library: Path) -> None:
    assert "no calls of" in told(lambda: prepare(str(HEADER), PlanOptions(library=str(library)))).reason
    calls = (Call(expression="same_i32(5)"),)
    assert "no library of" in told(lambda: prepare(str(HEADER), PlanOptions(calls=calls))).reason
    assert "no header /nowhere/foo.h" in told(lambda: prepare("/nowhere/foo.h", PlanOptions(calls=calls))).reason
    assert "the compiler finds none of that name" in told(lambda: prepare("nowhere.h", PlanOptions(calls=calls))).reason


def test_an_experiment_has_calls_of_its_own() -> None:
    error = told(lambda: prepare("xsub", PlanOptions(calls=(Call(expression="f()"),))))
    assert "--call is for a header, and xsub is an experiment" in error.reason


def test_a_header_is_found_by_the_name_that_the_compiler_knows(measured: Measured) -> None:
    options = PlanOptions(calls=(Call(expression="fabs(-2.5)"),), library="libm.so.6", contestants=("c",))
    prepared = prepare("math.h", options)
    assert prepared.folder.header.name == "math.h"
    (case,) = prepared.folder.experiment.cases({})
    assert case.accepts[0].calls == {"fabs": 1}


def test_a_place_without_a_value_is_refused(measured: Measured) -> None:
    error = told(lambda: measured("sum_of(bytes({size}), {size})"))
    assert error.reason == "the calls have a place {size} and no value for it"
    assert "--set size=1024" in (error.fix or "")


def test_each_point_of_a_sweep_has_its_own_loop(measured: Measured) -> None:
    prepared = measured("sum_of(bytes({size}), {size})", parameters={"size": 3})
    (case,) = prepared.folder.experiment.cases({"size": 3})
    assert (case.key, case.bytes, case.operation) == ("sum_of_1_size_3", 3, "sum_of(bytes({size}), {size})")


def test_without_the_audit_generated_loops_are_not_run(measured: Measured) -> None:
    prepared = measured("same_i32(5)")
    options = PlanOptions(audit=False)
    error = told(lambda: make_plan(prepared.folder, prepared.chosen, (), prepared.library, options))
    assert "the loops of shapes are generated" in error.reason
    assert error.fix == "leave out --no-audit"


def test_iterations_do_not_change_between_runs(measured: Measured, monkeypatch: pytest.MonkeyPatch) -> None:
    first = measured("same_i32(41)").folder.experiment.cases({})[0].iterations

    def slow(outputs: Sequence[str], texts: Mapping[str, str]) -> dict[str, Answers]:
        """Answer as a machine does that does something else meanwhile."""
        return {key: replace(each, ns=each.ns * 1_000 + 1e6) for key, each in read_answers(outputs, texts).items()}

    monkeypatch.setattr(oracle, "read_answers", slow)
    assert measured("same_i32(41)").folder.experiment.cases({})[0].iterations == first
    assert measured("same_i32(43)").folder.experiment.cases({})[0].iterations < first


def test_iterations_are_round_and_fill_two_milliseconds() -> None:
    assert [iterations_for(ns) for ns in (0, 1, 200, 1_800, 10_000, 1e6, 1e9)] == [
        10_000,
        5_000,
        5_000,
        1_000,
        100,
        1,
        1,
    ]


def test_what_frees_a_text_is_counted(measured: Measured) -> None:
    prepared = measured("owned_of(3)", "owned_of(-1)", kinds={"owned_of.return": "owned:owned_free"})
    given, nothing = prepared.folder.experiment.cases({})
    assert given.accepts[0].calls == {"owned_free": 1, "owned_of": 1}
    assert nothing.accepts[0].calls == {"owned_free": 0, "owned_of": 1}


def test_a_library_that_prints_is_named(tmp_path: Path) -> None:
    (tmp_path / "loud.h").write_text("int loud(int number);\n")
    (tmp_path / "loud.c").write_text(
        '#include <stdio.h>\n#include "loud.h"\nint loud(int n) { puts("hello"); return n; }\n'
    )
    library = build(sources_project(LibrarySources(sources=("loud.c",)), tmp_path))
    options = PlanOptions(calls=(Call(expression="loud(1)"),), library=str(library), contestants=("c",))
    error = told(lambda: prepare(str(tmp_path / "loud.h"), options))
    assert error.reason == "a call of loud(1) prints on standard output, where workers report: 'hello'"
