"""The data of a finished run of spins, by contestant: its row, its samples, how busy the host was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from ffibench.model import BASELINE, Comparison, Row, Run, Slice, SliceKind, WorkerRecord
from ffibench.selftest.spins import CASE
from ffibench.stats import Sample, sample


@dataclass(frozen=True)
class Evidence:
    """A run whose rows are all valid, with its comparison."""

    run: Run
    comparison: Comparison

    def row(self, name: str) -> Row:
        """Return the row of a contestant, as the table prints it."""
        return next(row for row in self.comparison.rows if row.contestant == name)

    def sample(self, name: str) -> Sample:
        """Return a contestant's figures, one a round, from the slices."""
        (case,) = (case for case in self.run.plan.cases if case.name == CASE)
        found = sample(self.run.rounds, self._key(name), case)
        assert found is not None, f"{name} is valid, so it has a sample"
        return found

    def timed(self, name: str) -> list[list[Slice]]:
        """Return a contestant's timed slices, a list a round."""
        return self._slices(name, "timed")

    def spun_s(self, name: str) -> list[float]:
        """Return the sum of all slices of a contestant by its own clock, in seconds, for every round."""
        return [sum(one.wall_ns for one in record.slices) / 1e9 for record in self._records(name)]

    def stretch(self, name: str, kind: SliceKind = "timed") -> float:
        """Return the factor by which the host may have lengthened a contestant's figure: 1 or more.

        A slice's wall time is at most its known cost times wall time by CPU time, since a spin uses no more CPU time
        than its known cost. Medians keep the order, so what is true for slices is true for their medians.
        """
        return median(self.stretches(name, kind))

    def stretches(self, name: str, kind: SliceKind = "timed") -> list[float]:
        """Return the factors of every round."""
        return [stretch(slices) for slices in self._slices(name, kind)]

    def ratios(self, name: str) -> list[float]:
        """Return a contestant's ratio to the baseline in every round."""
        own, reference = self.sample(name).gross_ns, self.sample(BASELINE).gross_ns
        return [x / c for x, c in zip(own, reference, strict=True)]

    def _slices(self, name: str, kind: SliceKind) -> list[list[Slice]]:
        return [[one for one in record.slices if one.kind == kind] for record in self._records(name)]

    def _records(self, name: str) -> list[WorkerRecord]:
        key = self._key(name)
        return [record for each in self.run.rounds for record in each.records if record.key == key]

    def _key(self, name: str) -> str:
        return next(worker.key for worker in self.run.plan.workers if worker.contestant.name == name)


def stretch(slices: Sequence[Slice]) -> float:
    """Return the median of wall time by CPU time of some slices of a process, at least 1."""
    return lengthened(slices, [1.0] * len(slices))


def lengthened(slices: Sequence[Slice], costs: Sequence[float]) -> float:
    """Return the largest median that slices of known costs can have had on this host, in the costs' unit."""
    return median(cost * max(1.0, each.wall_ns / max(each.cpu_ns, 1)) for each, cost in zip(slices, costs, strict=True))
