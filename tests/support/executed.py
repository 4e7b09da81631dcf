"""Plans of scripted workers carried out as a command does it, with the comparison that a command makes of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from ffibench.harness.run import execute
from ffibench.model import Comparison, Plan, Progress, Run
from ffibench.results.compare import compare
from support.contestants import Script, scripted_plan


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

    run, _ = execute(plan, compare=figures, keep=kept, observe=observed, **options)
    return run


def figures(run: Run) -> Comparison:
    """Compare the rows of a run without the clocks of the harness, which deny none of them then.

    They would deny the times that scripted workers make up, and where others are at work they may deny honest ones.
    """
    rounds = (
        replace(part, records=tuple(replace(record, clocks=None) for record in part.records)) for part in run.rounds
    )
    return compare(replace(run, rounds=tuple(rounds)))


class Recorder:
    """Carries out plans of scripted workers, and notes what was kept and observed meanwhile."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.kept: list[Run] = []
        self.observed: list[Progress] = []

    def run(self, scripts: dict[str, float | Script], **changes: Any) -> Run:  # noqa: ANN401
        plan = scripted_plan(self.folder, scripts, **changes)
        return executed(plan, keep=self.kept.append, observe=self.observed.append)


def ran(run: Run) -> list[list[str]]:
    """The contestants of each round, sorted."""
    return [sorted(record.key.partition(" ")[0] for record in each.records) for each in run.rounds]
