"""From a run to its comparison: rows with ratios to the baseline, intervals and ties. Arithmetic alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from msgspec.structs import replace

from ffibench.model import (
    BASELINE,
    CONTROL,
    Comparison,
    Contestant,
    PlannedCase,
    PlannedWorker,
    Row,
    Run,
    Slice,
    Speed,
    Unavailable,
    WorkerRecord,
)
from ffibench.results.blocks import block_of, blocks
from ffibench.results.validity import Counted, counted_rows, not_ranked, wrong_row
from ffibench.results.warnings import run_warnings
from ffibench.stats import (
    CONFIDENCE,
    Measured,
    Sample,
    disturbed,
    extra_figures,
    measured,
    median_bounds,
    paired_ratio,
    resolution,
    settled,
    settled_processes,
    ties,
    two_groups,
)


@dataclass(frozen=True)
class _Baseline:
    """The baseline of a case that has figures: its key, and nanoseconds an operation over all its processes."""

    key: str
    gross_ns: float


@dataclass(frozen=True)
class _Entry:
    """A row and the sample that it was made of; None where there is none to rank it by."""

    row: Row
    sample: Sample | None


def compare(run: Run) -> Comparison:
    """Return what the finished rounds of a run say. Without a round there are no rows."""
    if not run.rounds:
        return with_warnings(run, Comparison(rows=(), resolution={}))
    rows: list[Row] = []
    smallest: dict[str, float] = {}
    found = measured(run.rounds)
    counted = counted_rows(run)
    for case in run.plan.compared():
        baseline = _baseline(run, found, case, counted)
        workers = run.plan.rows_of(case)
        entries = _sorted([_entry(run, found, worker, case, counted, baseline) for worker in workers])
        missing = [each for each in run.plan.unavailable if each.cases is None or case.name in each.cases]
        resolutions = []
        for block in blocks(
            [*(entry.row.block for entry in entries), *(block_of(each.contestant) for each in missing)]
        ):
            members = [entry for entry in entries if entry.row.block == block]
            samples = [entry.sample.gross_ns for entry in members if entry.sample is not None]
            letters = iter(_letters(samples))
            rows += [entry.row if entry.sample is None else replace(entry.row, tie=next(letters)) for entry in members]
            rows += [_unavailable(each, case, run) for each in missing if block_of(each.contestant) == block]
            if len(samples) > 1:
                resolutions.append(resolution(samples))
        if resolutions and all(value is not None for value in resolutions):
            smallest[case.name] = max(value for value in resolutions if value is not None)
    return with_warnings(run, Comparison(rows=tuple(rows), resolution=smallest))


def with_warnings(run: Run, comparison: Comparison) -> Comparison:
    """Return a comparison with the warnings of the run as it is now: its end and its last host tell more."""
    return replace(comparison, warnings=run_warnings(run, comparison.rows))


def _baseline(run: Run, found: Measured, case: PlannedCase, counted: Counted) -> _Baseline | None:
    """Return what the rows of a case are compared with; None where it is wrong or has no figures."""
    worker = run.plan.baseline_of(case)
    own = found.sample(worker.key, case)
    if own is None or wrong_row(run, found, worker, case, counted):
        return None
    return _Baseline(worker.key, median(own.gross_ns))


def _letters(samples: Sequence[Sequence[float]]) -> Sequence[str | None]:
    """Return the letters of a block's rows; without any where the rounds or the alphabet do not carry them."""
    try:
        return ties(samples) or [None] * len(samples)
    except ValueError:  # more than 52 letters: many rows under many interpreters
        return [None] * len(samples)


