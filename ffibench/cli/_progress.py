"""Progress on standard error, drawn on a terminal alone: a spinner for most steps, the live view for the rounds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console

from ffibench.report.terminal.live import LiveView
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

Waiting = Searching | Building | CheckingHost | Counting
"""The steps that have a spinner. Its thread redraws it, which the rounds do not allow: they are timed."""


@contextmanager
def progress(errors: Console) -> Iterator[Observer]:
    """Yield an observer that shows the steps until the body ends, and prints what went wrong."""
    drawn = _Drawn(errors)
    try:
        yield drawn.observe
    finally:
        drawn.close()


class _Drawn:
    """What stands on the terminal: the spinner or the live view, never both."""

    def __init__(self, errors: Console) -> None:
        self._errors = errors
        self._spinner = errors.status("Starting", refresh_per_second=REFRESH_PER_SECOND)
        self._spinner.start()
        self._view: LiveView | None = None

    def observe(self, step: Step) -> None:
        """Show a step."""
        match step:
            case BuildFailed() | NotKept():
                self._close_view()
                self._errors.print(warning_line(step), soft_wrap=True)
            case Measuring(rounds_max=rounds_max, title=title):
                self._open_view(title, rounds_max)
            case OneRun(progress=None):
                self._open_view(title_of(step))
            case RoundDone(progress=so_far) | OneRun(progress=so_far):
                if self._view is not None and so_far is not None:
                    self._view.update(so_far)
            case _:
                self._close_view()
                self._spinner.start()
                self._spinner.update(progress_line(step))

    def close(self) -> None:
        """Erase what is drawn."""
        self._spinner.stop()
        self._close_view()

    def _open_view(self, title: str, rounds_max: int | None = None) -> None:
        self.close()
        self._view = LiveView(self._errors, title, rounds_max)
        self._view.open()

    def _close_view(self) -> None:
        if self._view is not None:
            self._view.close()
            self._view = None


def warning_line(step: BuildFailed | NotKept) -> str:
    """Return what went wrong, and what follows from it."""
    if isinstance(step, NotKept):
        return f"Warning: the run is not kept: {step.reason}; use --json FILE to write it to a place of your choice."
    verb = "take" if len(step.contestants) > 1 else "takes"
    names = ", ".join(step.contestants)
    return (
        f"Warning: {names} {verb} no part, since a build failed:\n{step.cause}\nCorrect it, then run `ffibench build`."
    )


def title_of(step: OneRun) -> str:
    """Return the title of one of several runs."""
    return f"Run {step.number} of {step.runs}{f', {step.title}' if step.title else ''}"


def progress_line(step: Waiting) -> str:
    """Return the line beside the spinner: what is being done, and how much of it is done."""
    match step:
        case Searching():
            return "Looking for what this machine has"
        case Building(done=done, wanted=wanted, latest=latest, failed=failed):
            built = f", {latest} {'failed' if failed else 'built'}" if latest else ""
            return f"Building bindings, which are kept: {done} of {wanted}{built}"
        case CheckingHost():
            return "Checking whether the host is quiet"
        case Counting(done=done, contestants=contestants):
            return f"Counting native calls: {done} of {contestants} contestants"
