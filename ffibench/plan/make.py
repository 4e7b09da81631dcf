"""From an experiment, its contestants and the user's options to a plan: everything that a run will do."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ffibench.catalog.candidates import Candidate
from ffibench.catalog.folders import Folder, nearest
from ffibench.errors import FfibenchError
from ffibench.host.interpreters import interpreter_builds
from ffibench.model import BASELINE, Case, LibraryIdentity, Plan, PlannedCase, PlannedWorker, Unavailable, Value
from ffibench.model.plan import point_label
from ffibench.plan.options import PlanOptions, effort_of
from ffibench.plan.parameters import ParameterValues, read_parameters
from ffibench.plan.roles import Point, RoleAssignment, assign_roles, check_cases, meant_for, plan_workers

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
    effort = effort_of(experiment, options.mode)
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
        points=_selected(
            folder,
            [
                Point(
                    where=where,
                    cases=tuple(_cases(folder, {**parameters.values, **where}, where, options, assignment)),
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
    effort = effort_of(experiment, options.mode)
    work = plan_work(folder, options)
    assignment, slices, warmup = work.assignment, work.slices, work.warmup
    contract: dict[str, Value] = {
        "experiment": folder.name,
        "slices": slices,
        "warmup": warmup,
        "peers": 0,
        "verbose": int(options.verbose),
        "library": library.path,
        **_costs(folder, work, asked=options.costs),
    }
    points = [replace(point, arguments={**contract, **point.arguments}) for point in work.points]
    workers = plan_workers(experiment, chosen, assignment, points, options.contestants)
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
        worker_seconds_max=options.worker_seconds_max or _worker_seconds(points, slices, warmup),
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


def _cases(
    folder: Folder,
    values: Mapping[str, Value],
    where: Mapping[str, Value],
    options: PlanOptions,
    assignment: RoleAssignment,
) -> Iterator[tuple[Case, PlannedCase]]:
    """Yield the cases at one point, each with its planned case."""
    cases = folder.experiment.cases(values)
    check_cases(folder.experiment, folder.name, cases)
    for case in _swept(folder.name, cases, where):
        if case.fixed and options.iterations is not None:
            names = ", ".join(parameter.name for parameter in folder.experiment.parameters)
            raise FfibenchError(
                f"--iterations: those of {folder.name} follow from its parameters", fix=f"--set changes these: {names}"
            )
        iterations = options.iterations or case.iterations
        label = point_label(where)
        yield (
            case,
            PlannedCase(
                name=f"{case.name} {label}" if label else case.name,
                operation=case.operation,
                iterations=iterations,
                receipt=case.receipt(iterations),
                accepts=case.accepts,
                alias=case.key or (case.name if label else ""),
                clock=case.clock,
                figures=case.figures,
                group=case.group,
                bytes=case.bytes,
                counter=case.counter,
                series=case.series or case.name if label else "",
                point=dict(where),
                decides=not case.role or case.role == next(iter(assignment.varied), case.role),
            ),
        )


def _selected(folder: Folder, points: Sequence[Point], patterns: Sequence[str]) -> tuple[Point, ...]:
    """Return the points with the cases that are measured, without those that have none.

    A pattern matches the name of a case, or with the point of a sweep behind it. What plays beside it in another role
    is measured too: the first case of each role runs together with the first of the others.
    """
    if not patterns:
        return tuple(points)
    names = dict.fromkeys(name for point in points for _, planned in point.cases for name in planned.names)
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in names):
            raise FfibenchError(
                f"--case {pattern}: {folder.name} has no such case{nearest(pattern, list(names))}",
                fix=f"it has {', '.join(names)}",
            )
    found = []
    for point in points:
        places: dict[str, int] = {}
        placed = []
        for case, planned in point.cases:
            role = case.role or folder.experiment.roles[0].name
            places[role] = places.get(role, -1) + 1
            placed.append((places[role], case, planned))
        chosen = {
            place
            for place, _, planned in placed
            if any(fnmatchcase(name, pattern) for name in planned.names for pattern in patterns)
        }
        cases = tuple((case, planned) for place, case, planned in placed if place in chosen)
        if cases:
            found.append(replace(point, cases=cases))
    return tuple(found)


def _swept(name: str, cases: Sequence[Case], where: Mapping[str, Value]) -> Sequence[Case]:
    """Return the cases that depend on what is swept: the others would be measured again at each point."""
    found = [case for case in cases if case.parameters is None or not where or where.keys() & set(case.parameters)]
    if not found:
        raise FfibenchError(
            f"no case of {name} depends on {', '.join(where)}", fix="sweep another parameter, or use --set"
        )
    return found


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
