"""From the slices of a run to one figure per round, from which all ratios and intervals are computed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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


def sample(rounds: Sequence[Round], key: str, case: PlannedCase) -> Sample | None:
    """Return the sample of one row, or None where a round lacks it or it failed in one."""
    records = [next((record for record in each.records if record.key == key), None) for each in rounds]
    gross, net = [], []
    for record in records:
        if record is None or record.failure is not None:
            return None
        timed = _times_ns(record.slices, case, "timed")
        empty = _times_ns(record.slices, case, "empty")
        if not timed or not empty or not median(timed):
            return None
        gross.append(median(timed) / case.iterations)
        net.append((median(timed) - median(empty)) / case.iterations)
    return Sample(tuple(gross), tuple(net)) if records else None


def _times_ns(slices: Iterable[Slice], case: PlannedCase, kind: SliceKind) -> list[int]:
    chosen = (each for each in slices if each.case == case.name and each.kind == kind)
    return [each.wall_ns if case.clock == "wall" else each.cpu_ns for each in chosen]


def extra_figures(records: Sequence[WorkerRecord], case: PlannedCase) -> dict[str, float]:
    """Return the extra figures of a row, in nanoseconds per slice: the median over processes of their slices' median.

    A figure that any slice lacks is left out.
    """
    timed = [[each for each in record.slices if each.case == case.name and each.kind == "timed"] for record in records]
    found: dict[str, float] = {}
    for figure in case.figures:
        values = [[_figure_ns(each, figure.name) for each in slices] for slices in timed]
        known = [[value for value in each if value is not None] for each in values]
        if known and known == values and all(known):
            found[figure.name] = median(median(each) for each in known)
    return found


def _figure_ns(one: Slice, name: str) -> int | None:
    return one.wall_ns if name == "wall" else one.figures.get(name)
