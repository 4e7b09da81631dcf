"""What a workflow reports while it runs: one value for each step, given to an observer.

An observer is called between the steps, never while a worker is timed.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from ffibench.errors import FfibenchError
from ffibench.model import Progress


class Searching(Struct, frozen=True):
    """The experiment, its library and its contestants are looked for."""


class Building(Struct, frozen=True, kw_only=True):
    """Bindings are built, those that the cache does not have."""

    done: int
    wanted: int
    latest: str = ""
    """The build that was finished last."""
    failed: bool = False
    """Whether that one failed."""


class BuildFailed(Struct, frozen=True, kw_only=True):
    """A build failed; it is reported once, whatever number of contestants needed it."""

    error: FfibenchError
    cause: str
    """All that the compiler said."""
    contestants: tuple[str, ...]
    """Those that cannot take part without it."""


class CheckingHost(Struct, frozen=True):
    """The host is looked at while nothing of ours runs."""


class Counting(Struct, frozen=True, kw_only=True):
    """Native calls are counted, one contestant after the other."""

    done: int
    contestants: int


class Measuring(Struct, frozen=True, kw_only=True):
    """The first round begins."""

    title: str
    """The experiment, and what it does."""
    rounds_max: int


class RoundDone(Struct, frozen=True, kw_only=True):
    """A round was finished; no worker runs."""

    progress: Progress


class NotKept(Struct, frozen=True, kw_only=True):
    """The run file could not be written; the run itself is whole."""

    reason: str


class OneRun(Struct, frozen=True, kw_only=True):
    """How far one of several runs is."""

    number: int
    runs: int
    title: str = ""
    progress: Progress | None = None
    """After a round; None before the first."""


Step = Searching | Building | BuildFailed | CheckingHost | Counting | Measuring | RoundDone | NotKept | OneRun
Observer = Callable[[Step], None]


def unobserved(step: Step) -> None:
    """Ignore a step: the observer of those who want none."""
