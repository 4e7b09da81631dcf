"""Two experiments with little to do, one of two roles and one that is swept, and their plans."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ffibench.catalog.folders import Folder
from ffibench.model import (
    Case,
    Contestant,
    Experiment,
    Figure,
    LibraryFile,
    Parameter,
    Plan,
    PlannedWorker,
    Receipt,
    Role,
    Unavailable,
    Value,
)
from ffibench.plan.make import make_plan
from ffibench.plan.options import PlanOptions
from support.contestants import LIBRARY, candidate, contestant

ABSENT = (Unavailable(contestant=contestant("python/x"), reason="it does not build"),)


def receipt(iterations: int) -> Receipt:
    return {"done": iterations}


def roles(values: Mapping[str, Value]) -> tuple[Case, ...]:
    count = int(values["matches"])
    return (
        Case(
            name="publish", role="publisher", operation="an update", iterations=10 * count, receipt=receipt, fixed=True
        ),
        Case(
            name="receive",
            role="subscriber",
            operation="a match",
            iterations=count,
            receipt=receipt,
            fixed=True,
            clock="cpu",
            figures=(Figure(name="wall", heading="end to end"),),
        ),
    )


WEATHER = Experiment(
    title="two roles",
    header="work.h",
    functions=("work",),
    library=LibraryFile(path="libwork.so"),
    cases=roles,
    parameters=(
        Parameter(name="matches", default=100, help="updates"),
        Parameter(name="word", default="a", help="what"),
    ),
    roles=(Role(name="publisher"), Role(name="subscriber", alone={"matches": 5_000})),
    threads=2,
)


def holds(who: Contestant) -> str | None:
    return "it holds the lock" if who.lock == "held" else None


def designs(values: Mapping[str, Value]) -> tuple[Case, ...]:
    count = 10 * int(values["threads"])
    return (
        Case(name="lock", operation="submit", iterations=count, receipt=receipt, only=("c",)),
        Case(name="open", operation="submit", iterations=count, receipt=receipt),
        Case(name="host", operation="submit", iterations=count, receipt=receipt, cannot=holds),
    )


FANOUT = Experiment(
    title="threads",
    header="work.h",
    functions=("work",),
    library=LibraryFile(path="libwork.so"),
    cases=designs,
    parameters=(
        Parameter(name="threads", default=1, sweep=(1, 2), help="producers"),
        Parameter(name="share", default=0.5, help="a share"),
    ),
    threads=2,
)


NAMES = ("c", "control", "python/a", "python/b~nogil")


def plan_for(experiment: Experiment, unavailable: tuple[Unavailable, ...] = (), **options: Any) -> Plan:  # noqa: ANN401
    folder = Folder(name="work", path=Path("/x"), experiment=experiment, header=Path("/x/work.h"), sources=())
    chosen = [(candidate(name), Path(f"/cache/{name}")) for name in NAMES]
    return make_plan(folder, chosen, unavailable, LIBRARY, PlanOptions(**options))


def started(worker: PlannedWorker) -> str:
    return str(worker.arguments["binding"])
