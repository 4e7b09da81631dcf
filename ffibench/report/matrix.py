"""Each row compared with each other by rate, as `cmpthese` of Perl's Benchmark module shows it.

Slowest first, a rate column, and in each cell by how many percent the row's rate is over or under the
column's (https://perldoc.perl.org/Benchmark). The columns are numbered like the rows, since full
names over so many columns would not fit.
"""

from __future__ import annotations

from collections.abc import Sequence

from ffibench.model import Row, Run
from ffibench.report.case_table import grouped, has_figures, title_of
from ffibench.report.names import Names, row_names
from ffibench.report.table import Heading, Tabular, tabulated
from ffibench.units import format_rate

CAPTION = "By how many percent a row's rate is over or under that of the row with the column's number."

HEADS = (
    Heading("number", ("",)),
    Heading("contestant", ("contestant",), numeric=False),
    Heading("rate", ("rate",)),
)
"""The columns before the matrix itself."""


def percent(row_ns: float, column_ns: float) -> float:
    """Give by how many percent the rate of `row_ns` is over that of `column_ns`, from times."""
    return 100 * (column_ns / row_ns - 1)


def matrix_cells(times_ns: Sequence[float]) -> list[list[str]]:
    """Give the matrix of `times_ns` with themselves in integer percent, `--` on the diagonal."""
    return [
        ["--" if i == j else f"{round(percent(row, column))}%" for j, column in enumerate(times_ns)]
        for i, row in enumerate(times_ns)
    ]


def matrix_tables(run: Run, rows: Sequence[Row]) -> list[Tabular]:
    """Build one matrix a case and role, of the valid rows' gross times, slowest first."""
    names, _ = row_names(rows)
    several_roles = len({row.role for row in rows}) > 1
    operations = grouped(row for row in rows if has_figures(row))
    return [_table(title_of(run, group[0], several_roles), group, names) for group in operations]


def _table(title: str, rows: Sequence[Row], names: Names) -> Tabular:
    timed = [(row.gross_ns, names[row.contestant, row.interpreter]) for row in rows if row.gross_ns]
    timed.sort(key=lambda pair: pair[0], reverse=True)
    numbers = [str(number) for number, _ in enumerate(timed, 1)]
    cells = matrix_cells([time_ns for time_ns, _ in timed])
    heads = (numbers, [name for _, name in timed], [format_rate(1e9 / ns) for ns, _ in timed])
    against = {
        Heading(f"column {number}", (number,)): [row[place] for row in cells] for place, number in enumerate(numbers)
    }
    columns = {**dict(zip(HEADS, heads, strict=True)), **against}
    headings, blocks = tabulated(columns, ["ranked"] * len(timed), {"": len(timed)})
    return Tabular(
        title=f"{title}, each compared with each", caption=CAPTION, headings=headings, blocks=blocks, heads=len(HEADS)
    )
