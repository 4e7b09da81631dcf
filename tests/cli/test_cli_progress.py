"""The progress line says how far a run is, and for how long it may go on."""

from __future__ import annotations

from ffibench.harness.run import Progress
from ffibench.workflow.run import progress_line


def test_rows_that_are_too_wide_are_counted() -> None:
    progress = Progress(rounds=3, rounds_max=60, wide=2, rows=17, seconds_left=41.26)
    assert progress_line(progress) == "Round 3 of at most 60: 2 of 17 rows still too wide, at most 41.3 s left"


def test_all_rows_may_be_narrow_before_the_fewest_rounds_are_done() -> None:
    progress = Progress(rounds=7, rounds_max=60, wide=0, rows=17, seconds_left=9.0)
    assert progress_line(progress) == "Round 7 of at most 60: all rows narrow enough, at most 9.00 s left"
