"""What `ffibench selftest --aa N` does: N whole runs of one C program against itself, and what they say together."""

from __future__ import annotations

from ffibench.host.machine import describe_host
from ffibench.model import Plan
from ffibench.plan.make import make_plan
from ffibench.plan.options import ContestantOptions, PlanOptions
from ffibench.selftest.aa import FOLDER, Repeat, aa_plan, repeat_of
from ffibench.selftest.summing import Summary, summary
from ffibench.workflow.machine import require_proc
from ffibench.workflow.prepare import prepare
from ffibench.workflow.selftest import execute_unkept, now, seed_or_drawn
from ffibench.workflow.steps import Observer, OneRun, unobserved


def aa(runs: int, seed: int | None = None, *, observe: Observer = unobserved) -> Summary:
    """Carry out so many runs and sum them up; after an interrupt those that were finished.

    Raises FfibenchError where it cannot begin.
    """
    require_proc()
    seed = seed_or_drawn(seed)
    started = now()
    plan = _plan(seed, observe)
    repeats: list[Repeat] = []
    interrupted = False
    try:
        for number in range(runs):
            step = OneRun(number=number + 1, runs=runs)
            run, comparison = execute_unkept(aa_plan(plan, seed + number), step, observe)
            repeats.append(repeat_of(run, comparison))
    except KeyboardInterrupt:
        interrupted = True
    return summary(
        repeats, asked=runs, seed=seed, started=started, tool=describe_host(None).tool, interrupted=interrupted
    )


def _plan(seed: int, observe: Observer) -> Plan:
    """Build the program and plan a default run of it and its control."""
    prepared = prepare(str(FOLDER), ContestantOptions(), observe=observe)
    return make_plan(prepared.folder, prepared.chosen, prepared.unavailable, prepared.library, PlanOptions(seed=seed))
