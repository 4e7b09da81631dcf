"""Plans carried out as a command does it, with the comparison that a command makes of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ffibench.harness.run import execute
from ffibench.model import Comparison, Plan, Progress, Run
from ffibench.results.compare import compare


def executed(
    plan: Plan,
    keep: Callable[[Run], object] = lambda _: None,
    observe: Callable[[Progress], object] = lambda _: None,
    **options: Any,  # noqa: ANN401 (those of `execute`)
) -> Run:
    """Carry a plan out and return the run; `keep` gets what there is after each round."""

    def kept(run: Run, comparison: Comparison) -> None:
        keep(run)

    def observed(progress: Progress) -> None:
        observe(progress)

    run, _ = execute(plan, compare=compare, keep=kept, observe=observed, **options)
    return run
