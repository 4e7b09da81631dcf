"""All the tables of a report: one a case, and one a role for the rows of a sweep."""

from __future__ import annotations

from collections.abc import Sequence

from ffibench.model import Row, Run
from ffibench.report.summary import summary_cells
from ffibench.report.sweep import sweep_cells
from ffibench.report.table import Tabular
from ffibench.results.scaling import swept


def tables(run: Run, rows: Sequence[Row], rate: int | None = None) -> list[Tabular]:
    """Build the tables of `rows`; `rate`, in operations a second, is for those of a case."""
    return [*summary_cells(run, [row for row in rows if not swept(row)], rate), *sweep_cells(run, rows)]
