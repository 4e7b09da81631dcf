"""The slices that a plan asks of a worker, and the cases of a process, in their order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from ffibench.model import Plan, PlannedCase, PlannedWorker, SliceKind


def expected(plan: Plan, worker: PlannedWorker) -> Iterator[tuple[SliceKind, int]]:
    """Yield the slices of a case in the order in which the worker prints them."""
    counts: Sequence[tuple[SliceKind, int]] = (
        ("cold", int(plan.cold > 0)),
        ("warmup", plan.warmup_of(worker)),
        ("timed", plan.slices),
        ("empty", plan.slices),
    )
    for kind, count in counts:
        for number in range(count):
            yield kind, number


def drawn_cases(plan: Plan, *drawn_for: object) -> tuple[PlannedCase, ...]:
    """Return the cases of a plan in the order of one process, where the plan has it drawn: it follows from the seed.

    An inline cache, a branch predictor and a heap know what ran before, so that a case with a fixed place in a process
    would have the same neighbour in all rounds. `drawn_for` tells one process from the others: in a round its number,
    the key of the first worker of the team, and how many processes of that team the round had before.
    """
    cases = list(plan.cases)
    if plan.shuffled:
        Random("/".join(map(str, (plan.seed, *drawn_for, "cases")))).shuffle(cases)
    return tuple(cases)
