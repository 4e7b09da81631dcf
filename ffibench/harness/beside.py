"""Several plans carried out side by side: what the host does meets all of them, and a contestant in all at once."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from datetime import datetime, timezone
from random import Random

from msgspec.structs import replace

from ffibench.errors import FfibenchError
from ffibench.harness.rounds import RoundUnderWay, Team, endpoints, order
from ffibench.host.machine import describe_host, worker_cpu
from ffibench.interrupts import postponed
from ffibench.model import BASELINE, Audit, Ending, Host, Plan, Round, Run
from ffibench.stats import Limits, stop


def execute_beside(
    plans: Sequence[Plan], audits: Sequence[Sequence[Audit]], *, observe: Callable[[Sequence[Run], float], None]
) -> tuple[Run, ...]:
    """Carry out plans side by side, and return their runs, which have the same number of rounds.

    The first plan says how many rounds there are, after how many seconds there is no other, and in which order a round
    runs. Beside each process of a contestant are those of that name of the others: the speed of a machine changes in a
    fraction of a second. `audits` are those of each plan. `observe` is called after each round with all runs and
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
                latest = _run_round(runs, number, addresses, host)
                runs = [replace(run, rounds=(*run.rounds, each)) for run, each in zip(runs, latest, strict=True)]
                seconds = time.monotonic() - clock
                # Precision is that of ratios to the baseline, which is not what is asked of a price.
                ending = stop(limits, number, seconds, [None], seconds / number)
                observe(runs, seconds)
        except KeyboardInterrupt:
            if not runs[0].rounds:
                raise
            ending = "interrupted"
    return tuple(replace(run, ending=ending) for run in runs)


def _run_round(runs: Sequence[Run], number: int, addresses: Sequence[Sequence[str | None]], host: Host) -> list[Round]:
    """Run a round of each plan. Raises FfibenchError where a baseline fails."""
    under_way = [
        RoundUnderWay(run.plan, number, frozenset(_failed(run)), own, host)
        for run, own in zip(runs, addresses, strict=True)
    ]
    for team, place in order_beside([run.plan for run in runs], number):
        if not under_way[place].run(team):
            break
    latest = [each.finish() for each in under_way]
    for run, each in zip(runs, latest, strict=True):
        _require_baseline(run.plan, each)
    return latest


def order_beside(plans: Sequence[Plan], number: int) -> list[tuple[Team, int]]:
    """Return the teams of a round of all plans, each with the place of its plan.

    They are in the order of the first plan. The first processes of a contestant, one of each plan, follow each other in
    drawn order, and so do its second ones: the baseline has several. Where the first plan has fewer, the others' are
    put where they happen to be.
    """
    draw = Random(f"{plans[0].seed}/{number}/beside")
    others: dict[tuple[str, int], list[tuple[Team, int]]] = {}
    for place, plan in enumerate(plans[1:], 1):
        for which, team in _numbered(order(plan, number)):
            others.setdefault(which, []).append((team, place))
    groups = [[(team, 0), *others.pop(which, ())] for which, team in _numbered(order(plans[0], number))]
    for left in others.values():
        groups.insert(draw.randint(0, len(groups)), left)
    return [each for group in groups for each in draw.sample(group, len(group))]


def _numbered(teams: Sequence[Team]) -> Iterator[tuple[tuple[str, int], Team]]:
    """Yield each team with the name of its contestant and how many of that name come before it."""
    before: Counter[str] = Counter()
    for team in teams:
        name = team[0].contestant.name
        yield (name, before[name]), team
        before[name] += 1


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
