"""Runs without noise, and the rows of their comparison by name."""

from __future__ import annotations

from msgspec.structs import replace

from ffibench.model import Comparison, Row, WorkerRecord

ROUNDS = 12
REASON = "ended with status 3, saying 'words'"


def steady(**times: float) -> dict[str, list[float]]:
    """Twelve rounds without noise; `c=20, a=50` are `c` and `python/a`."""
    names = {name: name if name in {"c", "control"} else f"python/{name.replace('_nogil', '~nogil')}" for name in times}
    return {names[name]: [time] * ROUNDS for name, time in times.items()}


def by_name(comparison: Comparison, case: str = "send") -> dict[str, Row]:
    return {row.contestant: row for row in comparison.rows if row.case == case}


def names(comparison: Comparison) -> list[str]:
    return [row.contestant for row in comparison.rows]


def fail(record: WorkerRecord) -> WorkerRecord:
    return replace(record, failure=REASON, usage=None)