def _entry(
    run: Run,
    found: Measured,
    worker: PlannedWorker,
    case: PlannedCase,
    counted: Counted,
    baseline: _Baseline | None,
) -> _Entry:
    """Return the row of one contestant in one case, without its letters. `baseline` is None where it has no figures."""
    records = found.records_of(worker.key)
    own = found.sample(worker.key, case)
    reference = None if baseline is None else found.beside(worker.key, baseline.key, case)
    audit = counted.worst(worker.key, case)
    row = replace(
        _row(worker.contestant, worker.role, case),
        version=_version(worker.contestant, records),
        process=worker.label,
        audit=None if audit is None else audit.verdict,
        native_calls=None if audit is None else audit.calls_an_operation,
    )
    invalid = wrong_row(run, found, worker, case, counted)
    if invalid is not None or own is None or baseline is None or reference is None:
        reason = invalid or ("The baseline has no figures." if baseline is None else "It has no figures.")
        rounds = len({process.round for process in found.processes.get(worker.key, ())})
        return _Entry(replace(row, rounds=rounds, valid=False, reason=reason), None)
    estimate = paired_ratio(own.gross_ns, reference.gross_ns)
    interval = estimate.interval
    timed = found.slices_of(worker.key, case, "timed")
    times = [[each.wall_ns for each in slices] for slices in timed]
    warming = found.slices_of(worker.key, case, "warmup")
    usages = [record.usage for record in records if record.usage is not None]
    groups = two_groups(own.gross_ns) or ()
    shown = groups[0].members if groups else range(estimate.rounds)
    added = [own.gross_ns[each] - reference.gross_ns[each] for each in shown]
    bounds = median_bounds(added, CONFIDENCE)
    row = replace(
        row,
        rounds=estimate.rounds,
        gross_ns=median(own.gross_ns[each] for each in shown),
        net_ns=median(own.net_ns[each] for each in shown),
        added_ns=median(added),
        added_low_ns=None if bounds is None else bounds[0],
        added_high_ns=None if bounds is None else bounds[1],
        baseline_ns=baseline.gross_ns,
        speeds=tuple(Speed(gross_ns=group.time, processes=len(group.members)) for group in groups),
        cold_ns=_cold_ns(found.slices_of(worker.key, case, "cold"), case),
        ratio=estimate.ratio,
        ratio_low=None if interval is None else interval.low,
        ratio_high=None if interval is None else interval.high,
        receipts=sum(map(len, [*warming, *timed])),
        timed_slices=sum(map(len, timed)),
        disturbed=sum(run.plan.alone and disturbed(each.wall_ns, each.cpu_ns) for slices in timed for each in slices),
        extra_figures=extra_figures(records, case),
        settled=settled(times),
        settled_processes=None if worker.warmup is None else settled_processes(times),
        real_s=median(usage.real_s for usage in usages),
        user_s=median(usage.user_s for usage in usages),
        system_s=median(usage.system_s for usage in usages),
        valid=True,
        reason=not_ranked(run, worker.contestant, records, audit),
    )
    return _Entry(row, own if row.reason is None else None)


def _cold_ns(slices_by_process: Sequence[Sequence[Slice]], case: PlannedCase) -> float | None:
    """Return the time of one of the first calls, the median over processes; None where they were not measured."""
    times = [each.wall_ns / case.cold for slices in slices_by_process for each in slices]
    return median(times) if times else None


def _row(contestant: Contestant, role: str, case: PlannedCase) -> Row:
    """Return a row that knows its names and no figures."""
    return Row(
        contestant=contestant.name,
        role=role,
        interpreter=contestant.interpreter,
        case=case.name,
        version=contestant.version,
        block=block_of(contestant),
        lock=contestant.lock,
        iterations=case.iterations,
        clock=case.clock,
        group=case.group,
        bytes=case.bytes,
        series=case.series,
        point=case.point,
        rounds=0,
        gross_ns=None,
        net_ns=None,
        added_ns=None,
        ratio=None,
        ratio_low=None,
        ratio_high=None,
        tie=None,
        receipts=0,
        disturbed=0,
        valid=False,
    )


def _unavailable(unavailable: Unavailable, case: PlannedCase, run: Run) -> Row:
    role = run.plan.baseline_of(case).role
    return replace(_row(unavailable.contestant, role, case), reason=unavailable.reason)


def _sorted(entries: Sequence[_Entry]) -> list[_Entry]:
    """Baseline and control first, then fastest to slowest, and last what has no figures."""
    order = {BASELINE: 0, CONTROL: 1}

    def place(entry: _Entry) -> tuple[int, bool, float]:
        gross = entry.row.gross_ns
        return order.get(entry.row.contestant, 2), gross is None, gross or 0.0

    return sorted(entries, key=place)


def _version(contestant: Contestant, records: Sequence[WorkerRecord]) -> str:
    said = next((record.versions["binding"] for record in records if record.versions.get("binding")), "")
    return contestant.version or said
