"""Each process runs the cases of generated loops in an order of its own, which follows from the seed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace
from support.expressed import HEADER, SHAPES

from ffibench.builds.project import build
from ffibench.builds.sources import sources_project
from ffibench.model import Call, LibrarySources, Run, Slice
from ffibench.proof.slices import drawn_cases
from ffibench.results.round_checks import round_contradictions
from ffibench.workflow import RunOptions, run

TEXTS = ("same_i32(1000)", "same_u64(2**40)", "third()", "length_of('five5')", "nothing()")


@pytest.fixture(scope="module")
def measured(private_folders: None) -> Run:
    """Three rounds of five cases."""
    library: Path = build(sources_project(LibrarySources(sources=("shapes.c",)), SHAPES))
    calls = tuple(Call(expression=each, iterations=10) for each in TEXTS)
    options = RunOptions(
        calls=calls, library=str(library), contestants=("python/ctypes",), rounds=3, slices=2, warmup=1, seed=7
    )
    return run(str(HEADER), options).run


def orders(found: Run) -> list[tuple[str, ...]]:
    """The cases of each process in the order in which it printed them."""
    records = [record for each in found.rounds for record in each.records]
    return [tuple(dict.fromkeys(one.case for one in record.slices)) for record in records]


def test_processes_have_orders_of_their_own(measured: Run) -> None:
    assert all(sorted(order) == sorted(TEXTS) for order in orders(measured))
    assert len(set(orders(measured))) >= len(orders(measured)) - 2
    assert all(record.failure is None for each in measured.rounds for record in each.records)
    assert {audit.verdict for audit in measured.all_audits} == {"accepted"}


def test_the_order_follows_from_the_seed_the_round_and_the_process(measured: Run) -> None:
    plan = measured.plan
    processes = ((1, "c", 0), (1, "c", 1), (2, "c", 0))
    names = [[case.name for case in drawn_cases(plan, *process)] for process in processes]
    assert len({tuple(each) for each in names}) == len(names)
    assert [case.name for case in drawn_cases(plan, 1, "c", 0)] == names[0]
    other = drawn_cases(replace(plan, seed=plan.seed + 1), 1, "c", 0)
    assert [case.name for case in other] != names[0]


def test_a_run_file_has_the_very_orders_that_were_drawn(measured: Run) -> None:
    assert list(round_contradictions(measured)) == []
    first = measured.rounds[0]
    record = first.records[0]
    turned = replace(record, slices=tuple(_by_case(record.slices)))
    wrong = replace(measured, rounds=(replace(first, records=(turned, *first.records[1:])), *measured.rounds[1:]))
    assert any("where the plan has" in each for each in round_contradictions(wrong))


def _by_case(slices: Sequence[Slice]) -> list[Slice]:
    """The same slices with the cases in the reverse order."""
    cases = list(dict.fromkeys(one.case for one in slices))
    return [one for case in reversed(cases) for one in slices if one.case == case]


def test_an_order_is_that_of_the_plan_where_none_is_drawn(measured: Run) -> None:
    plan = replace(measured.plan, shuffled=False)
    assert drawn_cases(plan, 1, "c", 0) == plan.cases
