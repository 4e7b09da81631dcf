"""The results of a selftest: its runs, with the checks of each."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from msgspec import Struct

from ffibench.model import Run
from ffibench.selftest.verdict import CONFIDENCE, Agreement, Check
from ffibench.stats import disturbed


class Examined(Struct, frozen=True, kw_only=True):
    """One run of spins, with its checks."""

    title: str
    rounds: int
    processes: int
    seconds: float
    disturbed: float
    """Share of the timed slices whose wall time exceeded their CPU time by more than 2 %."""
    pressure: float | None
    """Share of time in which some task waited for a processor, the median over rounds; None where not reported."""
    checks: tuple[Check, ...]
    attempts: int = 1
    """How often it was run: twice where the first run contradicted an answer. The checks are those of the last run."""

    def contradicted(self) -> bool:
        """Return whether an answer is contradicted."""
        return any(check.verdict == "contradicted" for check in self.checks)


class Answers(Struct, frozen=True, kw_only=True):
    """A selftest, as `--json` writes it."""

    seed: int
    started: str
    """ISO 8601, UTC."""
    tool: str
    interrupted: bool
    confidence: float = CONFIDENCE
    runs: tuple[Examined, ...]

    def count(self, verdict: Agreement) -> int:
        """Count the checks of one verdict."""
        return sum(check.verdict == verdict for run in self.runs for check in run.checks)


def examined(run: Run, checks: Sequence[Check]) -> Examined:
    """Return the summary of a finished run with its checks."""
    records = [record for each in run.rounds for record in each.records]
    slices = [one for record in records for one in record.slices if one.kind == "timed"]
    pressures = [each.host.pressure for each in run.rounds if each.host.pressure is not None]
    return Examined(
        title=run.plan.title,
        rounds=len(run.rounds),
        processes=len(records),
        seconds=sum(each.seconds for each in run.rounds),
        disturbed=sum(disturbed(one.wall_ns, one.cpu_ns) for one in slices) / max(len(slices), 1),
        pressure=median(pressures) if pressures else None,
        checks=tuple(checks),
    )
