"""What `ffibench selftest` does: measure contestants whose cost is known, and judge what was found."""

from __future__ import annotations

import secrets
from datetime import datetime, timezone

from msgspec.structs import replace

from ffibench.harness.run import execute
from ffibench.host.machine import describe_host
from ffibench.model import Comparison, Plan, Run
from ffibench.results.compare import compare
from ffibench.selftest.answers import Answers, Examined, examined
from ffibench.selftest.scenarios import SCENARIOS, Scenario
from ffibench.temporary import temporary_folder
from ffibench.workflow.machine import require_limits, require_proc
from ffibench.workflow.steps import Observer, OneRun, unobserved

SEED_BITS = 32


def selftest(seed: int | None = None, *, observe: Observer = unobserved) -> Answers:
    """Measure every scenario of known cost. After an interrupt the answers are those of the finished runs.

    `seed` decides the order of the contestants and is drawn where there is none. Raises FfibenchError where it
    cannot begin.
    """
    require_limits()
    require_proc()
    seed = seed_or_drawn(seed)
    started = now()
    runs: list[Examined] = []
    interrupted = False
    try:
        for number, scenario in enumerate(SCENARIOS, start=1):
            step = OneRun(number=number, runs=len(SCENARIOS), title=scenario.title)
            found = _examine(scenario, seed, step, observe)
            if found.contradicted():
                # A mistake of ours contradicts the answer again in other processes; what a host did once does not.
                again = replace(step, title=f"{scenario.title}, again")
                found = replace(_examine(scenario, seed, again, observe), attempts=2)
            runs.append(found)
    except KeyboardInterrupt:
        interrupted = True
    return Answers(seed=seed, started=started, tool=describe_host(None).tool, interrupted=interrupted, runs=tuple(runs))


def _examine(scenario: Scenario, seed: int, step: OneRun, observe: Observer) -> Examined:
    with temporary_folder() as folder:
        run, comparison = execute_unkept(scenario.plan(folder, seed), step, observe)
    return examined(run, scenario.judge(run, comparison))


def seed_or_drawn(seed: int | None) -> int:
    """Return the seed that was given, or one that is drawn."""
    return secrets.randbits(SEED_BITS) if seed is None else seed


def now() -> str:
    """Return the time, ISO 8601, UTC."""
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds")


def execute_unkept(plan: Plan, step: OneRun, observe: Observer) -> tuple[Run, Comparison]:
    """Carry a plan out; a selftest's runs are not kept among the user's.

    An interrupt is raised: of a run that was not finished nothing is judged.
    """
    observe(step)
    run, comparison = execute(
        plan,
        compare=compare,
        keep=lambda _run, _comparison: None,
        observe=lambda progress: observe(replace(step, progress=progress)),
    )
    if run.ending == "interrupted":
        raise KeyboardInterrupt
    return run, comparison
