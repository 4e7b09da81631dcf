"""All the tables of a report: one a case, and one a role for the rows of a sweep."""

from __future__ import annotations

from collections.abc import Sequence

from ffibench.model import Row, Run
from ffibench.report.case_table import case_tables
from ffibench.report.sweep_table import sweep_tables
from ffibench.report.table import Tabular
from ffibench.results.scaling import swept


def tables(run: Run, rows: Sequence[Row], rate: int | None = None) -> list[Tabular]:
    """Build the tables of `rows`; `rate`, in operations a second, is for those of a case."""
    return [*case_tables(run, [row for row in rows if not swept(row)], rate), *sweep_tables(run, rows)]
