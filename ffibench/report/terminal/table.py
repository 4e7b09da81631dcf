"""A table on a terminal: its title and caption above it, its notes under it, a bar a row where there is room."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from rich.console import ConsoleOptions, Group, RenderableType
from rich.table import Table
from rich.text import Text

from ffibench.report.table import STAR, STAR_NOTE, Heading, Line, Tabular
from ffibench.report.terminal.bands import bands
from ffibench.report.terminal.bars import TITLE, Scale, bar, scale_of
from ffibench.report.terminal.grid import drawn_grid
from ffibench.report.terminal.layout import GAP, TABLE_WIDTH_MAX, Fitted, definitions, paragraph, quiet_table

BARS_FROM = 110
"""Columns of a terminal from which on a table has bars."""

BOLD = {"ratio", "change"}
STYLES = {"ranked": "", "control": "dim", "marked": "", "invalid": "red"}
FASTEST = "green"
PLAIN_STAR = "*"


def drawn_tables(tables: Iterable[Tabular]) -> RenderableType:
    """Draw tables one below the other, at most 160 columns wide.

    On a console too narrow for all columns the least needed are left out, and a line says which.
    """
    return stacked([drawn_table(tabular) for tabular in tables])


def stacked(renderables: Sequence[RenderableType]) -> RenderableType:
    """Show one below the other with a blank line between."""
    spaced: list[RenderableType] = []
    for renderable in renderables:
        spaced += [Text(""), renderable] if spaced else [renderable]
    return Group(*spaced)


def drawn_table(tabular: Tabular) -> Fitted:
    """Show a table with its title and caption above it and its notes under it."""

    def build(options: ConsoleOptions) -> RenderableType:
        star = star_of(options) if any(line.fastest for line in tabular.lines()) else ""
        narrowed = _narrowed(tabular, options.max_width, star)
        stars = [(star, STAR_NOTE)] if star else []
        notes = [(Text(mark, style="dim"), Text(note)) for mark, note in (*stars, *tabular.notes)]
        under: list[RenderableType] = [Fitted(lambda _options: definitions(notes))] if notes else []
        if hidden := _hidden(tabular, narrowed):
            under.insert(0, paragraph(hidden, "dim"))
        return Group(
            paragraph(tabular.title, "bold"),
            paragraph(tabular.caption, "dim"),
            Text(""),
            *_banded(narrowed, options, star),
            *([Text(""), *under] if under else []),
        )

    return Fitted(build, TABLE_WIDTH_MAX)


def _banded(tabular: Tabular, options: ConsoleOptions, star: str) -> Sequence[RenderableType]:
    """Draw a table in one piece, or in bands where its columns of one kind do not fit."""
    if tabular.grid:
        return [drawn_grid(tabular)]
    widths, heads = _widths(tabular, star), tabular.heads
    split = bands(_taken(widths[:heads]), widths[heads:], options.max_width) if heads else []
    if len(split) < 2:
        return [_grid(tabular, options, star)]
    keys = [heading.key for heading in tabular.headings[heads:]]
    pieces: list[Tabular] = [
        tabular.without([key for place, key in enumerate(keys) if place not in band]) for band in split
    ]
    return [part for piece in pieces for part in (Text(""), _grid(piece, options, star))][1:]


def star_of(options: ConsoleOptions) -> str:
    """Give the sign of the fastest, in characters that the console has."""
    return PLAIN_STAR if options.ascii_only else STAR


def _narrowed(tabular: Tabular, width: int, star: str) -> Tabular:
    """Leave out as many of the dispensable columns as the width asks for."""
    present = {heading.key for heading in tabular.headings}
    keys = [key for key in tabular.dispensable if key in present]
    narrowed = tabular
    for count in range(len(keys) + 1):
        narrowed = tabular.without(keys[:count])
        if _taken(_widths(narrowed, star)) <= width:
            break
    return narrowed


def _taken(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def _hidden(tabular: Tabular, narrowed: Tabular) -> str:
    """Say which columns the width had no room for."""
    kept = {heading.key for heading in narrowed.headings}
    names = [heading.name or " ".join(heading.lines) for heading in tabular.headings if heading.key not in kept]
    return f"hidden (terminal too narrow): {', '.join(names)}" if names else ""


def _widths(tabular: Tabular, star: str) -> list[int]:
    """Give the width that each heading and its cells take, in columns of the terminal."""
    cells = zip(*([_starred(line, star), *line.cells[1:]] for line in tabular.lines()), strict=True)
    widths = [
        max(map(cell_len, (*heading.lines, *texts))) for heading, texts in zip(tabular.headings, cells, strict=True)
    ]
    widths[0] = max(widths[0], *(cell_len(block.name) for block in tabular.blocks))
    return widths


def _starred(line: Line, star: str) -> str:
    return f"{line.cells[0]} {star}" if line.fastest else line.cells[0]


def _grid(tabular: Tabular, options: ConsoleOptions, star: str) -> Table:
    widths = _widths(tabular, star)
    room = options.max_width - sum(widths[1:]) - GAP * (len(widths) - 1)
    widths[0] = max(1, min(widths[0], room))
    left = options.max_width - _taken(widths) - GAP if options.max_width >= BARS_FROM else 0
    scale = scale_of(tabular.lines(), left)
    table = quiet_table(options)
    for index, (heading, size) in enumerate(zip(tabular.headings, widths, strict=True)):
        head = Text("\n".join(_placed(heading, line, size) for line in heading.lines))
        table.add_column(head, max_width=None if index else size, no_wrap=index > 0, overflow="fold")
    if scale is not None:
        table.add_column(Text(f"{TITLE}\n{scale.ticks()}"), no_wrap=True, width=scale.width)
    for block in tabular.blocks:
        if block.name:
            table.add_section()
            table.add_row(Text(block.name, style="dim italic"))
        for line in block.lines:
            bars = [] if scale is None else [_bar(line, scale, options)]
            table.add_row(*_cells(tabular, line, widths, star), *bars, style=STYLES[line.state])
    return table


def _bar(line: Line, scale: Scale, options: ConsoleOptions) -> Text:
    return bar(line.span, scale, FASTEST if line.fastest else "", ascii_only=options.ascii_only)


def _cells(tabular: Tabular, line: Line, widths: Sequence[int], star: str) -> list[Text]:
    texts = [_starred(line, star), *line.cells[1:]]
    return [
        Text(_placed(heading, cell, size), style=_style(heading, line, cell))
        for heading, cell, size in zip(tabular.headings, texts, widths, strict=True)
    ]


def _style(heading: Heading, line: Line, cell: str) -> str:
    """The fastest is green and bold by its name and its ratio; a first look is dim."""
    if heading.numeric and cell.strip().startswith("("):
        return "dim"
    bold = "bold" if heading.key in BOLD else ""
    return f"bold {FASTEST}" if line.fastest and (bold or heading.key == "contestant") else bold


def _placed(heading: Heading, text: str, size: int) -> str:
    """Push numbers to the right. rich would take off the blanks that align their decimal points."""
    return " " * (size - cell_len(text)) + text if heading.numeric else text
