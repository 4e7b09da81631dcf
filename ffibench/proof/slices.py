"""The slices that a plan asks of a worker, in their order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ffibench.model import Plan, SliceKind


def expected(plan: Plan) -> Iterator[tuple[SliceKind, int]]:
    """Yield the slices of a case in the order in which the worker prints them."""
    counts: Sequence[tuple[SliceKind, int]] = (
        ("warmup", plan.warmup),
        ("timed", plan.slices),
        ("empty", plan.slices),
    )
    for kind, count in counts:
        for number in range(count):
            yield kind, number
