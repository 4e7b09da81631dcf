"""The extra figures of a case as columns: the time to the first match, a whole slice by another clock."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median

from ffibench.model import Figure, Row, Run
from ffibench.report.table import Heading, figures, one_line

UNITS = ((1e9, "s"), (1e6, "ms"), (1e3, "us"), (1.0, "ns"))


def extra_columns(run: Run, rows: Sequence[Row]) -> dict[Heading, list[str]]:
    """Build a column for each extra figure that a row of the case has, in the unit that its middle row reads in."""
    return dict(
        _column(figure, rows) for figure in _figures(run, rows) if any(figure.name in row.extra_figures for row in rows)
    )


def extra_caption(headings: Iterable[Heading]) -> list[str]:
    """Say what the extra figures are of, where there are some."""
    names = [heading.lines[0] for heading in headings]
    return [f"Of a whole slice: {', '.join(names)}."] if names else []


def _figures(run: Run, rows: Sequence[Row]) -> tuple[Figure, ...]:
    return next((case.figures for case in run.plan.cases if rows and case.name == rows[0].case), ())


def _column(figure: Figure, rows: Sequence[Row]) -> tuple[Heading, list[str]]:
    shown = [row.valid and row.gross_ns is not None for row in rows]
    values = [row.extra_figures.get(figure.name) for row in rows]
    known = [value for value, show in zip(values, shown, strict=True) if show and value is not None]
    middle = median(known) if known else 0.0
    size, unit = next((each for each in UNITS if middle >= each[0]), UNITS[-1])
    cells = figures([None if value is None else value / size for value in values], shown)
    return Heading(f"extra {figure.name}", (one_line(figure.heading), unit), name=one_line(figure.heading)), cells
