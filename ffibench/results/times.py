"""The times that rows were made of, for what is paired anew: two rows of a block, two points of a sweep."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ffibench.model import PlannedCase, Row, Run
from ffibench.stats import measured

RATIO_FROM_NS = 10.0
"""Of the baseline: what takes less is compared by the difference, since dividing by a nanosecond makes big numbers."""

RowKey = tuple[str, str, str, str]
"""Contestant, interpreter, role and case, which no two rows have in common."""


def key_of(row: Row) -> RowKey:
    """Return the key of a row."""
    return row.contestant, row.interpreter, row.role, row.case


def is_divided(row: Row) -> bool:
    """Return whether a row's ratio to the baseline is shown, and not the difference alone."""
    return row.baseline_ns is None or row.baseline_ns > RATIO_FROM_NS


def times_ns(run: Run, cases: Iterable[PlannedCase]) -> dict[RowKey, Sequence[float]]:
    """Return nanoseconds an operation, one a round, of each row of these cases that has them in every round."""
    times: dict[RowKey, Sequence[float]] = {}
    found = measured(run.rounds)
    for case in cases:
        for worker in run.plan.rows_of(case):
            own = found.sample(worker.key, case)
            if own is not None:
                times[worker.contestant.name, worker.contestant.interpreter, worker.role, case.name] = own.gross_ns
    return times
