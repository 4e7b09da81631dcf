"""The times that rows were made of, for what is paired anew: two rows of a block, two points of a sweep."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ffibench.model import PlannedCase, PlannedWorker, Row, Run
from ffibench.stats import Measured, Sample, measured

RowKey = tuple[str, str, str, str]
"""Contestant, interpreter, role and case, which no two rows have in common."""


def key_of(row: Row) -> RowKey:
    """Return the key of a row."""
    return row.contestant, row.interpreter, row.role, row.case


def times_ns(run: Run, cases: Iterable[PlannedCase]) -> dict[RowKey, Sequence[float]]:
    """Return nanoseconds an operation, one a round, of each row of these cases that has them in every round."""
    return _figures(run, cases, lambda found, worker, case: _gross(found.sample(worker.key, case)))


def paired_times(run: Run, cases: Iterable[PlannedCase]) -> dict[RowKey, Sequence[float]]:
    """Return what rows of one case are paired by, one a round: nanoseconds an operation, or times the baseline's.

    Where a round has several processes of the baseline, they stand for the speed that the machine had at the time.
    """
    return _figures(run, cases, lambda found, worker, case: ranked_by(run, found, worker, case))


def ranked_by(run: Run, found: Measured, worker: PlannedWorker, case: PlannedCase) -> Sequence[float] | None:
    """Return what one row of a case is paired with another by, one a round; None where a round lacks it."""
    own = found.sample(worker.key, case)
    if not run.plan.baseline_every or own is None:
        return _gross(own)
    baseline = found.beside(worker.key, run.plan.baseline_of(case).key, case)
    if baseline is None:
        return None
    return [time / other for time, other in zip(own.gross_ns, baseline.gross_ns, strict=True)]


def _gross(sample: Sample | None) -> Sequence[float] | None:
    return None if sample is None else sample.gross_ns


def _figures(
    run: Run,
    cases: Iterable[PlannedCase],
    figures_of: Callable[[Measured, PlannedWorker, PlannedCase], Sequence[float] | None],
) -> dict[RowKey, Sequence[float]]:
    rows: dict[RowKey, Sequence[float]] = {}
    found = measured(run.rounds)
    for case in cases:
        for worker in run.plan.rows_of(case):
            own = figures_of(found, worker, case)
            if own is not None:
                rows[worker.contestant.name, worker.contestant.interpreter, worker.role, case.name] = own
    return rows
