"""Several plans carried out side by side: a round of each in turn, so that what the host does meets all of them."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import datetime, timezone
from random import Random

from msgspec.structs import replace

from ffibench.errors import FfibenchError
from ffibench.harness.rounds import endpoints, run_round
from ffibench.host.machine import describe_host, worker_cpu
from ffibench.interrupts import postponed
from ffibench.model import BASELINE, Audit, Ending, Plan, Round, Run
from ffibench.stats import Limits, stop


def execute_beside(
    plans: Sequence[Plan], audits: Sequence[Sequence[Audit]], *, observe: Callable[[Sequence[Run], float], None]
) -> tuple[Run, ...]:
    """Carry out plans side by side, and return their runs, which have the same number of rounds.

    The first plan says how many rounds there are, and after how many seconds there is no other; within a round the
    order of the plans is drawn. `audits` are those of each plan. `observe` is called after each round with all runs and
    the seconds so far. An interrupt ends them with the finished rounds. Raises FfibenchError where a baseline fails,
    and KeyboardInterrupt where not one round was finished.
    """
    cpu = worker_cpu() if all(plan.pinned for plan in plans) else None
    started = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
    host = describe_host(cpu)
    runs = [
        Run(started=started, plan=plan, host=host, audits=tuple(own)) for plan, own in zip(plans, audits, strict=True)
    ]
    leading = plans[0]
    limits = Limits(leading.rounds_min, leading.rounds_max, leading.seconds_max or math.inf, leading.precision)
    with postponed(), ExitStack() as stack:
        addresses = [stack.enter_context(endpoints(plan)) for plan in plans]
        clock = time.monotonic()
        ending: Ending | None = None
        try:
            while ending is None:
                number = len(runs[0].rounds) + 1
                latest: dict[int, Round] = {}
                for place in _order(leading, number, len(plans)):
                    failed = frozenset(_failed(runs[place]))
                    latest[place] = run_round(plans[place], number, failed, addresses[place], host)
                    _require_baseline(plans[place], latest[place])
                runs = [replace(run, rounds=(*run.rounds, latest[place])) for place, run in enumerate(runs)]
                seconds = time.monotonic() - clock
                # Precision is that of ratios to the baseline, which is not what is asked of a price.
                ending = stop(limits, number, seconds, [None], seconds / number)
                observe(runs, seconds)
        except KeyboardInterrupt:
            if not runs[0].rounds:
                raise
            ending = "interrupted"
    return tuple(replace(run, ending=ending) for run in runs)


def _order(plan: Plan, number: int, count: int) -> list[int]:
    places = list(range(count))
    Random(f"{plan.seed}/{number}/plans").shuffle(places)
    return places


def _failed(run: Run) -> list[str]:
    """Return the workers that are not worth another process: invalid in an audit, or failed in a round."""
    sound = {audit.key for audit in run.audits if audit.verdict != "invalid"}
    invalid = {audit.key for audit in run.audits} - sound
    return [*invalid, *(record.key for each in run.rounds for record in each.records if record.failure is not None)]


def _require_baseline(plan: Plan, latest: Round) -> None:
    keys = {worker.key for worker in plan.workers if worker.contestant.name == BASELINE}
    for record in latest.records:
        if record.key in keys and record.failure is not None:
            raise FfibenchError(
                f"{BASELINE}, with which all is compared, {record.failure}",
                fix=f"see `ffibench run {plan.experiment} -c {BASELINE}`",
            )
