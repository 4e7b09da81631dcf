"""The promise: a round's figure is the median of its slices, and a row is whole or it is none."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace
from support.contestants import planned_case
from support.runs import changed, run_of

from ffibench.model import Figure, Run, Slice, SliceKind, WorkerRecord
from ffibench.stats import extra_figures, sample

KEY = "python/a [CPython 3.11.7]"
RUN = run_of({"c": [20.0, 21.0], "python/a": [50.0, 52.0]}, slices=3)


def figures(run: Run, case: str = "send") -> tuple[Sequence[float], Sequence[float]] | None:
    found = sample(run.rounds, KEY, planned_case(case))
    return None if found is None else (found.gross_ns, found.net_ns)


def with_slices(kind: SliceKind, walls: Sequence[int]) -> Run:
    def change(record: WorkerRecord) -> WorkerRecord:
        new = iter(walls)
        slices = [replace(each, wall_ns=next(new)) if each.kind == kind else each for each in record.slices]
        return replace(record, slices=tuple(slices))

    return changed(RUN, "python/a", change, [2])


def test_a_figure_a_round() -> None:
    assert figures(RUN) == ((50.0, 52.0), (49.0, 51.0))


def test_it_is_the_median_of_the_timed_slices() -> None:
    assert figures(with_slices("timed", [99_000, 51_000, 53_000])) == ((50.0, 53.0), (49.0, 52.0))


def test_net_is_less_the_median_of_the_empty_loops() -> None:
    assert figures(with_slices("empty", [9_000, 3_000, 2_000])) == ((50.0, 52.0), (49.0, 49.0))


def test_warm_up_does_not_count() -> None:
    assert figures(with_slices("warmup", [900_000])) == figures(RUN)


def test_other_cases_do_not_count() -> None:
    times = {"c": [20.0], "python/a": [50.0]}
    run = run_of(times, cases={"receive": {"c": [20.0], "python/a": [90.0]}})
    assert figures(run) == ((50.0,), (49.0,))
    assert figures(run, "receive") == ((90.0,), (89.0,))
    assert figures(run, "peek") is None


@pytest.mark.parametrize("number", [1, 2])
def test_a_row_that_failed_in_a_round_or_lacks_it_is_none(number: int) -> None:
    assert figures(changed(RUN, "python/a", lambda record: None, [number])) is None
    assert figures(changed(RUN, "python/a", lambda record: replace(record, failure="hung"), [number])) is None
    assert figures(changed(RUN, "c", lambda record: replace(record, failure="hung"), [number])) == figures(RUN)


@pytest.mark.parametrize("kind", ["timed", "empty"])
def test_a_row_without_slices_of_a_kind_is_none(kind: SliceKind) -> None:
    def change(record: WorkerRecord) -> WorkerRecord:
        return replace(record, slices=tuple(each for each in record.slices if each.kind != kind))

    assert figures(changed(RUN, "python/a", change, [1])) is None


def test_without_rounds_there_is_none() -> None:
    assert figures(replace(RUN, rounds=())) is None


def test_a_clock_that_saw_no_time_pass_gives_no_figure() -> None:
    assert figures(with_slices("timed", [0, 0, 53_000])) is None


WALL, FIRST = Figure(name="wall", heading="end to end"), Figure(name="first_ns", heading="first match")


def process(*walls: int, first: int | None = None) -> WorkerRecord:
    """A process of a long warm-up, timed slices of so much wall time, and a short empty loop; its CPU time is half."""
    kinds: list[tuple[SliceKind, int]] = [("warmup", 900), *(("timed", wall) for wall in walls), ("empty", 1)]
    return WorkerRecord(
        key=KEY,
        slices=tuple(
            Slice(
                case="send",
                slice=number,
                kind=kind,
                wall_ns=wall,
                cpu_ns=wall // 2,
                figures={} if first is None else {"first_ns": first + number},
            )
            for number, (kind, wall) in enumerate(kinds)
        ),
    )


def further(*records: WorkerRecord) -> dict[str, float]:
    return extra_figures(records, replace(planned_case(), figures=(WALL, FIRST)))


def test_a_further_figure_is_the_median_over_processes_of_the_median_of_their_timed_slices() -> None:
    assert further(process(10, 20, 60), process(30, 40, 80), process(70, 100, 100)) == {"wall": 40}
    assert further(process(10, 20, 60, first=4), process(30, 40, 80, first=8)) == {"wall": 30, "first_ns": 8}


def test_a_further_figure_that_one_slice_lacks_is_left_out() -> None:
    whole = process(10, 20, 60, first=4)
    *others, last = whole.slices[:-1]
    lacking = replace(whole, slices=(*others, replace(last, figures={})))
    assert further(whole, lacking) == {"wall": 20}
    assert further(whole, replace(whole, slices=())) == {}
    assert further() == {}
