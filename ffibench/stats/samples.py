"""From the slices of a run to one figure per round, from which all ratios and intervals are computed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from ffibench.model import PlannedCase, Round, Slice, SliceKind, WorkerRecord


@dataclass(frozen=True)
class Sample:
    """One row's figures, one per round, in nanoseconds per operation.

    The unit of replication is the process: a round's figure is the median of its timed slices, by the clock of the
    case. `net_ns` is that less the median of its empty loops.
    """

    gross_ns: tuple[float, ...]
    net_ns: tuple[float, ...]


@dataclass(frozen=True)
class Measured:
    """The rounds of a run, in which records and slices are found by worker and case: of thousands each has its own."""

    rounds: int
    records: Mapping[str, Sequence[WorkerRecord]]
    """By the key of a worker, a record a round: fewer where a round lacks it."""
    slices: Mapping[tuple[str, str], Sequence[Sequence[Slice]]]
    """By the key of a worker and the name of a case, those of each of its records that has any of the case."""

    def records_of(self, key: str) -> Sequence[WorkerRecord]:
        """Return the records of a worker."""
        return self.records.get(key, ())

    def slices_of(self, key: str, case: PlannedCase, kind: SliceKind) -> list[list[Slice]]:
        """Return a worker's slices of a kind in a case, a list a record."""
        return [[each for each in slices if each.kind == kind] for slices in self.slices.get((key, case.name), ())]

    def sample(self, key: str, case: PlannedCase) -> Sample | None:
        """Return the sample of one row, or None where a round lacks it or it failed in one."""
        records, slices = self.records_of(key), self.slices.get((key, case.name), ())
        if not self.rounds == len(records) == len(slices) or any(record.failure is not None for record in records):
            return None
        gross, net = [], []
        for each in slices:
            timed, empty = _times_ns(each, case, "timed"), _times_ns(each, case, "empty")
            if not timed or not empty or not median(timed):
                return None
            gross.append(median(timed) / case.iterations)
            net.append((median(timed) - median(empty)) / case.iterations)
        return Sample(tuple(gross), tuple(net)) if slices else None


def measured(rounds: Sequence[Round]) -> Measured:
    """Sort the records and slices of rounds by worker and case, in one pass. A round has a worker at most once."""
    records: dict[str, list[WorkerRecord]] = {}
    slices: dict[tuple[str, str], list[list[Slice]]] = {}
    for record in (record for each in rounds for record in each.records):
        records.setdefault(record.key, []).append(record)
        of_cases: dict[str, list[Slice]] = {}
        for each in record.slices:
            of_cases.setdefault(each.case, []).append(each)
        for name, found in of_cases.items():
            slices.setdefault((record.key, name), []).append(found)
    return Measured(len(rounds), records, slices)


def sample(rounds: Sequence[Round], key: str, case: PlannedCase) -> Sample | None:
    """Return the sample of one row, or None where a round lacks it or it failed in one."""
    return measured(rounds).sample(key, case)


def _times_ns(slices: Iterable[Slice], case: PlannedCase, kind: SliceKind) -> list[int]:
    chosen = (each for each in slices if each.kind == kind)
    return [each.wall_ns if case.clock == "wall" else each.cpu_ns for each in chosen]


def extra_figures(records: Sequence[WorkerRecord], case: PlannedCase) -> dict[str, float]:
    """Return the extra figures of a row, in nanoseconds per slice: the median over processes of their slices' median.

    A figure that any slice lacks is left out.
    """
    found: dict[str, float] = {}
    if not case.figures:
        return found
    timed = [[each for each in record.slices if each.case == case.name and each.kind == "timed"] for record in records]
    for figure in case.figures:
        values = [[_figure_ns(each, figure.name) for each in slices] for slices in timed]
        known = [[value for value in each if value is not None] for each in values]
        if known and known == values and all(known):
            found[figure.name] = median(median(each) for each in known)
    return found


def _figure_ns(one: Slice, name: str) -> int | None:
    return one.wall_ns if name == "wall" else one.figures.get(name)
