"""A whole run: round after round until the intervals are narrow enough. Each round is kept when it is done."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from datetime import datetime, timezone

from msgspec.structs import replace

from ffibench.harness.rounds import Count, endpoints, removed_file, run_round
from ffibench.host.machine import describe_host, worker_cpu
from ffibench.interrupts import postponed
from ffibench.model import BASELINE, Audit, Comparison, Ending, Host, HostSample, Plan, Progress, Round, Run
from ffibench.stats import Interval, Limits, stop


def execute(
    plan: Plan,
    *,
    audits: Sequence[Audit] = (),
    before: HostSample | None = None,
    count: Count | None = None,
    compare: Callable[[Run], Comparison],
    keep: Callable[[Run, Comparison], None],
    observe: Callable[[Progress], None],
) -> tuple[Run, Comparison]:
    """Execute a plan and return the run with its comparison.

    `compare` is called once per round, and its result decides whether there is another round. `keep` is called before
    the first round and after each round, `observe` after each round; no worker runs meanwhile. Contestants whose
    `audits` are all invalid are not timed; `count` counts the calls of each once more, in a round that is drawn, and
    it is not timed after one that is invalid. `before` is the host's noise before the run, where it was sampled. An
    interrupt, a failure of the baseline and the loss of what workers are started from end the run with the finished
    rounds. Raises FfibenchError where the run cannot start.
    """
    cpu = worker_cpu() if plan.pinned else None
    started = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
    run = Run(started=started, plan=plan, host=describe_host(cpu), audits=tuple(audits), before=before)
    comparison = compare(run)
    try:
        with postponed(), endpoints(plan) as addresses:  # interrupts are delivered while a worker is waited for
            keep(run, comparison)
            clock = time.monotonic()
            while run.ending is None:
                failed = frozenset(_failed(run))
                latest = run_round(plan, len(run.rounds) + 1, failed, addresses, run.host, count)
                if _any_failed(latest) and removed_file(plan) is not None:
                    run = replace(run, ending="files removed", after=_after(run.host))
                    keep(run, comparison)
                    break
                run = replace(run, rounds=(*run.rounds, latest))
                comparison = compare(run)
                widths = half_widths(run, comparison)
                seconds = time.monotonic() - clock
                ending = _ending(run, widths, seconds)
                run = replace(run, ending=ending, after=None if ending is None else _after(run.host))
                keep(run, comparison)
                observe(_progress(run, comparison, widths, seconds))
    except KeyboardInterrupt:
        run = replace(run, ending="interrupted", after=_after(run.host))
        keep(run, comparison)
    return run, comparison


def half_widths(run: Run, comparison: Comparison) -> list[float | None]:
    """Return the half-width of every interval that decides when a run ends; None where there is none yet."""
    deciding = {case.name for case in run.plan.compared() if case.decides}
    return [
        None if row.ratio_low is None or row.ratio_high is None else Interval(row.ratio_low, row.ratio_high).half_width
        for row in comparison.rows
        if row.case in deciding and row.gross_ns is not None and row.contestant != BASELINE
    ]


def _after(before: Host) -> Host | None:
    """Return the host now, where it has changed: on battery, with a tracer, with another clock."""
    now = describe_host(before.pinned_to)
    return None if now == before else now


def _failed(run: Run) -> list[str]:
    audited = {audit.key for audit in run.audits}
    sound = {audit.key for audit in run.audits if audit.verdict != "invalid"}
    again = {audit.key for audit in run.counted_again if audit.verdict == "invalid"}
    return [*(audited - sound), *again, *_failed_in_a_round(run)]


def _any_failed(latest: Round) -> bool:
    invalid = any(audit.verdict == "invalid" for audit in latest.audits)
    return invalid or any(record.failure is not None for record in latest.records)


def _failed_in_a_round(run: Run) -> list[str]:
    return [record.key for each in run.rounds for record in each.records if record.failure is not None]


def _ending(run: Run, widths: list[float | None], seconds: float) -> Ending | None:
    plan = run.plan
    latest = run.rounds[-1].records
    failed = {record.key for record in latest if record.failure is not None}
    sound = {record.key for record in latest} - failed
    if any(plan.baseline_of(case).key not in sound for case in plan.compared()):
        return "baseline failed"
    return stop(_limits(plan), len(run.rounds), seconds, widths, seconds / len(run.rounds))


def _limits(plan: Plan) -> Limits:
    return Limits(plan.rounds_min, plan.rounds_max, plan.seconds_max or math.inf, plan.precision)


def _progress(run: Run, comparison: Comparison, widths: list[float | None], seconds: float) -> Progress:
    plan, rounds = run.plan, len(run.rounds)
    known = [width for width in widths if width is not None]
    return Progress(
        run=run,
        comparison=comparison,
        rounds_max=plan.rounds_max,
        rows=len(widths),
        wide=sum(width is None or width > plan.precision for width in widths),
        widest=max(known) if known and len(known) == len(widths) else None,
        seconds=seconds,
        seconds_left=_limits(plan).seconds_left(rounds, seconds, seconds / rounds),
    )
