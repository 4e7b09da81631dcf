"""What the binding of each contestant costs, from what its processes reported of their start."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median

from ffibench.model import CONTROL, BindingCosts, PlannedWorker, Run, Spread, WorkerCosts
from ffibench.stats import CONFIDENCE, median_bounds


def binding_costs(run: Run) -> tuple[BindingCosts, ...]:
    """Return a row a contestant, in the order of the plan; none of a run that was made without `--costs`.

    Of a contestant with several workers, one a point of a sweep or a role, it is the first: all import the same. The
    control is the baseline's own program.
    """
    if not run.bindings and all(record.costs is None for each in run.rounds for record in each.records):
        return ()
    workers: dict[tuple[str, str], PlannedWorker] = {}
    for worker in run.plan.workers:
        if not worker.supporting and worker.contestant.name != CONTROL:
            workers.setdefault((worker.contestant.name, worker.contestant.interpreter), worker)
    parts = {(each.contestant, each.interpreter): each for each in run.bindings}
    rows = []
    for (contestant, interpreter), worker in workers.items():
        found = _reported(run, worker)
        rows.append(
            BindingCosts(
                contestant=contestant,
                interpreter=interpreter,
                rounds=len(found),
                parts=parts.get((contestant, interpreter)),
                import_ns=_spread(each.import_ns for each in found),
                first_call_ns=_spread(each.first_call_ns or None for each in found),
                rss_bytes=_spread(each.rss_bytes for each in found),
                pss_bytes=_spread(each.pss_bytes for each in found),
            )
        )
    return tuple(rows)


def _reported(run: Run, worker: PlannedWorker) -> list[WorkerCosts]:
    """Return what one process of a worker reported in each round that it did not fail in."""
    rounds = ([record for record in each.records if record.key == worker.key] for each in run.rounds)
    first = (records[0] for records in rounds if records)
    return [record.costs for record in first if record.costs is not None and record.failure is None]


def _spread(values: Iterable[int | None]) -> Spread | None:
    """Return the median with its exact interval; None where a process did not report the figure, or none did."""
    known = list(values)
    numbers = [float(value) for value in known if value is not None]
    if not numbers or len(numbers) != len(known):
        return None
    low, high = median_bounds(numbers, CONFIDENCE) or (None, None)
    return Spread(median=median(numbers), low=low, high=high)
