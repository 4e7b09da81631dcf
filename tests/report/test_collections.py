"""A runtime that collects garbage says how often, and a report where that was too seldom to be in the times."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle

from msgspec.structs import replace
from support.compared import steady
from support.runs import changed, run_of

from ffibench.model import Run, WorkerRecord
from ffibench.report.collections import collection_facts
from ffibench.report.facts import Fact
from ffibench.report.report import make_report
from ffibench.results.compare import compare


def collected(run: Run, contestant: str, counts: Sequence[int]) -> Run:
    """A run in which a contestant's timed slices collected so often, one after the other, and its others never."""

    left = cycle(counts)

    def change(record: WorkerRecord) -> WorkerRecord:
        slices = tuple(
            replace(each, figures={"collections": next(left) if each.kind == "timed" else 0}) for each in record.slices
        )
        return replace(record, slices=slices)

    return changed(run, contestant, change)


def facts(run: Run) -> list[Fact]:
    return list(collection_facts(run, compare(run).rows))


def test_nothing_is_said_of_those_that_do_not_count() -> None:
    assert facts(run_of(steady(c=20, a=50))) == []


def test_a_case_with_fewer_than_five_is_told() -> None:
    (fact,) = facts(collected(run_of(steady(c=20, a=50)), "python/a", [4]))
    assert fact.label == "collections"
    assert "python/a" in fact.text
    assert "fewer than 5 times a slice in 1 of 1 cases, never in 0" in fact.text
    (fact,) = facts(collected(run_of(steady(c=20, a=50)), "python/a", [0]))
    assert "in 1 of 1 cases, never in 1: what garbage costs is not in their times" in fact.text


def test_five_are_enough() -> None:
    assert facts(collected(run_of(steady(c=20, a=50)), "python/a", [5])) == []


def test_it_is_the_median_of_the_timed_slices() -> None:
    assert facts(collected(run_of(steady(c=20, a=50)), "python/a", [0, 6, 6, 6, 6])) == []
    assert len(facts(collected(run_of(steady(c=20, a=50)), "python/a", [6, 0, 0, 0, 0]))) == 1


def test_it_stands_in_the_summary() -> None:
    run = collected(run_of(steady(c=20, a=50)), "python/a", [0])
    assert "collections" in [fact.label for fact in make_report(run, compare(run)).summary]
