"""Figures that cannot be are shown as invalid, and nothing is compared with them."""

from __future__ import annotations

from msgspec.structs import replace
from support.compared import ROUNDS, by_name, steady
from support.runs import changed, run_of, swept_run

from ffibench.model import Row, Run, WorkerRecord
from ffibench.results.compare import compare
from ffibench.results.validity import invalid_rows
from ffibench.workflow.result import Result


def row_of(run: Run, name: str) -> Row:
    return by_name(compare(run))[name]


def longer(kind: str, factor: float) -> Run:
    """A run in which the loops of one kind take so many times as long in python/a."""

    def change(record: WorkerRecord) -> WorkerRecord:
        slices = (
            replace(each, wall_ns=round(each.wall_ns * factor)) if each.kind == kind else each for each in record.slices
        )
        return replace(record, slices=tuple(slices))

    return changed(run_of(steady(c=20, control=20, a=50)), "python/a", change)


def test_an_empty_loop_that_takes_longer_than_the_loop() -> None:
    row = row_of(longer("empty", 60), "python/a")
    assert (row.valid, row.gross_ns, row.net_ns, row.ratio, row.tie) == (False, None, None, None, None)
    assert row.reason == "Its empty loop takes 10 ns per operation longer than its loop, of 50."
    assert invalid_rows([row]) == [row]


def test_as_long_as_the_loop_is_possible() -> None:
    row = row_of(longer("empty", 52), "python/a")
    assert row.valid
    assert row.net_ns == -2.0


def test_one_process_of_which_that_is_true_does_not_decide() -> None:
    def change(record: WorkerRecord) -> WorkerRecord:
        slices = (replace(each, wall_ns=90_000) if each.kind == "empty" else each for each in record.slices)
        return replace(record, slices=tuple(slices))

    run = changed(run_of(steady(c=20, a=50)), "python/a", change, rounds=[3])
    assert row_of(run, "python/a").valid


def test_with_too_few_rounds_for_an_interval_a_busy_machine_may_be_the_cause() -> None:
    run = longer("empty", 60)
    assert row_of(replace(run, rounds=run.rounds[:5]), "python/a").valid
    assert not row_of(replace(run, rounds=run.rounds[:6]), "python/a").valid


def test_threads_may_wait_longer_without_the_call() -> None:
    run = longer("empty", 60)
    assert row_of(replace(run, plan=replace(run.plan, pinned=False)), "python/a").valid


def test_less_than_a_cycle_of_a_processor() -> None:
    row = row_of(longer("timed", 0.002), "python/a")
    assert (row.valid, row.gross_ns) == (False, None)
    assert row.reason == "It reported 0.1 ns per operation, less than one cycle of a processor."


def test_several_processors_share_an_operation() -> None:
    """0.1 ns per operation, on eight processors."""
    run = swept_run({"edge": {"c": {1: [0.1] * ROUNDS}}}, processors=8, pinned=False)
    (row,) = compare(replace(run, rounds=tuple(run.rounds))).rows
    assert "cycle" not in (row.reason or "")
    (row,) = compare(replace(run, host=replace(run.host, processors=1))).rows
    assert row.reason == "It reported 0.1 ns per operation, less than one cycle of a processor."


def test_nothing_is_compared_with_a_baseline_that_cannot_be() -> None:
    rows = by_name(compare(run_of(steady(c=0.1, control=20, a=50))))
    assert rows["c"].reason == "It reported 0.1 ns per operation, less than one cycle of a processor."
    assert {rows[name].reason for name in ("control", "python/a")} == {"The baseline has no figures."}


def test_such_a_run_is_not_valid() -> None:
    run = longer("empty", 60)
    assert Result(run=run, comparison=compare(run)).valid is False
    run = longer("empty", 2)
    assert Result(run=run, comparison=compare(run)).valid
