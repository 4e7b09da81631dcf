"""A process is asked for its cases in an order of its own, where the plan has it drawn."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ffibench.model import Plan, PlannedWorker
from ffibench.proof.slices import drawn_cases


def in_drawn_order(
    team: Sequence[PlannedWorker], plan: Plan, *drawn_for: object
) -> tuple[Sequence[PlannedWorker], Plan]:
    """Return a team and its plan with the cases in the order of one process; `drawn_for` as for `drawn_cases`."""
    if not plan.shuffled:
        return team, plan
    drawn = replace(plan, cases=drawn_cases(plan, *drawn_for))
    return [asked(worker, drawn) for worker in team], drawn


def asked(worker: PlannedWorker, plan: Plan) -> PlannedWorker:
    """Return the worker with the cases of a plan in its arguments, in their order there."""
    cases = ",".join(f"{case.worker_name}:{case.iterations}" for case in plan.cases_of(worker))
    return replace(worker, arguments={**worker.arguments, "cases": cases})
