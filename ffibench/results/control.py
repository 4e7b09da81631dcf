"""How far the control lies from the baseline, where that is significant. Arithmetic alone.

Both are one program, so that what parts them is the error of the run itself.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from ffibench.model import CONTROL, Row, Run
from ffibench.results.times import key_of
from ffibench.stats import Estimate, holm, measured, paired_ratio, sign_test

LEVEL = 0.05
"""The chance of finding any error in a run that has none, over all its cases."""


class ControlGap(Struct, frozen=True, kw_only=True):
    """A case in which control differs significantly from the baseline, and how many times as long it took."""

    row: Row
    ratio: Estimate

    @property
    def error(self) -> float:
        """The error as a share: 0.02 where control took 1.02 or 0.98 times as long."""
        return abs(self.ratio.ratio - 1)


def control_gaps(run: Run, rows: Iterable[Row]) -> tuple[ControlGap, ...]:
    """Return the cases in which control differs from the baseline, the largest error first.

    The sign test on the paired rounds of each case, with Holm's adjustment over the cases: of the 28 cells of a sweep
    one would differ by chance in most runs.
    """
    controls = {key_of(row): row for row in rows if row.contestant == CONTROL and row.valid}
    found: list[tuple[ControlGap, float]] = []
    processes = measured(run.rounds)
    for case in run.plan.compared():
        baseline = run.plan.baseline_of(case)
        for worker in run.plan.rows_of(case):
            row = controls.get((worker.contestant.name, worker.contestant.interpreter, worker.role, case.name))
            if row is None:
                continue
            own, other = processes.sample(worker.key, case), processes.beside(worker.key, baseline.key, case)
            if own is not None and other is not None:
                p = sign_test([one - two for one, two in zip(own.gross_ns, other.gross_ns, strict=True)])
                found.append((ControlGap(row=row, ratio=paired_ratio(own.gross_ns, other.gross_ns)), p))
    adjusted = holm([p for _, p in found])
    apart = [gap for (gap, _), p in zip(found, adjusted, strict=True) if p <= LEVEL]
    return tuple(sorted(apart, key=lambda gap: -gap.error))
