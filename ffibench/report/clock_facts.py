"""What the harness's own clocks say: how much a process did outside its slices, and around them."""

from __future__ import annotations

from ffibench.model import Run
from ffibench.proof.clocks import claimed_ns, outside_ns
from ffibench.report.facts import Fact


def clock_facts(run: Run) -> list[Fact]:
    """Give the most processor time that any process used outside its slices, and around one where that is declared."""
    records = [record for each in run.rounds for record in each.records if record.failure is None]
    outside = [
        (outside_ns(record.clocks, claimed_ns(record, run.plan)), record.key)
        for record in records
        if record.clocks is not None
    ]
    facts = []
    if outside:
        most_ns, key = max(outside)
        facts.append(Fact("clocks", f"at most {_ms(most_ns)} of processor time outside the slices, by {key}"))
    if run.plan.around:
        around = [each.around_ns for record in records for each in record.slices]
        most_ns = max(around, default=0)
        facts.append(Fact("around", f"{run.plan.around}: at most {_ms(most_ns)} of processor time a slice"))
    return facts


def _ms(nanoseconds: int) -> str:
    return f"{nanoseconds / 1e6:,.1f} ms"
