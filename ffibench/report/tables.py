"""All the tables of a report: for each role a grid of its cases, the table of its one case, or that of its sweep."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from fnmatch import fnmatchcase

from ffibench.errors import FfibenchError
from ffibench.model import Plan, Row, Run
from ffibench.report.case_table import case_tables
from ffibench.report.grid import grid_table
from ffibench.report.speeds import speed_tables
from ffibench.report.sweep_table import sweep_tables
from ffibench.report.table import Tabular
from ffibench.results.scaling import swept
from ffibench.results.times import RowKey


def tables(run: Run, rows: Sequence[Row], rate: int | None = None, fastest: Collection[RowKey] = ()) -> list[Tabular]:
    """Build the tables that a report begins with.

    `rate`, in operations a second, is for those of a case; `fastest` are the rows that are the fastest of their blocks.
    """
    single = [row for row in rows if not swept(row)]
    roles = list(dict.fromkeys(row.role for row in single))
    gridded = _gridded(single)
    grids = [grid_table(run, [row for row in single if row.role == role], fastest, len(roles) > 1) for role in gridded]
    whole = [row for row in single if row.role not in gridded]
    return [
        *grids,
        *case_tables(run, whole, rate, fastest),
        *sweep_tables(run, rows, fastest),
        *speed_tables(run, rows),
    ]


def details(
    run: Run,
    rows: Sequence[Row],
    rate: int | None = None,
    fastest: Collection[RowKey] = (),
    cases: Sequence[str] = (),
) -> list[Tabular]:
    """Build the full tables of the cases that `tables` has in a grid; of those that the globs `cases` name, if any.

    A glob may also name points of a sweep. Raises FfibenchError for one that names no case.
    """
    check_cases(run.plan, cases)
    gridded = _gridded([row for row in rows if not swept(row)])
    chosen = [
        row
        for row in rows
        if (any(fnmatchcase(row.case, pattern) for pattern in cases) if cases else row.role in gridded)
    ]
    return case_tables(run, chosen, rate, fastest)


def check_cases(plan: Plan, cases: Iterable[str]) -> None:
    """Raise FfibenchError for a glob that names no case of a plan."""
    names = list(dict.fromkeys(case.name for case in plan.cases))
    for pattern in cases:
        if not any(fnmatchcase(name, pattern) for name in names):
            raise FfibenchError(f"--case {pattern}: no such case in this run", fix=f"it has {', '.join(names)}")


def _gridded(rows: Sequence[Row]) -> list[str]:
    """Give the roles that have several cases."""
    cases: dict[str, set[str]] = {}
    for row in rows:
        cases.setdefault(row.role, set()).add(row.case)
    return [role for role, names in cases.items() if len(names) > 1]
