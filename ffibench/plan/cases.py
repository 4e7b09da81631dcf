"""Which cases are measured at each point of a sweep, and how often their operations are done in a slice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from ffibench.catalog.folders import Folder, nearest
from ffibench.errors import FfibenchError
from ffibench.model import Case, PlannedCase, Value
from ffibench.model.plan import chosen_names, point_label
from ffibench.plan.options import PlanOptions
from ffibench.plan.roles import Point, RoleAssignment, check_cases

COLD_ITERATIONS = 1_000
"""Of the slice with the first calls of a process."""


def cases_at(
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
        if options.cold and (case.fixed or len(folder.experiment.roles) > 1):
            raise FfibenchError(
                f"--cold: {folder.name} has fixed iterations or several roles, and so no first {COLD_ITERATIONS:,}",
                fix="leave it out",
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
                cold=COLD_ITERATIONS if options.cold else 0,
                cold_receipt=case.receipt(COLD_ITERATIONS) if options.cold else None,
                accepts=case.accepts,
                alias=case.key or (case.name if label else ""),
                clock=case.clock,
                figures=case.figures,
                group=case.group,
                bytes=case.bytes,
                counter=case.counter,
                series=case.series or case.name if label else "",
                alternative=case.alternative if label else "",
                point=dict(where),
                decides=not case.role or case.role == next(iter(assignment.varied), case.role),
            ),
        )


def selected(folder: Folder, points: Sequence[Point], patterns: Sequence[str]) -> tuple[Point, ...]:
    """Return the points with the cases that are measured, without those that have none.

    A pattern chooses names of cases, and those with the point of a sweep behind them, as `chosen_names` says. What runs
    beside it in another role is measured too: the first case of each role runs together with the first of the others.
    """
    if not patterns:
        return tuple(points)
    names = dict.fromkeys(name for point in points for _, planned in point.cases for name in planned.names)
    wanted: set[str] = set()
    for pattern in patterns:
        named = chosen_names(pattern, names)
        wanted |= named
        if not named:
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
        chosen = {place for place, _, planned in placed if wanted.intersection(planned.names)}
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
