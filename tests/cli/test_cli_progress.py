"""What is being done, on a terminal: a spinner, the live view of the rounds, and what went wrong above them."""

from __future__ import annotations

import pytest
from support.runs import run_of
from support.terminal import Screen, console_on

from ffibench.cli._progress import Waiting, progress, progress_line, warning_line
from ffibench.errors import FfibenchError
from ffibench.model import Progress
from ffibench.results.compare import compare
from ffibench.workflow.steps import BuildFailed, Building, Counting, Measuring, NotKept, OneRun, RoundDone, Searching


def after(rounds: int) -> Progress:
    run = run_of({"c": [20.0] * rounds, "python/a": [50.0] * rounds})
    return Progress(
        run=run,
        comparison=compare(run),
        rounds_max=60,
        rows=1,
        wide=1,
        widest=None,
        seconds=float(rounds),
        seconds_left=9.0,
    )


@pytest.mark.parametrize(
    ("step", "line"),
    [
        (Building(done=0, wanted=3), "Building bindings, which are kept: 0 of 3"),
        (
            Building(done=2, wanted=3, latest="python/capi", failed=True),
            "Building bindings, which are kept: 2 of 3, python/capi failed",
        ),
        (Counting(done=2, contestants=18), "Counting native calls: 2 of 18 contestants"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_step_that_takes_time_is_a_line(step: Waiting, line: str) -> None:
    assert progress_line(step) == line


def test_the_spinner_goes_before_the_rounds_begin() -> None:
    """Its thread would redraw it while they are timed."""
    screen = Screen(100, 30)
    with progress(console_on(screen)) as observe:
        observe(Searching())
        observe(Measuring(title="xsub: small messages", rounds_max=60))
        written = len(screen.written)
        assert screen.shown == [
            "xsub: small messages",
            "Round 1 of at most 60: every contestant once, in random order",
        ]
        observe(RoundDone(progress=after(3)))
        assert len(screen.written) == written + 1
        assert screen.shown[-2].startswith("Round 3 of at most 60")
    assert screen.shown == []


def test_each_of_several_runs_has_a_view_of_its_own() -> None:
    screen = Screen(100, 30)
    with progress(console_on(screen)) as observe:
        for number, title in ((1, "steady spins"), (2, "")):
            step = OneRun(number=number, runs=2, title=title)
            observe(step)
            heading = screen.shown[0]
            assert screen.shown[1] == "Round 1: every contestant once, in random order"
            observe(OneRun(number=number, runs=2, title=title, progress=after(2)))
            assert screen.shown[0] == heading == ("Run 1 of 2, steady spins" if title else "Run 2 of 2")
            assert "python/a" in "".join(screen.shown)
    assert screen.shown == []


def test_what_went_wrong_stays_when_the_view_is_gone() -> None:
    screen = Screen(100, 30)
    with progress(console_on(screen)) as observe:
        observe(Measuring(title="xsub", rounds_max=60))
        observe(NotKept(reason="No space left on device"))
    assert " ".join(screen.shown).startswith("Warning: the run is not kept: No space left on device; use ")


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
