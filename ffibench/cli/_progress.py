"""The progress line: each step of a workflow as a line on standard error, drawn on a terminal alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console

from ffibench.harness.run import Progress
from ffibench.units import format_seconds
from ffibench.workflow.steps import (
    BuildFailed,
    Building,
    CheckingHost,
    Counting,
    Measuring,
    NotKept,
    Observer,
    OneRun,
    RoundDone,
    Searching,
    Step,
)

REFRESH_PER_SECOND = 4
"""Whatever is drawn while a worker runs is drawn on the worker's machine."""


@contextmanager
def progress(errors: Console) -> Iterator[Observer]:
    """Give an observer that shows the steps until the body ends, and prints what went wrong."""
    with errors.status("Starting", refresh_per_second=REFRESH_PER_SECOND) as status:

        def observe(step: Step) -> None:
            if isinstance(step, BuildFailed | NotKept):
                errors.print(warning_line(step), soft_wrap=True)
            else:
                status.update(progress_line(step))

        yield observe


def warning_line(step: BuildFailed | NotKept) -> str:
    """Say what went wrong, and what follows from it."""
    if isinstance(step, NotKept):
        return f"Warning: the run is not kept: {step.reason}; use --json FILE to write it to a place of your choice."
    verb = "take" if len(step.contestants) > 1 else "takes"
    names = ", ".join(step.contestants)
    return (
        f"Warning: {names} {verb} no part, since a build failed:\n{step.cause}\nCorrect it, then run `ffibench build`."
    )


def progress_line(step: Step) -> str:
    """Say in a line what is being done, and how far it is."""
    match step:
        case Searching():
            line = "Looking for what this machine has"
        case Building(done=done, wanted=wanted, latest=latest, failed=failed):
            built = f", {latest} {'failed' if failed else 'built'}" if latest else ""
            line = f"Building bindings, which are kept: {done} of {wanted}{built}"
        case CheckingHost():
            line = "Checking whether the host is quiet"
        case Counting(done=done, contestants=contestants):
            line = f"Counting native calls: {done} of {contestants} contestants"
        case Measuring(rounds_max=rounds_max):
            line = f"Round 1 of at most {rounds_max}"
        case RoundDone(progress=so_far):
            line = _rounds(so_far)
        case OneRun(number=number, runs=runs, title=title, progress=so_far):
            head = f"Run {number} of {runs}{f', {title}' if title else ''}"
            line = head if so_far is None else f"{head}. {_rounds(so_far)}"
        case BuildFailed() | NotKept():
            line = warning_line(step)
    return line


def _rounds(progress: Progress) -> str:
    """Rounds, how many intervals are not yet as narrow as asked, and the time left."""
    wide = f"{progress.wide} of {progress.rows} intervals wider than asked"
    if not progress.wide:
        wide = "all intervals narrow enough"
    left = f"at most {format_seconds(progress.seconds_left)} left"
    return f"Round {len(progress.run.rounds)} of at most {progress.rounds_max}: {wide}, {left}"
