"""The progress line says how far a run is, and for how long it may go on."""

from __future__ import annotations

from support.runs import run_of

from ffibench.cli._measure import progress_line
from ffibench.harness.run import Progress
from ffibench.results.compare import compare


def progress(rounds: int, *, wide: int, seconds_left: float) -> Progress:
    run = run_of({"c": [20.0] * rounds})
    return Progress(run=run, comparison=compare(run), rounds_max=60, wide=wide, rows=17, seconds_left=seconds_left)


def test_intervals_that_are_wider_than_asked_are_counted() -> None:
    line = progress_line(progress(3, wide=2, seconds_left=41.26))
    assert line == "Round 3 of at most 60: 2 of 17 intervals wider than asked, at most 41.3 s left"


def test_all_intervals_may_be_narrow_before_the_fewest_rounds_are_done() -> None:
    line = progress_line(progress(7, wide=0, seconds_left=9.0))
    assert line == "Round 7 of at most 60: all narrow enough, at most 9.00 s left"
