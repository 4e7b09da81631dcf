"""Whether what a run says of the bindings that it measured can be."""

from __future__ import annotations

from collections.abc import Iterator

from ffibench.model import Run
from ffibench.proof.quoting import named


def cost_contradictions(run: Run) -> Iterator[str]:
    """Yield what cannot be in the parts of bindings, each with its place."""
    planned = {(worker.contestant.name, worker.contestant.interpreter) for worker in run.plan.workers}
    seen: set[tuple[str, str]] = set()
    for number, parts in enumerate(run.bindings):
        place = f"$.bindings[{number}]"
        who = parts.contestant, parts.interpreter
        name = named(f"{parts.contestant} [{parts.interpreter}]")
        if who in seen:
            yield f"A second binding of {name} - at `{place}`"
        if who not in planned:
            yield f"A binding of {name}, which is not in the plan - at `{place}`"
        seen.add(who)
