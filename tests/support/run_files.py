"""Run files for tests: a plain run, one with everything in it that a run can have, and one with a value changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from ffibench.model import LibraryIdentity, Run, Unavailable
from ffibench.results.compare import compare
from ffibench.results.store import document, save
from support.runs import run_of, watched

RUN = run_of({"c": [20.0] * 6, "control": [20.0] * 6, "python/a": [50.0] * 6}, audited=False)
DOCUMENT = document(RUN, compare(RUN))
WATCHED = msgspec.json.encode(watched(RUN))


def save_compared(run: Run, path: Path) -> None:
    """Save a run as a command does, with what follows from it."""
    save(run, compare(run), path)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def full() -> Run:
    """A run with everything in it that a run can have."""
    workers = RUN.plan.workers
    record = replace(
        RUN.rounds[0].records[0],
        failure="hung",
        unsupported={"send": "no structs"},
        libraries=(LibraryIdentity(path="/a b/lib\N{SNOWMAN}.so", sha256="0" * 64),),
        usage=None,
    )
    return replace(
        RUN,
        plan=replace(
            RUN.plan,
            unavailable=(Unavailable(contestant=workers[2].contestant, reason="no"),),
            parameters={"a": 1, "b": 0.5, "c": "x"},
            rounds_max=7,
        ),
        rounds=(*RUN.rounds, replace(RUN.rounds[0], number=7, records=(record,))),
    )


def document_with(place: tuple[str | int, ...], value: object) -> bytes:
    """The run file with one value changed."""
    document: Any = msgspec.json.decode(WATCHED)
    inner = document
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    return msgspec.json.encode(document)
