"""The cells of a grid: their figures in what was asked for, their marks, and the step in which each is shaded."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ffibench.model import Row, Run
from ffibench.report.case_table import has_figures, word_of
from ffibench.report.notes import Notes
from ffibench.report.options import GridOptions
from ffibench.report.table import Shade, first_look, one_line
from ffibench.results.against import Against, against
from ffibench.results.grid import Grid
from ffibench.results.times import RATIO_FROM_NS, RowKey, key_of
from ffibench.results.validity import CANNOT
from ffibench.units import ABSENT, aligned, format_number

FASTEST = "*"
"""Behind the figure of those that no other of their block is significantly faster than in their case."""
MISSING = ABSENT
"""In the place of a contestant that is not among those of a case."""

TWO_SPEEDS = "Its processes ran at two speeds: this is that of the larger group, and --case shows both."

EDGES = (1.25, 2.0, 4.0, 8.0)
"""Where a step of the shades ends: of a row's time over that of the fastest of its block in its case."""
STEPS = (
    f"under {EDGES[0]:g}x",
    *(f"{low:g}x to {high:g}x" for low, high in pairwise(EDGES)),
    f"{EDGES[-1]:g}x and over",
)


@dataclass(frozen=True)
class Cells:
    """How a row's figure is shown: nanoseconds an operation, or against the reference where `ratios` has it."""

    net: bool
    ratios: Mapping[RowKey, Against] | None

    def column(self, rows: Sequence[Row | None], grid: Grid, notes: Notes, *, reference: bool) -> list[str]:
        """Show a contestant in each case, None where it is none of the case's: points stand below each other."""
        figures = [None if row is None or not has_figures(row) else self._figure(row, reference) for row in rows]
        texts = iter(aligned([text for text in figures if text is not None]))
        shown = ["" if figure is None else next(texts) for figure in figures]
        starred = any(row is not None and key_of(row) in (grid.unbeaten or ()) for row in rows)
        # In the order of the rows, so that the numbers of the notes grow downwards.
        marks = [
            "" if row is None else _marks(row, notes) if text else notes.marked([_why(row)])
            for row, text in zip(rows, shown, strict=True)
        ]
        room = max((len(mark) for text, mark in zip(shown, marks, strict=True) if text), default=0)
        cells = []
        for row, text, mark in zip(rows, shown, marks, strict=True):
            if row is None or not text:
                cells.append(mark or MISSING)
            else:
                figure = _starred(row, text, grid) if starred else text
                cells.append(f"{figure} {mark:<{room}}" if room else figure)
        return cells

    def _figure(self, row: Row, reference: bool) -> str:
        """Give the text of a figure; the reference itself is always in nanoseconds an operation."""
        if self.ratios is None or reference:
            ns = row.net_ns if self.net else row.gross_ns
            return ABSENT if ns is None else format_number(ns)
        found = self.ratios.get(key_of(row))
        if found is None:
            return ABSENT
        if found.ratio is None or found.reference_ns <= RATIO_FROM_NS:
            text = f"{_signed(format_number(found.added_ns, finest=1))} ns"
        else:
            text = f"{format_number(found.ratio, finest=2 if found.ratio >= 0.1 else None)}x"
        return text if found.bounded else first_look(text)


def cells_of(run: Run, rows: Sequence[Row], reference: tuple[str, str], options: GridOptions) -> Cells:
    """Return how the cells show what the options ask for: another reference than the baseline asks for ratios."""
    if not (options.ratio or options.reference):
        return Cells(options.net, None)
    return Cells(options.net, against(run, rows, *reference, net=options.net))


def _signed(text: str) -> str:
    """Put a plus before what is over 0, as it is shown."""
    return text if text.startswith("-") or not text.strip("0.") else f"+{text}"


def shade_of(row: Row | None, grid: Grid) -> Shade | None:
    """Return the step of a cell; None without an interval, and where a row is alone in its block."""
    estimate = None if row is None else grid.over_fastest.get(key_of(row))
    if estimate is None or estimate.interval is None:
        return None
    step, low, high = (
        bisect_right(EDGES, each) for each in (estimate.ratio, estimate.interval.low, estimate.interval.high)
    )
    return Shade(step, spans=low != high)


def _starred(row: Row, text: str, grid: Grid) -> str:
    """Put a star right behind the last digit, or a blank where the row has none."""
    end = len(text.rstrip())
    sign = FASTEST if key_of(row) in (grid.unbeaten or ()) else " "
    return f"{text[:end]}{sign}{text[end:]}"


def _marks(row: Row, notes: Notes) -> str:
    """Give the marks of what has to be said of the row, which stand behind its figure."""
    return notes.marked([*notes.texts(row), *([TWO_SPEEDS] if row.speeds else [])])


def _why(row: Row) -> str:
    """Say why a cell has no figure."""
    reason = one_line(row.reason or "") or "It has no figures."
    if reason.startswith(CANNOT):
        return reason
    said = f"it {reason[3:]}" if reason.startswith("It ") else reason
    return f"{word_of(row).capitalize()}: {said}"
