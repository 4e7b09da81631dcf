"""From an experiment, its contestants and the user's wishes to a plan: all that a run does, before it does it."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from ffibench.catalog.candidates import Candidate
from ffibench.catalog.folders import Folder
from ffibench.errors import FfibenchError
from ffibench.host.interpreters import interpreter_builds
from ffibench.model import Absent, Case, LibraryIdentity, Plan, PlannedCase, PlannedWorker, Value
from ffibench.plan.parameters import Settings, read_settings
from ffibench.plan.roles import Casting, Point, casting, check_cases, lineup, meant_for

Mode = Literal["quick", "default", "rigorous"]

# A worker is ended when it takes as long as the slowest binding that one can think of would not.
WORKER_SECONDS = 30.0
WORKER_SECONDS_AN_ITERATION = 20e-6


class Effort(Struct, frozen=True, kw_only=True):
    """How much is measured: what `--quick` and `--rigorous` stand for."""

    rounds_min: int
    rounds_max: int
    seconds_max: float
    precision: float
    slices: int = 3
    warmup: int = 1


# Eight rows need 11 rounds to be told apart. The seconds leave room for set-up and the audit within 15 and 60.
EFFORTS: Mapping[Mode, Effort] = {
    "quick": Effort(rounds_min=6, rounds_max=10, seconds_max=11.0, precision=0.05),
    "default": Effort(rounds_min=11, rounds_max=60, seconds_max=55.0, precision=0.02),
    "rigorous": Effort(rounds_min=30, rounds_max=500, seconds_max=600.0, precision=0.01),
}


class Wishes(Struct, frozen=True, kw_only=True):
    """What the user asked for; None leaves it to the mode or to the experiment."""

    mode: Mode = "default"
    iterations: int | None = None
    rounds: int | None = None
    slices: int | None = None
    warmup: int | None = None
    precision: float | None = None
    seed: int | None = None
    settings: Mapping[str, str] = {}
    sweep: tuple[str, str] | None = None
    """The parameter of `--sweep` with its values, as the user wrote them."""
    vary: str | None = None
    """The role of `--vary`."""
    players: Mapping[str, str] = {}
    """Role to the contestant that plays it for everybody."""
    patterns: Sequence[str] = ()
    """Of the contestants that have rows; all where there are none."""
    worker_seconds_max: float | None = None
    audited: bool = True
    verbose: bool = False


class Work(Struct, frozen=True, kw_only=True):
    """What is done, by whomever: all of a plan that needs neither contestants nor a library."""

    cast: Casting
    settings: Settings
    slices: int
    warmup: int
    points: tuple[Point, ...]


def work_of(folder: Folder, wishes: Wishes) -> Work:
    """Return what a run does. Raises FfibenchError for whatever of the wishes does not fit the experiment."""
    experiment = folder.experiment
    effort = EFFORTS[wishes.mode]
    cast = casting(experiment, folder.name, wishes.vary, wishes.players)
    several = len(experiment.roles) > 1
    alone = next((role for role in experiment.roles if several and cast.varied == (role.name,)), None)
    settings = read_settings(experiment, folder.name, wishes.settings, wishes.sweep, alone.alone if alone else {})
    slices = (wishes.slices, alone.slices if alone else None, experiment.slices)
    return Work(
        cast=cast,
        settings=settings,
        slices=next((each for each in slices if each is not None), effort.slices),
        warmup=effort.warmup if wishes.warmup is None else wishes.warmup,
        points=tuple(
            Point(
                where=where,
                cases=tuple(_cases(folder, {**settings.values, **where}, where, wishes, cast)),
                arguments={**settings.values, **where},
            )
            for where in settings.points()
        ),
    )


def make_plan(
    folder: Folder,
    chosen: Sequence[tuple[Candidate, Path | None]],
    absent: Sequence[Absent],
    library: LibraryIdentity,
    wishes: Wishes,
) -> Plan:
    """Return the plan of a run. `chosen` are the contestants with their built or rendered shims.

    Raises FfibenchError as `work_of` does, and for a player of a role that is not among the chosen.
    """
    experiment = folder.experiment
    effort = EFFORTS[wishes.mode]
    work = work_of(folder, wishes)
    cast, slices, warmup = work.cast, work.slices, work.warmup
    told: dict[str, Value] = {
        "experiment": folder.name,
        "slices": slices,
        "warmup": warmup,
        "peers": 0,
        "verbose": int(wishes.verbose),
        "library": library.path,
    }
    points = [replace(point, arguments={**told, **point.arguments}) for point in work.points]
    workers = lineup(experiment, chosen, cast, points, wishes.patterns)
    cases = tuple(planned for point in points for _, planned in point.cases)
    return Plan(
        experiment=folder.name,
        title=experiment.title,
        cases=cases,
        parameters=work.settings.shown(),
        workers=tuple(_plainly(worker, cases) for worker in workers),
        absent=tuple(meant_for(each, points, cast) for each in absent if cast.varied),
        library=library,
        slices=slices,
        warmup=warmup,
        mode=wishes.mode,
        rounds_min=wishes.rounds or effort.rounds_min,
        rounds_max=wishes.rounds or effort.rounds_max,
        seconds_max=None if wishes.rounds else effort.seconds_max,
        precision=wishes.precision or effort.precision,
        seed=secrets.randbits(32) if wishes.seed is None else wishes.seed,
        worker_seconds_max=wishes.worker_seconds_max or _worker_seconds(points, slices, warmup),
        transport=experiment.transport,
        pinned=experiment.threads == 1,
        audited=wishes.audited,
        interpreters=interpreter_builds(each.runtime for each, _ in chosen if each.runtime is not None),
        verbose=wishes.verbose,
    )


def _cases(
    folder: Folder, values: Mapping[str, Value], where: Mapping[str, Value], wishes: Wishes, cast: Casting
) -> Iterator[tuple[Case, PlannedCase]]:
    """Yield the cases at one point, each with what is planned of it."""
    cases = folder.experiment.cases(values)
    check_cases(folder.experiment, folder.name, cases)
    for case in cases:
        if case.fixed and wishes.iterations is not None:
            names = ", ".join(setting.name for setting in folder.experiment.settings)
            raise FfibenchError(
                f"--iterations: those of {folder.name} follow from its parameters; --set changes these: {names}"
            )
        iterations = wishes.iterations or case.iterations
        mark = " ".join(f"{name}={value}" for name, value in where.items())
        yield (
            case,
            PlannedCase(
                name=f"{case.name} {mark}" if mark else case.name,
                operation=case.operation,
                iterations=iterations,
                receipt=case.receipt(iterations),
                accepts=case.accepts,
                told=case.name if mark else "",
                clock=case.clock,
                figures=case.figures,
                series=case.series or case.name if mark else "",
                point=dict(where),
                decides=not case.role or case.role == next(iter(cast.varied), case.role),
            ),
        )


def _plainly(worker: PlannedWorker, cases: Sequence[PlannedCase]) -> PlannedWorker:
    """The worker without a list of its cases, where it runs all."""
    return replace(worker, cases=None) if worker.cases == tuple(case.name for case in cases) else worker


def _worker_seconds(points: Sequence[Point], slices: int, warmup: int) -> float:
    most = max(sum(planned.iterations for _, planned in point.cases) for point in points)
    return WORKER_SECONDS + most * (2 * slices + warmup) * WORKER_SECONDS_AN_ITERATION
