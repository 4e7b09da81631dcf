"""From the slices of a run to one figure per round, from which all ratios and intervals are computed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
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
class Process:
    """One record of a run, with the round and the place in it where it stands, both from 0."""

    round: int
    place: int
    record: WorkerRecord
    slices: Mapping[str, Sequence[Slice]]
    """Its slices by the name of their case."""


@dataclass(frozen=True)
class Measured:
    """The rounds of a run, in which processes are found by worker: of thousands each has its own."""

    rounds: int
    processes: Mapping[str, Sequence[Process]]
    """By the key of a worker, in the order in which they ran."""
    _known: dict[tuple[str, str], list[list[_Figures]] | None] = field(default_factory=dict, repr=False, compare=False)
    """By worker and case, what was computed before: every row asks for the baseline's."""

    def records_of(self, key: str) -> list[WorkerRecord]:
        """Return the records of a worker."""
        return [process.record for process in self.processes.get(key, ())]

    def slices_of(self, key: str, case: PlannedCase, kind: SliceKind) -> list[list[Slice]]:
        """Return a worker's slices of a kind in a case, a list for each process that has any of the case."""
        processes = (process.slices.get(case.name, ()) for process in self.processes.get(key, ()))
        return [[each for each in slices if each.kind == kind] for slices in processes if slices]

    def sample(self, key: str, case: PlannedCase) -> Sample | None:
        """Return the sample of one row, or None where a round lacks it or it failed in one.

        Of a worker that a round runs several times it is the first process, as of all others; the rest are there for
        others to be paired with.
        """
        found = self._figures(key, case)
        return None if found is None else _sample(figures[0] for figures in found)

    def beside(self, key: str, other: str, case: PlannedCase) -> Sample | None:
        """Return the sample of an `other` worker that one is paired with: in each round its process nearest to that.

        None where either has no sample.
        """
        own, others = self._figures(key, case), self._figures(other, case)
        if own is None or others is None or key == other:
            return self.sample(other, case) if own is not None else None
        nearest = [_nearest(theirs, figures[0].place) for figures, theirs in zip(own, others, strict=True)]
        return Sample(gross_ns=tuple(each.gross_ns for each in nearest), net_ns=tuple(each.net_ns for each in nearest))

    def _figures(self, key: str, case: PlannedCase) -> list[list[_Figures]] | None:
        """Return the figures of a worker's processes, a list a round; None where a round has none, or one failed."""
        if (key, case.name) not in self._known:
            self._known[key, case.name] = self._computed(key, case)
        return self._known[key, case.name]

    def _computed(self, key: str, case: PlannedCase) -> list[list[_Figures]] | None:
        found: list[list[_Figures]] = [[] for _ in range(self.rounds)]
        for process in self.processes.get(key, ()):
            slices = process.slices.get(case.name, ())
            timed, empty = _times_ns(slices, case, "timed"), _times_ns(slices, case, "empty")
            if process.record.failure is not None or not timed or not empty or not median(timed):
                return None
            gross, net = median(timed), median(timed) - median(empty)
            found[process.round].append(_Figures(process.place, gross / case.iterations, net / case.iterations))
        return found if found and all(found) else None


@dataclass(frozen=True)
class _Figures:
    """What one process took in a case."""

    place: int
    gross_ns: float
    net_ns: float


def _sample(figures: Iterable[_Figures]) -> Sample:
    each_round = list(figures)
    return Sample(
        gross_ns=tuple(each.gross_ns for each in each_round), net_ns=tuple(each.net_ns for each in each_round)
    )


def _nearest(figures: Sequence[_Figures], place: int) -> _Figures:
    return min(figures, key=lambda each: abs(each.place - place))


def measured(rounds: Sequence[Round]) -> Measured:
    """Sort the processes of rounds by worker, and their slices by case, in one pass."""
    processes: dict[str, list[Process]] = {}
    for number, each in enumerate(rounds):
        for place, record in enumerate(each.records):
            slices: dict[str, list[Slice]] = {}
            for one in record.slices:
                slices.setdefault(one.case, []).append(one)
            processes.setdefault(record.key, []).append(Process(number, place, record, slices))
    return Measured(len(rounds), processes)


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
