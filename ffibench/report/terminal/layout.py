"""Shows what is built for the width and the characters of the console it meets."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rich.box import SIMPLE_HEAD, Box
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

WIDTH_MAX = 100
"""Wider text is hard to read and does not fit an issue or a printed page. A pipe gets this width."""
TABLE_WIDTH_MAX = 160
"""A table may be wider, on a terminal that is."""

GAP = 2
"""Blanks between the columns of a table."""

ASCII_RULE = Box("    \n    \n -- \n    \n    \n    \n    \n    \n", ascii=True)
"""One thin rule under the head. rich would draw a frame around everything instead."""


@dataclass(frozen=True)
class Fitted:
    """What `build` makes of the options of a console, of which it takes at most `width_max` columns.

    No line ends in blanks: rich pads each to its full width, which a pipe has no use for.
    """

    build: Callable[[ConsoleOptions], RenderableType]
    width_max: int = WIDTH_MAX

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Render line by line, at the console's width or at `width_max` where it is wider."""
        narrow = options.update(width=min(options.max_width, self.width_max))
        for line in console.render_lines(self.build(narrow), narrow, pad=False):
            yield from _stripped(line)
            yield Segment.line()


def paragraph(text: str, style: str = "") -> Fitted:
    """Give a text that wraps at 100 columns, on any terminal."""
    return Fitted(lambda _options: Text(text, style=style, overflow="fold"))


def quiet_table(options: ConsoleOptions) -> Table:
    """Give an empty table with `GAP` blanks between columns and one thin rule, in characters that the console has."""
    return Table(
        box=ASCII_RULE if options.ascii_only else SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, GAP - 1, 0, 0),
        border_style="dim",
        header_style="dim",
    )


def definitions(entries: Iterable[tuple[Text, RenderableType]]) -> Table:
    """Lay out labels beside their texts, which wrap with a hanging indent."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for label, text in entries:
        grid.add_row(label, text)
    return grid


def _coloured(segment: Segment) -> bool:
    return segment.style is not None and segment.style.bgcolor is not None


def _stripped(line: list[Segment]) -> Iterable[Segment]:
    """Drop the blanks at the end of a line, but for those that are coloured."""
    kept = list(line)
    while kept and not kept[-1].text.rstrip() and not _coloured(kept[-1]):
        kept.pop()
    if kept and not _coloured(kept[-1]):
        last = kept[-1]
        kept[-1] = Segment(last.text.rstrip(), last.style, last.control)
    return kept
