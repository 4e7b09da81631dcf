"""Whether a plan can be carried out: what a comparison of its rounds takes for granted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ffibench.model import BASELINE, Plan
from ffibench.proof.quoting import named


def plan_contradictions(plan: Plan) -> Iterator[str]:
    """Yield what cannot be in a plan, each with its place."""
    if not any(worker.contestant.name == BASELINE for worker in plan.workers):
        yield f"There is no baseline {BASELINE} - at `$.plan.workers`"
    for key in _twice(worker.key for worker in plan.workers):
        yield f"There is {named(key)} twice - at `$.plan.workers`"
    for name in _twice(case.name for case in plan.cases):
        yield f"There is the case {named(name)} twice - at `$.plan.cases`"
    if plan.rounds_min > plan.rounds_max:
        yield f"At least {plan.rounds_min} and at most {plan.rounds_max} rounds - at `$.plan.rounds_min`"
    for index, worker in enumerate(plan.workers):
        yield from _cases(plan, worker.cases or (), f"$.plan.workers[{index}].cases")
        yield from _cases(plan, worker.cannot, f"$.plan.workers[{index}].cannot")
        asked = ",".join(f"{case.worker_name}:{case.iterations}" for case in plan.cases_of(worker))
        if worker.arguments.get("cases", asked) != asked:
            yield f"Other cases than the plan's, {named(asked)} - at `$.plan.workers[{index}].arguments.cases`"
    for index, case in enumerate(plan.cases):
        rows = plan.rows_of(case)
        if rows and not any(worker.contestant.name == BASELINE for worker in rows):
            yield f"A case without the baseline {BASELINE} - at `$.plan.cases[{index}]`"


def _cases(plan: Plan, names: Iterable[str], place: str) -> Iterator[str]:
    names = list(names)
    for name in names:
        if name not in plan.by_name:
            yield f"There is no case {named(name)} - at `{place}`"
    for name in _twice(names):
        yield f"There is the case {named(name)} twice - at `{place}`"


def _twice(names: Iterable[str]) -> Iterator[str]:
    """Yield the names that came before."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            yield name
        seen.add(name)
