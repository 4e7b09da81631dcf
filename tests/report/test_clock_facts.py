"""What is said of the clocks that the harness read."""

from __future__ import annotations

from msgspec.structs import replace
from support.compared import steady
from support.runs import changed, run_of

from ffibench.model import Clocks, Run, WorkerRecord
from ffibench.report.clock_facts import clock_facts
from ffibench.report.facts import Fact


def seen(outside_ns: int) -> Run:
    """A run in which python/a used so much outside its slices, and c nothing."""

    def change(record: WorkerRecord, more: int) -> WorkerRecord:
        used = sum(each.cpu_ns for each in record.slices) + more
        return replace(record, clocks=Clocks(wall_ns=used, cpu_ns=used, children_ns=0))

    run = changed(run_of(steady(c=20, a=50)), "python/a", lambda record: change(record, outside_ns))
    return changed(run, "c", lambda record: change(record, 0))


def test_the_most_that_a_process_did_outside() -> None:
    said = "at most 1.3 ms of processor time outside the slices, by python/a [CPython 3.11.7]"
    assert clock_facts(seen(1_250_001)) == [Fact("clocks", said)]


def test_what_is_declared_is_said_apart() -> None:
    run = seen(500_000)

    def change(record: WorkerRecord) -> WorkerRecord:
        return replace(record, slices=tuple(replace(each, around_ns=100_000) for each in record.slices))

    run = changed(replace(run, plan=replace(run.plan, around="a queue is made")), "python/a", change)
    assert clock_facts(run) == [
        Fact("clocks", "at most 0.0 ms of processor time outside the slices, by python/a [CPython 3.11.7]"),
        Fact("around", "a queue is made: at most 0.1 ms of processor time a slice"),
    ]


def test_a_run_without_such_clocks_says_nothing() -> None:
    assert clock_facts(run_of(steady(c=20, a=50))) == []
