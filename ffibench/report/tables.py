"""All the tables of a report: for each role a grid of its cases, the table of its one case, or that of its sweep."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ffibench.errors import FfibenchError
from ffibench.model import Plan, Row, Run
from ffibench.model.plan import chosen_names
from ffibench.report.alternative_table import alternative_tables
from ffibench.report.case_table import case_tables
from ffibench.report.grid import grid_table, reference_of
from ffibench.report.names import contestant_names
from ffibench.report.options import GridOptions
from ffibench.report.speeds import speed_tables
from ffibench.report.sweep_table import sweep_tables
from ffibench.report.table import Tabular
from ffibench.results.grid import Grid, grids
from ffibench.results.scaling import swept
from ffibench.results.times import RowKey

DETAILED_MAX = 5
"""Of more cases in a grid the full tables are many pages, which nobody reads who did not ask for them."""


def tables(
    run: Run,
    rows: Sequence[Row],
    rate: int | None = None,
    fastest: Collection[RowKey] = (),
    grid: GridOptions | None = None,
    found: Iterable[Grid] | None = None,
) -> list[Tabular]:
    """Build the tables that a report begins with.

    `rate`, in operations a second, is for those of a case; `fastest` are the rows that are the fastest of their blocks;
    `grid` says what a grid shows, and `found` what `results.grid` says of each role's. Raises FfibenchError for options
    of a grid where there is none, and for a reference that is none of its contestants.
    """
    single = [row for row in rows if not swept(row)]
    options = grid or GridOptions()
    gridded = {each.role: each for each in (grids(run, rows) if found is None else found)}
    if options.given and not gridded:
        raise _no_grid(options)
    roles = list(dict.fromkeys(row.role for row in single))
    return [
        *(
            grid_table(run, [row for row in single if row.role == role], each, options, len(roles) > 1)
            for role, each in gridded.items()
        ),
        *case_tables(run, [row for row in single if row.role not in gridded], rate, fastest),
        *sweep_tables(run, rows, fastest),
        *alternative_tables(run, rows),
        *speed_tables(run, [row for row in rows if swept(row) or row.role not in gridded]),
    ]


def details(
    run: Run,
    rows: Sequence[Row],
    rate: int | None = None,
    fastest: Collection[RowKey] = (),
    cases: Sequence[str] = (),
    *,
    every: bool = False,
) -> list[Tabular]:
    """Build the full tables of the cases that `tables` has in a grid; of those that the globs `cases` name, if any.

    Without a glob those of a grid with more cases than a handful are left out, unless `every` one is asked for. A glob
    that has the point of a sweep in it, `send size=64`, names that one's. Raises FfibenchError for one that names no
    case.
    """
    wanted = check_cases(run.plan, cases)
    points = check_cases(run.plan, [pattern for pattern in cases if "=" in pattern])
    gridded = _gridded([row for row in rows if not swept(row)])
    few = [role for role, names in gridded.items() if len(names) > 1 and (every or len(names) <= DETAILED_MAX)]
    in_grid = {role for role, names in gridded.items() if len(names) > 1}
    chosen = [
        row
        for row in rows
        if (row.case in points if swept(row) else row.role in in_grid)  # another one's table is there already
        and (row.case in wanted if cases else row.role in few)
    ]
    two_speeds = [row for row in chosen if not swept(row) and row.role in in_grid]
    return [*case_tables(run, chosen, rate, fastest), *speed_tables(run, two_speeds)]


def check_cases(plan: Plan, cases: Iterable[str]) -> set[str]:
    """Return the names that patterns choose of the cases of a plan; raise FfibenchError for one that chooses none."""
    names = list(dict.fromkeys(name for case in plan.cases for name in case.names))
    wanted: set[str] = set()
    for pattern in cases:
        chosen = chosen_names(pattern, names)
        wanted |= chosen
        if not chosen:
            raise FfibenchError(f"--case {pattern}: no such case in this run", fix=f"it has {', '.join(names)}")
    return wanted


def check_grid(plan: Plan, options: GridOptions) -> None:
    """Raise FfibenchError, before anything is measured, for options of a grid that a plan's report cannot have."""
    if not options.given:
        return
    single = [case for case in plan.compared() if not case.point]
    roles: dict[str, dict[str, list[tuple[str, str]]]] = {}
    for case in single:
        for worker in plan.rows_of(case):
            who = worker.contestant.name, worker.contestant.interpreter
            roles.setdefault(worker.role, {}).setdefault(case.name, []).append(who)
    gridded = [cases for cases in roles.values() if len(cases) > 1]
    if not gridded:
        raise _no_grid(options)
    for cases in gridded:
        names, _ = contestant_names(list(dict.fromkeys(who for each in cases.values() for who in each)))
        reference_of(names, options.reference)


def _no_grid(options: GridOptions) -> FfibenchError:
    return FfibenchError(
        f"{' '.join(options.given)}: this run has no grid, which shows several cases beside each other",
        fix="leave it out: the table of one case has ns/op, net, overhead and ratio",
    )


def _gridded(rows: Iterable[Row]) -> dict[str, set[str]]:
    """Give the cases of each role."""
    cases: dict[str, set[str]] = {}
    for row in rows:
        cases.setdefault(row.role, set()).add(row.case)
    return cases
