"""How often runtimes collected their garbage while a slice was timed: where they did not, that cost is not in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import median

from ffibench.model import Row, Run
from ffibench.report.facts import Fact
from ffibench.report.names import row_names
from ffibench.report.table import one_line
from ffibench.units import format_count

FIGURE = "collections"
"""The extra figure of a slice in which a worker says how often its runtime collected during the loop."""
ENOUGH = 5
"""Collections in a slice that make their cost a part of its time, and not a matter of luck."""


def collection_facts(run: Run, rows: Sequence[Row]) -> Iterator[Fact]:
    """Say of each contestant that counts them in how many of its cases a slice had few collections, or none."""
    names, _ = row_names(rows)
    said = []
    for contestant, counts in _counted(run).items():
        few = [count for count in counts if count < ENOUGH]
        none = sum(count == 0 for count in few)
        if few:
            of = f"{format_count(len(few))} of {format_count(len(counts))} cases"
            said.append(f"{names[contestant]} collected fewer than {ENOUGH} times a slice in {of}, never in {none}")
    if said:
        yield Fact("collections", one_line(f"{'; '.join(said)}: what garbage costs is not in their times"))


def _counted(run: Run) -> Mapping[tuple[str, str], list[float]]:
    """Return by contestant and interpreter the median of the collections of its timed slices, one a case."""
    found: dict[tuple[str, str], dict[str, list[int]]] = {}
    for record in (record for a_round in run.rounds for record in a_round.records):
        worker = run.plan.by_key.get(record.key)
        for each in record.slices if worker is not None and not worker.supporting else ():
            if each.kind == "timed" and FIGURE in each.figures:
                assert worker is not None
                own = found.setdefault((worker.contestant.name, worker.contestant.interpreter), {})
                own.setdefault(each.case, []).append(each.figures[FIGURE])
    return {who: [median(counts) for counts in cases.values()] for who, cases in found.items()}
