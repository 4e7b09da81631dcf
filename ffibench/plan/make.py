"""From an experiment, its contestants and the user's options to a plan: everything that a run will do."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ffibench.catalog.candidates import Candidate
from ffibench.catalog.folders import Folder
from ffibench.errors import FfibenchError
from ffibench.host.interpreters import interpreter_builds
from ffibench.model import BASELINE, LibraryIdentity, Plan, PlannedCase, PlannedWorker, Unavailable, Value
from ffibench.plan.cases import COLD_ITERATIONS, cases_at, selected
from ffibench.plan.options import PlanOptions, effort_of, widened
from ffibench.plan.parameters import ParameterValues, read_parameters
from ffibench.plan.roles import Point, RoleAssignment, assign_roles, meant_for, plan_workers

# The time limit of a worker: longer than the slowest conceivable binding takes.
WORKER_SECONDS = 30.0
WORKER_SECONDS_AN_ITERATION = 20e-6

BASELINE_EVERY = 2
"""A host with other tenants changes its speed within milliseconds, so that a process of the baseline stands beside each
other. Next to it 62 % of the processes of `fanout` were within 10 % of their row's ratio, three to eight places away
45 % (docs/decisions.md)."""


class PlannedWork(Struct, frozen=True, kw_only=True):
    """The part of a plan that does not depend on its contestants and its library."""

    assignment: RoleAssignment
    parameters: ParameterValues
    slices: int
    warmup: int
    points: tuple[Point, ...]


def plan_work(folder: Folder, options: PlanOptions) -> PlannedWork:
    """Return what a run does. Raises FfibenchError for options that do not fit the experiment."""
    experiment = folder.experiment
    if experiment.calls and not options.audit:
        raise FfibenchError(
            f"the loops of {folder.name} are generated, and without the audit nobody would know that C does its calls",
            fix="leave out --no-audit",
        )
    effort = effort_of(experiment, options.mode, options.cases)
    assignment = assign_roles(experiment, folder.name, options.vary, options.roles)
    several = len(experiment.roles) > 1
    alone = next((role for role in experiment.roles if several and assignment.varied == (role.name,)), None)
    given = {name: str(value) for name, value in options.parameters.items()}
    parameters = read_parameters(experiment, folder.name, given, options.sweep, alone.alone if alone else {})
    slices = (options.slices, alone.slices if alone else None, experiment.slices)
    return PlannedWork(
        assignment=assignment,
        parameters=parameters,
        slices=next((each for each in slices if each is not None), effort.slices),
        warmup=effort.warmup if options.warmup is None else options.warmup,
        points=selected(
            folder,
            [
                Point(
                    where=where,
                    cases=tuple(cases_at(folder, {**parameters.values, **where}, where, options, assignment)),
                    arguments={**parameters.values, **where},
                )
                for where in parameters.points()
            ],
            options.cases,
        ),
    )


def make_plan(
    folder: Folder,
    chosen: Sequence[tuple[Candidate, Path | None]],
    unavailable: Sequence[Unavailable],
    library: LibraryIdentity,
    options: PlanOptions,
) -> Plan:
    """Return the plan of a run. `chosen` are the contestants with their built or rendered shims.

    Raises FfibenchError as `plan_work` does, and for a player of a role that is not among the chosen.
    """
    experiment = folder.experiment
    work = plan_work(folder, options)
    named = [candidate.contestant.language for candidate, _ in chosen]
    usual = effort_of(experiment, options.mode, options.cases)
    effort = widened(usual, named)
    assignment, warmup = work.assignment, work.warmup
    fewer = effort.slices < usual.slices and options.slices is None
    slices = min(work.slices, effort.slices) if fewer else work.slices
    contract: dict[str, Value] = {
        "experiment": folder.name,
        "slices": slices,
        "warmup": warmup,
        "peers": 0,
        **({"cold": COLD_ITERATIONS} if options.cold else {}),
        "verbose": int(options.verbose),
        "library": library.path,
        **_costs(folder, work, asked=options.costs),
    }
    points = [replace(point, arguments={**contract, **point.arguments}) for point in work.points]
    warmed = options.warmup is None and len(experiment.roles) == 1
    workers = plan_workers(experiment, chosen, assignment, points, options.contestants, warmed=warmed)
    longest = max([warmup, *(each.warmup for each in workers if each.warmup is not None)])
    cases = tuple(planned for point in points for _, planned in point.cases)
    return Plan(
        experiment=folder.name,
        title=experiment.title,
        cases=cases,
        parameters=work.parameters.as_written(),
        workers=tuple(_plainly(worker, cases) for worker in workers),
        unavailable=tuple(
            meant
            for each in unavailable
            if assignment.varied and (meant := meant_for(each, points, assignment)).cases != ()
        ),
        library=library,
        slices=slices,
        warmup=warmup,
        mode=options.mode,
        rounds_min=options.rounds or effort.rounds_min,
        rounds_max=options.rounds or effort.rounds_max,
        seconds_max=None if options.rounds else effort.seconds_max,
        precision=options.precision or effort.precision,
        seed=secrets.randbits(32) if options.seed is None else options.seed,
        worker_seconds_max=options.worker_seconds_max or _worker_seconds(points, slices, longest),
        transport=experiment.transport,
        pinned=experiment.threads == 1,
        placement="" if experiment.placement is None else experiment.placement(work.parameters.values),
        baseline_every=BASELINE_EVERY,
        around=experiment.around,
        shuffled=_can_shuffle(folder, cases),
        audited=options.audit,
        interpreters=interpreter_builds(each.runtime for each, _ in chosen if each.runtime is not None),
        verbose=options.verbose,
    )


def _costs(folder: Folder, work: PlannedWork, *, asked: bool) -> dict[str, Value]:
    """Return the argument that asks workers for the costs of their binding.

    A first call is one operation alone: a role waits for another one's, and in a case of fixed iterations one is none.
    """
    if not asked:
        return {}
    alone = len(folder.experiment.roles) == 1 and not any(
        case.fixed for point in work.points for case, _ in point.cases
    )
    return {"costs": "call" if alone else "import"}


def _can_shuffle(folder: Folder, cases: Sequence[PlannedCase]) -> bool:
    """Whether processes may be asked for their cases in any order: a C program of somebody's own has its own."""
    sources = [source for source in folder.sources if source.language == BASELINE]
    return len(cases) > 1 and bool(sources) and all(source.generated for source in sources)


def _plainly(worker: PlannedWorker, cases: Sequence[PlannedCase]) -> PlannedWorker:
    """Return the worker without a list of cases where it runs all of them."""
    return replace(worker, cases=None) if worker.cases == tuple(case.name for case in cases) else worker


def _worker_seconds(points: Sequence[Point], slices: int, warmup: int) -> float:
    most = max(sum(planned.iterations for _, planned in point.cases) for point in points)
    return WORKER_SECONDS + most * (2 * slices + warmup) * WORKER_SECONDS_AN_ITERATION
