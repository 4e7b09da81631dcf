"""A table as plain values, before anything decides how it is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal

from ffibench.units import column

State = Literal["ranked", "control", "marked", "invalid"]
"""`marked`: its figures stand, but it is not ranked; `invalid`: it has none."""

STAR = "\N{BLACK STAR}"
STAR_NOTE = "The fastest of its block."
"""Behind the name of each line that is `fastest`, and what that means."""


@dataclass(frozen=True)
class Heading:
    """The head of a column."""

    key: str
    lines: tuple[str, ...]
    """One or two lines, which Markdown joins by a space."""
    numeric: bool = True
    """Numbers are pushed to the right, names to the left."""
    name: str = ""
    """What a sentence calls it, where its lines alone would not tell."""
    group: str = ""
    """What stands over it and the columns beside it that have the same."""
    joint: str = " "
    """What joins its lines where there is room for one alone."""

    @property
    def text(self) -> str:
        """Its lines as one."""
        return self.joint.join(self.lines).strip()


@dataclass(frozen=True)
class Span:
    """A ratio to the baseline with its interval, for a bar beside the row."""

    ratio: float
    low: float
    high: float


@dataclass(frozen=True)
class Shade:
    """In which step of a table's scale a cell lies."""

    step: int
    """From 0."""
    spans: bool = False
    """Its interval lies in another step too."""


@dataclass(frozen=True)
class Line:
    """The cells of one row, a string a heading; numbers of a column have the same width."""

    cells: tuple[str, ...]
    state: State = "ranked"
    span: Span | None = None
    """None where the row has no ratio, or no interval of it."""
    fastest: bool = False
    """No other row of its block is significantly faster."""
    shades: tuple[Shade | None, ...] = ()
    """One a cell, or none at all."""


@dataclass(frozen=True)
class Block:
    """Rows that are ranked together, under a quiet heading or none."""

    name: str
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Tabular:
    """One table: a title, a caption of full sentences, columns, blocks of rows, notes with their marks."""

    title: str
    caption: str
    headings: tuple[Heading, ...]
    blocks: tuple[Block, ...]
    notes: tuple[tuple[str, str], ...] = ()
    """Mark, such as `[1]` or empty, and text."""
    dispensable: tuple[str, ...] = ()
    """Keys of the columns that a narrow terminal does without, the first to go first."""
    heads: int = 0
    """Where all columns but these first ones are of one kind: none goes, they are shown in bands beside these."""
    grid: bool = False
    """It is one of cases, with blocks over its columns and cells that may be shaded."""
    steps: tuple[str, ...] = ()
    """What the steps of its shades stand for, from step 0 on; empty: it has no shades."""

    def lines(self) -> list[Line]:
        """Give the rows of all blocks, in order."""
        return [line for block in self.blocks for line in block.lines]

    def without(self, keys: Sequence[str]) -> Tabular:
        """Give the table without the columns of these keys."""
        kept = [index for index, heading in enumerate(self.headings) if heading.key not in keys]
        blocks = tuple(Block(block.name, tuple(_narrowed(line, kept) for line in block.lines)) for block in self.blocks)
        return replace(self, headings=tuple(self.headings[index] for index in kept), blocks=blocks)


def tabulated(
    columns: Mapping[Heading, Sequence[str]],
    states: Sequence[State],
    sizes: Mapping[str, int],
    spans: Sequence[Span | None] | None = None,
    fastest: Sequence[bool] | None = None,
) -> tuple[tuple[Heading, ...], tuple[Block, ...]]:
    """Turn columns into headings and blocks of lines, leaving out the columns that are all blank.

    Every column has a cell for each of `states`, and so have `spans` and `fastest` where they are given; `sizes`
    gives how many rows each block takes.
    """
    kept = {heading: cells for heading, cells in columns.items() if any(cell.strip() for cell in cells)}
    spans, fastest = spans or [None] * len(states), fastest or [False] * len(states)
    lines = iter(map(Line, zip(*kept.values(), strict=True), states, spans, fastest))
    return tuple(kept), tuple(Block(name, tuple(islice(lines, size))) for name, size in sizes.items())


def figures(
    values: Sequence[float | None],
    shown: Sequence[bool],
    significant: int = 3,
    finest: int | None = None,
) -> list[str]:
    """Show a column of numbers with blank cells in the rows that are not `shown`."""
    texts = column([value if show else None for value, show in zip(values, shown, strict=True)], significant, finest)
    return [text if show else "" for text, show in zip(texts, shown, strict=True)]


def first_look(text: str) -> str:
    """Put a figure in parentheses, where its point was: there are too few rounds for an interval of it."""
    start = len(text) - len(text.lstrip())
    end = len(text.rstrip())
    return f"{text[:start]}({text[start:end]}){text[end:]}"


def one_line(text: str) -> str:
    """Give a text from outside, such as a worker's last words, as one printable line."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def _narrowed(line: Line, kept: Sequence[int]) -> Line:
    """Give a line with the cells of these columns."""
    shades = tuple(line.shades[index] for index in kept) if line.shades else ()
    return replace(line, cells=tuple(line.cells[index] for index in kept), shades=shades)
