"""The progress line says what is being done, how far a run is, and for how long it may go on."""

from __future__ import annotations

import pytest
from support.runs import run_of

from ffibench.cli._progress import progress_line, warning_line
from ffibench.errors import FfibenchError
from ffibench.harness.run import Progress
from ffibench.results.compare import compare
from ffibench.workflow.steps import BuildFailed, Building, Counting, Measuring, NotKept, OneRun, Step


def after(rounds: int, *, wide: int, seconds_left: float) -> Progress:
    run = run_of({"c": [20.0] * rounds})
    return Progress(run=run, comparison=compare(run), rounds_max=60, wide=wide, rows=17, seconds_left=seconds_left)


FAR, NARROW = after(3, wide=2, seconds_left=41.26), after(7, wide=0, seconds_left=9.0)


@pytest.mark.parametrize(
    ("step", "line"),
    [
        (Building(done=0, wanted=3), "Building bindings, which are kept: 0 of 3"),
        (
            Building(done=2, wanted=3, latest="python/capi", failed=True),
            "Building bindings, which are kept: 2 of 3, python/capi failed",
        ),
        (Counting(done=2, contestants=18), "Counting native calls: 2 of 18 contestants"),
        (Measuring(rounds_max=60), "Round 1 of at most 60"),
        (OneRun(number=2, runs=3, title="steady spins"), "Run 2 of 3, steady spins"),
        (
            OneRun(number=2, runs=40, progress=FAR),
            "Run 2 of 40. Round 3 of at most 60: 2 of 17 intervals wider than asked, at most 41.3 s left",
        ),
        (
            OneRun(number=1, runs=1, progress=NARROW),
            "Run 1 of 1. Round 7 of at most 60: all intervals narrow enough, at most 9.00 s left",
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_step_is_a_line(step: Step, line: str) -> None:
    assert progress_line(step) == line


def test_a_failed_build_is_told_once_with_those_it_concerns() -> None:
    failed = BuildFailed(
        error=FfibenchError("the build of nanobind-core failed: nb.h:1: error: no header", "install it"),
        cause="nb.h:1: error: no header\n  1 | #include <nb>",
        contestants=("python/nanobind", "python/nanobind~nogil"),
    )
    assert warning_line(failed) == (
        "Warning: python/nanobind, python/nanobind~nogil take no part, since a build failed:\n"
        "nb.h:1: error: no header\n  1 | #include <nb>\nCorrect it, then run `ffibench build`."
    )


def test_a_run_that_cannot_be_kept_says_what_to_do() -> None:
    assert "use --json FILE" in warning_line(NotKept(reason="No space left on device"))
