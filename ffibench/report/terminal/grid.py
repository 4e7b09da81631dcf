"""A grid of cases: pages of columns where one width does not hold them, blocks over their columns, shaded cells.

Drawn line by line, since a table of rich has no head over several columns. Where there are no colours a shade is a sign
before its figure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from textwrap import wrap

from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from ffibench.report.grid_cells import FASTEST
from ffibench.report.table import Heading, Line, Shade, Tabular
from ffibench.report.terminal.bands import balanced
from ffibench.report.terminal.layout import GAP

NAME_WIDTH_MIN = 16
NAME_SHARE = 4
"""The name of a case is folded where it takes more than this part of the width, but not under the least."""

COLOURS = (
    "black on color(194)",
    "black on color(229)",
    "black on color(222)",
    "black on color(215)",
    "black on color(209)",
)
"""From the fastest on, of the 256 that terminals have: light, with black figures, on dark and light ground alike."""
HATCHED = "\N{BOX DRAWINGS LIGHT DIAGONAL UPPER RIGHT TO LOWER LEFT}"
"""Before the figure of a cell whose interval lies in two steps."""
SIGNS = " \N{LIGHT SHADE}\N{MEDIUM SHADE}\N{DARK SHADE}\N{FULL BLOCK}"
"""In place of a colour."""
HATCHED_ASCII, SIGNS_ASCII = "/", " .:+#"
BETWEEN, BETWEEN_ASCII = "\N{BOX DRAWINGS LIGHT VERTICAL}", "|"
RULE, RULE_ASCII = "\N{BOX DRAWINGS LIGHT HORIZONTAL}", "-"


@dataclass(frozen=True)
class _Look:
    """What a console has of colours and characters."""

    coloured: bool
    ascii_only: bool

    @property
    def between(self) -> str:
        return BETWEEN_ASCII if self.ascii_only else BETWEEN

    def sign(self, shade: Shade | None) -> str:
        """Give the character before a figure."""
        if shade is None:
            return " "
        if shade.spans:
            return HATCHED_ASCII if self.ascii_only else HATCHED
        return " " if self.coloured else (SIGNS_ASCII if self.ascii_only else SIGNS)[shade.step]

    def style(self, shade: Shade | None) -> str:
        return COLOURS[shade.step] if shade is not None and self.coloured else ""


@dataclass(frozen=True)
class drawn_grid:  # noqa: N801 (called as the functions beside it are)
    """Draws a grid on the console that it meets."""

    tabular: Tabular

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw page after page, and under them what the shades stand for."""
        look = _Look(console.color_system is not None and not console.no_color, options.ascii_only)
        for line in _lines(self.tabular, options.max_width, look):
            line.no_wrap, line.overflow = True, "crop"
            yield line


def _lines(tabular: Tabular, width: int, look: _Look) -> Iterator[Text]:
    heads = tabular.heads
    sizes = _sizes(tabular, width)
    beside = sum(sizes[:heads]) + GAP * (heads - 1)
    starts = [
        place > 0 and one.group != tabular.headings[place - 1].group for place, one in enumerate(tabular.headings)
    ]
    # A line between two blocks takes its own room.
    taken = [size + GAP * starts[place] for place, size in enumerate(sizes)]
    for number, band in enumerate(balanced(beside, taken[heads:], width)):
        if number:
            yield Text("")
        yield from _page(tabular, [*range(heads), *(heads + each for each in band)], sizes, look)
    if tabular.steps:
        yield Text("")
        yield from _legend(tabular.steps, width, look)


