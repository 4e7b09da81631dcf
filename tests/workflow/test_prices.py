"""The promise: what `explain` adds up is measured in one way, in short slices, and beside C."""

from __future__ import annotations

from pathlib import Path

from support.contestants import contestant, plan_of
from support.expressed import HEADER

from ffibench.catalog import Folder, find_experiment
from ffibench.model import Call, PlannedWorker
from ffibench.plan.make import plan_work
from ffibench.plan.options import PlanOptions
from ffibench.workflow.prepare import prepare
from ffibench.workflow.prices import by_processor_time_beside_c, short


def test_what_is_priced_is_processor_time_and_has_as_many_processes_of_c_as_of_others() -> None:
    names = ("c", "control", "python/a", "python/b", "python/lock")
    workers = [PlannedWorker(contestant=contestant(name), role="worker", command=("work", name)) for name in names]
    plan = by_processor_time_beside_c(plan_of(*workers, baseline_every=2))
    assert [case.clock for case in plan.cases] == ["cpu"]
    assert plan.repeated == {workers[0].key: 4}


def planned_iterations(folder: Folder) -> list[int]:
    return [planned.iterations for point in plan_work(folder, PlanOptions()).points for _, planned in point.cases]


def test_slices_of_written_loops_have_ten_thousand_iterations_at_the_most() -> None:
    folder = find_experiment("xsub")
    assert planned_iterations(folder) == [50_000]
    assert planned_iterations(short(folder)) == [10_000]


def test_slices_of_call_expressions_have_ten_thousand_iterations_at_the_most(library: Path) -> None:
    calls = [
        Call(expression="same_i32(5)", iterations=50_000),
        Call(expression="same_i32(6)", iterations=500),
        Call(expression="same_i32(7)"),
    ]
    prepared = prepare(str(HEADER), PlanOptions(calls=calls, library=str(library), contestants=("c",)))
    long, few, chosen = planned_iterations(prepared.folder)
    assert (long, few) == (50_000, 500)
    assert planned_iterations(short(prepared.folder)) == [10_000, 500, min(chosen, 10_000)]


def test_iterations_that_follow_from_parameters_stay() -> None:
    folder = find_experiment("fanout")
    assert planned_iterations(short(folder)) == planned_iterations(folder)
    assert max(planned_iterations(folder)) > 10_000
