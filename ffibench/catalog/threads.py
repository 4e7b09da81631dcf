"""The parameter `threads` of generated loops: several threads of each process do them at once.

It is there where it is given: an experiment with it has neither pinned processes nor loops that somebody wrote.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec.structs import replace

from ffibench.catalog.calls import provisional_cases
from ffibench.catalog.folders import Folder
from ffibench.model import Case, Contestant, Parameter, Receipt, Value

THREADS = "threads"
"""The parameter: how many threads of a process call at the same time."""
THREADS_MAX = 256
LONGER = 4
"""A slice of several threads is so many times as long: its gate and the runtime's switches are a part of it."""


def with_threads(folder: Folder) -> Folder:
    """Return the experiment with the parameter `threads` and the calls of everybody.

    Contestants with a file of their own have one thread, so that they and the cases that only they run are left out.
    One that has such a parameter itself, or no generated loop, stays as it is.
    """
    experiment = folder.experiment
    calls = tuple(each for each in experiment.calls if not each.only)
    if not calls or any(each.name == THREADS for each in experiment.parameters):
        return folder

    def cases(values: Mapping[str, Value]) -> tuple[Case, ...]:
        return tuple(
            replace(each, fixed=True, parameters=(*(each.parameters or ()), THREADS))
            for each in provisional_cases(calls, values)
        )

    threads = Parameter(
        name=THREADS, default=1, help="how many threads of a process call at the same time", check=_check
    )
    return replace(
        folder,
        experiment=replace(
            experiment,
            calls=calls,
            cases=cases,
            parameters=(*experiment.parameters, threads),
            threads=2,
            placement=lambda _: "threads run on any processor, where the scheduler places them",
            around="its threads are woken, and each says what it did",
        ),
        sources=(),
        own=tuple(each for each in folder.own if each.loop is None),
        threaded=True,
    )


def threaded_case(case: Case, threads: int, capable: Collection[str]) -> Case:
    """Return an answered case as that of so many threads, of the languages whose loops can have some."""

    def receipt(iterations: int) -> Receipt:
        return {**case.receipt(iterations // threads), THREADS: threads}

    def cannot(contestant: Contestant) -> str | None:
        if contestant.language not in capable:
            return f"its loop in {contestant.language} has one thread"
        return None if case.cannot is None else case.cannot(contestant)

    return replace(case, iterations=case.iterations * LONGER * threads, receipt=receipt, cannot=cannot)


def _check(value: Value) -> str | None:
    return None if 1 <= int(value) <= THREADS_MAX else f"a process has 1 to {THREADS_MAX} threads"
