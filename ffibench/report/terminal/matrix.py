"""A matrix on a terminal: its columns in bands where one width does not hold them all."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import ConsoleOptions, Group, RenderableType
from rich.table import Table
from rich.text import Text

from ffibench.report.matrix import HEADS
from ffibench.report.table import Tabular
from ffibench.report.terminal.layout import GAP, Fitted, quiet_table


def drawn_matrix(matrix: Tabular) -> Fitted:
    """Draw a matrix under its title, the rows' heads again beside each band."""
    lines = [line.cells for line in matrix.lines()]
    heads = [cells[: len(HEADS)] for cells in lines]
    body = [cells[len(HEADS) :] for cells in lines]

    def build(options: ConsoleOptions) -> RenderableType:
        parts: list[RenderableType] = [
            Text(matrix.title, style="bold", overflow="fold"),
            Text(matrix.caption, style="dim", overflow="fold"),
        ]
        for band in bands(heads, body, options.max_width):
            parts += [Text(""), _table(heads, body, band, options)]
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
