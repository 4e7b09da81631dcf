"""Each row against each other by rate, as `cmpthese` of Perl's Benchmark module shows it.

Slowest first, a Rate column, and in each cell by how many percent the row's rate is over or under the
column's (https://perldoc.perl.org/Benchmark). The columns are numbered like the rows, since full
names over so many columns would not fit, and come in bands where one width does not hold them all.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import ConsoleOptions, Group, RenderableType
from rich.table import Table
from rich.text import Text

from ffibench.model import Row, Run
from ffibench.report.names import Names, row_names
from ffibench.report.summary import grouped, has_figures, title_of
from ffibench.report.terminal.layout import GAP, Fitted, quiet_table
from ffibench.units import format_rate

CAPTION = "By how many percent a row's rate is over or under that of the row with the column's number."


def percent(row_ns: float, column_ns: float) -> float:
    """Give by how many percent the rate of `row_ns` is over that of `column_ns`, from times."""
    return 100 * (column_ns / row_ns - 1)


def matrix_cells(times_ns: Sequence[float]) -> list[list[str]]:
    """Give the matrix of `times_ns` against themselves in integer percent, `--` on the diagonal."""
    return [
        ["--" if i == j else f"{round(percent(row, column))}%" for j, column in enumerate(times_ns)]
        for i, row in enumerate(times_ns)
    ]


def matrix(run: Run, rows: Sequence[Row]) -> list[RenderableType]:
    """Show one matrix a case and role, of the valid rows' gross times, slowest first."""
    names, _ = row_names(rows)
    several_roles = len({row.role for row in rows}) > 1
    operations = grouped(row for row in rows if has_figures(row))
    return [_shown(title_of(run, group[0], several_roles), group, names) for group in operations]


def _shown(title: str, rows: Sequence[Row], names: Names) -> Fitted:
    timed = [(row.gross_ns, names[row.contestant, row.interpreter]) for row in rows if row.gross_ns]
    timed.sort(key=lambda pair: pair[0], reverse=True)
    heads = [(str(number), name, format_rate(1e9 / time_ns)) for number, (time_ns, name) in enumerate(timed, 1)]
    cells = matrix_cells([time_ns for time_ns, _ in timed])

    def build(options: ConsoleOptions) -> RenderableType:
        parts: list[RenderableType] = [
            Text(f"{title}, each against each", style="bold", overflow="fold"),
            Text(CAPTION, style="dim", overflow="fold"),
        ]
        for band in bands(heads, cells, options.max_width):
            parts += [Text(""), _table(heads, cells, band, options)]
        return Group(*parts)

    return Fitted(build)


def bands(heads: Sequence[Sequence[str]], cells: Sequence[Sequence[str]], width: int) -> list[range]:
    """Split the columns of `cells` into as few bands as fit `width` beside the rows' heads."""
    room = width - sum(max(map(cell_len, texts)) + GAP for texts in zip(*heads, strict=True)) + GAP
    sizes = [max(map(len, texts)) + GAP for texts in zip(*cells, strict=True)]
    starts, taken = [0], 0
    for index, size in enumerate(sizes):
        taken += size
        if taken > room and index > starts[-1]:
            starts.append(index)
            taken = size
    return [range(start, end) for start, end in zip(starts, [*starts[1:], len(cells)], strict=True)]


def _table(
    heads: Sequence[Sequence[str]], cells: Sequence[Sequence[str]], band: range, options: ConsoleOptions
) -> Table:
    table = quiet_table(options)
    table.add_column("", justify="right", style="dim", no_wrap=True)
    table.add_column("contestant", overflow="fold")
    table.add_column("rate", justify="right", no_wrap=True)
    for column in band:
        table.add_column(str(column + 1), justify="right", no_wrap=True)
    for head, row in zip(heads, cells, strict=True):
        table.add_row(*map(Text, head), *(Text(row[column]) for column in band))
    return table
