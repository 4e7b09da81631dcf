"""A table on a terminal: its title and caption above it, its notes under it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from rich.console import ConsoleOptions, Group, RenderableType
from rich.table import Table
from rich.text import Text

from ffibench.report.table import Heading, Line, Tabular
from ffibench.report.terminal.layout import GAP, Fitted, definitions, quiet_table

BOLD = {"ratio", "change"}
STYLES = {"ranked": "", "control": "dim", "marked": "", "invalid": "red"}


def drawn_tables(tables: Iterable[Tabular]) -> RenderableType:
    """Draw tables one below the other, at most 100 columns wide.

    On a console too narrow for all columns the least needed are left out, and a line says which.
    """
    return stacked([shown(tabular) for tabular in tables])


def stacked(renderables: Sequence[RenderableType]) -> RenderableType:
    """Show one below the other with a blank line between."""
    spaced: list[RenderableType] = []
    for renderable in renderables:
        spaced += [Text(""), renderable] if spaced else [renderable]
    return Group(*spaced)


def shown(tabular: Tabular) -> Fitted:
    """Show a table with its title and caption above it and its notes under it."""

    def build(options: ConsoleOptions) -> RenderableType:
        narrowed = _narrowed(tabular, options.max_width)
        notes = [(Text(mark, style="dim"), Text(note)) for mark, note in tabular.notes]
        under: list[RenderableType] = [definitions(notes)] if notes else []
        if left_out := _left_out(tabular, narrowed):
            under.insert(0, Text(left_out, style="dim", overflow="fold"))
        return Group(
            Text(tabular.title, style="bold", overflow="fold"),
            Text(tabular.caption, style="dim", overflow="fold"),
            Text(""),
            _grid(narrowed, options),
            *([Text(""), *under] if under else []),
        )

    return Fitted(build)


def _narrowed(tabular: Tabular, width: int) -> Tabular:
    """Leave out as many of the dispensable columns as the width asks for."""
    present = {heading.key for heading in tabular.headings}
    keys = [key for key in tabular.dispensable if key in present]
    narrowed = tabular
    for count in range(len(keys) + 1):
        narrowed = tabular.without(keys[:count])
        if sum(_widths(narrowed)) + GAP * (len(narrowed.headings) - 1) <= width:
            break
    return narrowed


def _left_out(tabular: Tabular, narrowed: Tabular) -> str:
    """Say which columns the width had no room for."""
    kept = {heading.key for heading in narrowed.headings}
    names = [heading.name or " ".join(heading.lines) for heading in tabular.headings if heading.key not in kept]
    return f"Left out for want of room: {', '.join(names)}." if names else ""


def _widths(tabular: Tabular) -> list[int]:
    """Give the width that each heading and its cells take, in columns of the terminal."""
    cells = zip(*(line.cells for line in tabular.lines()), strict=True)
    widths = [
        max(map(cell_len, (*heading.lines, *texts))) for heading, texts in zip(tabular.headings, cells, strict=True)
    ]
    widths[0] = max(widths[0], *(cell_len(block.name) for block in tabular.blocks))
    return widths


def _grid(tabular: Tabular, options: ConsoleOptions) -> Table:
    widths = _widths(tabular)
    room = options.max_width - sum(widths[1:]) - GAP * (len(widths) - 1)
    widths[0] = max(1, min(widths[0], room))
    table = quiet_table(options)
    for index, (heading, size) in enumerate(zip(tabular.headings, widths, strict=True)):
        head = Text("\n".join(_placed(heading, line, size) for line in heading.lines))
        table.add_column(head, max_width=None if index else size, no_wrap=index > 0, overflow="fold")
    for block in tabular.blocks:
        if block.name:
            table.add_section()
            table.add_row(Text(block.name, style="dim italic"))
        for line in block.lines:
            table.add_row(*_cells(tabular, line, widths), style=STYLES[line.state])
    return table


def _cells(tabular: Tabular, line: Line, widths: Sequence[int]) -> list[Text]:
    return [
        Text(_placed(heading, cell, size), style="bold" if heading.key in BOLD else "")
        for heading, cell, size in zip(tabular.headings, line.cells, widths, strict=True)
    ]


def _placed(heading: Heading, text: str, size: int) -> str:
    """Push numbers to the right. rich would take off the blanks that align their decimal points."""
    return " " * (size - cell_len(text)) + text if heading.numeric else text