def _sizes(tabular: Tabular, width: int) -> list[int]:
    """Give the width of each column, with the sign before its figures; the name of a case may be folded."""
    cells = list(zip(*(line.cells for line in tabular.lines()), strict=True))
    sizes = []
    for heading, texts in zip(tabular.headings, cells, strict=True):
        words = heading.group.split()
        sizes.append(max(map(cell_len, [*(line.strip() for line in heading.lines), *texts, *words])))
    most = max(NAME_WIDTH_MIN, width // NAME_SHARE)
    return [min(sizes[0], most), *sizes[1:]]


def _page(tabular: Tabular, places: Sequence[int], sizes: Sequence[int], look: _Look) -> Iterator[Text]:
    head = list(_head(tabular.headings, places, sizes, look))
    yield from head
    total = max(cell_len(line.plain) for line in head)
    yield Text((RULE_ASCII if look.ascii_only else RULE) * total, style="dim")
    for number, block in enumerate(tabular.blocks):
        if block.name:
            if number:
                yield Text("")
            yield Text(block.name, style="dim italic")
        for line in block.lines:
            yield from _row(tabular, line, places, sizes, look)


def _head(headings: Sequence[Heading], places: Sequence[int], sizes: Sequence[int], look: _Look) -> Iterator[Text]:
    """Write the blocks over their columns and the names of the contestants, with their ends on the last line."""
    spans = []
    for group, each in groupby(places[1:], key=lambda place: headings[place].group):
        own = [sizes[place] for place in each]
        room = sum(own) + GAP * (len(own) - 1)
        spans.append((wrap(group, room) if group else [], room))
    for row in range(max(len(words) for words, _ in spans)):
        text = Text(" " * sizes[places[0]], style="dim")
        for number, (words, room) in enumerate(spans):
            word = words[row] if row < len(words) else ""
            text.append(f" {look.between} " if number else " " * GAP)
            text.append(f"{word:<{room}}", style="italic")
        yield text
    depth = max(len(headings[place].lines) for place in places)
    for row in range(depth):
        text = Text(style="dim")
        for place, before in zip(places, [None, *places], strict=False):
            lines = [line.strip() for line in headings[place].lines]
            word = ["", *lines][max(0, row - (depth - len(lines)) + 1)]
            text.append(_gap(headings, place, before, look))
            pad = " " * (sizes[place] - cell_len(word))
            text.append(pad + word if headings[place].numeric else word + pad)
        yield text


def _gap(headings: Sequence[Heading], place: int, before: int | None, look: _Look) -> str:
    """Give what stands before a column: a line where another block begins, and a blank for the sign of a shade."""
    if before is None:
        return ""
    return f" {look.between} " if before and headings[place].group != headings[before].group else " " * GAP


def _row(tabular: Tabular, line: Line, places: Sequence[int], sizes: Sequence[int], look: _Look) -> Iterator[Text]:
    """Write a case: its name, folded where it is long, and the cells beside its first line."""
    first, *rest = wrap(line.cells[0], sizes[0]) or [""]
    text = Text(set_cell_size(first, sizes[0]))
    reasons = dict(tabular.notes)
    for place, before in zip(places[1:], places, strict=False):
        shade = line.shades[place] if line.shades else None
        gap = _gap(tabular.headings, place, before, look)
        text.append(gap[:-1], style="dim")
        cell = line.cells[place]
        padded = " " * (sizes[place] - cell_len(cell)) + cell
        style = look.style(shade)
        text.append(look.sign(shade), style=style or "dim")
        text.append(padded, style=" ".join(filter(None, [style, _weight(cell, reasons)])))
    yield text
    for part in rest:
        yield Text(part)


def _weight(cell: str, reasons: dict[str, str]) -> str:
    """Say how a cell stands out: the fastest are bold, a first look is dim, what failed is red."""
    text = cell.strip()
    if text.startswith("["):
        return "red" if reasons.get(text, "").startswith("Invalid") else "dim"
    if text.startswith("("):
        return "dim"
    return "bold" if FASTEST in text else ""


def _legend(steps: Sequence[str], width: int, look: _Look) -> Iterator[Text]:
    """Show each step as it is shaded, and what it stands for."""
    shades = [(Shade(number), step) for number, step in enumerate(steps)]
    shades.append((Shade(0, spans=True), "95 % CI in two steps"))
    line = Text("times the fastest of the block:", style="")
    for shade, step in shades:
        style = "" if shade.spans else look.style(shade)
        entry = Text.assemble(("  ", ""), (look.sign(shade), style), (f" {step} " if style else f" {step}", style))
        if cell_len(line.plain) + cell_len(entry.plain) > width:
            yield line
            line = Text("")
        line.append_text(entry)
    yield line
