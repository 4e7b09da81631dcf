"""Calls that did not return what they must are counted, and the caller gets what was returned, whatever it is."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Literal

import pytest
from msgspec.structs import replace
from support.counted import TIMES, Counted, Machine

from ffibench.audit.counting import Sum, Watch
from ffibench.model import Returns

DATA = Path(__file__).parent / "data"
SAME, SEVEN, VISIT = "result_same", "result_seven", "result_visit"
VALUES = (0, 1, -1, 1 << 32, (1 << 32) - 1, -(1 << 63), 7)
"""What the program has returned, one after another."""
MustBe = Literal["0", "not 0", "not negative", "argument"]
Bits = Literal[32, 64]


@pytest.fixture(scope="session")
def library(machine: Machine) -> Path:
    return machine.library("libresults.so", DATA / "results_library.c")


@pytest.fixture(scope="session")
def results(machine: Machine, library: Path) -> Path:
    return machine.build("results", DATA / "results.c", library, "-pthread")


def watch(*returns: Returns) -> Watch:
    return Watch(patterns=("libresults.so",), returns=returns)


def wrong(counted: Counted) -> dict[str, int]:
    """The functions whose results were checked, with the calls that returned something else."""
    return {each.name: each.wrong for each in counted.library.functions if each.wrong is not None}


def as_signed(value: int, bits: int) -> int:
    half = 1 << (bits - 1)
    return (value + half) % (2 * half) - half


RIGHT = {"0": lambda value: value == 0, "not 0": lambda value: value != 0, "not negative": lambda value: value >= 0}


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("must_be", RIGHT)
def test_a_number_is_held_against_what_it_must_be(machine: Machine, results: Path, must_be: MustBe, bits: Bits) -> None:
    """Of a function, and of one that is found by a resolver."""
    asked = [Returns(function=name, must_be=must_be, bits=bits) for name in (SAME, "result_indirect")]
    counted = machine.count(results, "values", watch=watch(*asked))
    expected = sum(not RIGHT[must_be](as_signed(value, bits)) for value in VALUES)
    assert 0 < expected < len(VALUES)
    assert wrong(counted) == {SAME: expected, "result_indirect": expected}
    assert counted.calls == {SAME: len(VALUES), "result_indirect": len(VALUES)}


@pytest.mark.parametrize("position", range(6))
@pytest.mark.parametrize("bits", [32, 64])
def test_a_result_may_have_to_be_an_argument(machine: Machine, results: Path, position: int, bits: Bits) -> None:
    """The first position has it once, and once in its lower half alone, the second twice, and so on, in 63 calls."""
    asked = Returns(function=SEVEN, must_be="argument", position=position, bits=bits)
    counted = machine.count(results, "arguments", watch=watch(asked))
    assert wrong(counted) == {SEVEN: 63 - (position + 1) * (2 if bits == 32 else 1)}


def test_a_result_that_is_not_asked_for_is_not_checked(machine: Machine, results: Path) -> None:
    counted = machine.count(results, "shapes", watch=watch(Returns(function=SAME, must_be="0")))
    assert wrong(counted) == {}


def test_results_of_every_shape_arrive(machine: Machine, results: Path) -> None:
    """Two registers, one of each kind, memory of the caller, floating-point numbers; right ones and wrong ones."""
    names = (
        "result_two",
        "result_mixed",
        "result_large",
        "result_double",
        "result_long_double",
        "result_fails",
        "result_misaligned",
    )
    asked = [Returns(function=name, must_be="0", bits=64) for name in names]
    counted = machine.count(results, "shapes", watch=watch(*asked))
    assert counted.out.splitlines()[:3] == ["0 2 0 0.5 0 8", "384 0.000000000", "-1 1 0"]
    assert counted.calls == dict.fromkeys(names, 2)
    found = wrong(counted)
    assert (found["result_two"], found["result_mixed"], found["result_fails"]) == (1, 1, 2)


def test_threads_and_forked_children_add_up(machine: Machine, results: Path) -> None:
    counted = machine.count(results, "threads", watch=watch(Returns(function=SAME, must_be="0")))
    assert (wrong(counted), counted.calls) == ({SAME: 3 * 100 * TIMES}, {SAME: 4 * 100 * TIMES})
    counted = machine.count(results, "fork", watch=watch(Returns(function=SAME, must_be="not 0")))
    assert wrong(counted) == {SAME: 1}


def test_calls_within_a_call(machine: Machine, results: Path) -> None:
    asked = watch(Returns(function=VISIT, must_be="argument", position=1), Returns(function=SAME, must_be="not 0"))
    counted = machine.count(results, "nested", watch=asked)
    assert counted.out == "20\n"
    assert counted.calls == {VISIT: 21, SAME: 1}
    assert wrong(counted) == {VISIT: 20, SAME: 0}


def test_a_call_that_is_left_by_a_jump_has_no_result(machine: Machine, results: Path) -> None:
    counted = machine.count(results, "left", watch=watch(Returns(function=VISIT, must_be="0")))
    assert counted.calls == {VISIT: TIMES + 1, SAME: 1}
    assert wrong(counted) == {VISIT: 1}


def test_calls_of_the_library_itself_are_not_checked(machine: Machine, results: Path) -> None:
    """Not even by the address that it takes."""
    counted = machine.count(results, "taken", watch=watch(Returns(function="result_taken", must_be="0")))
    assert counted.calls == {"result_taken": 1, "result_by_address": 1}
    assert wrong(counted) == {"result_taken": 1}


def test_with_a_sum_and_callers_and_a_private_file(machine: Machine, results: Path) -> None:
    asked = replace(
        watch(Returns(function=SEVEN, must_be="argument", position=5)),
        sums=(Sum(function=SEVEN, position=0, bits=32),),
        callers=True,
    )
    counted = machine.count(results, "arguments", watch=asked, private=True)
    (seven,) = counted.library.functions
    assert (seven.calls, seven.sum, seven.wrong) == (63, 60 + 7 + 7 + 8, 63 - 12)
    assert seven.callers == ((str(results), 63),)


def test_readings_hold_the_wrong_calls_so_far(machine: Machine, subject: Path, tmp_path: Path) -> None:
    """Each slice has 100 calls more than the one before; none of them returns 0."""
    clocks = machine.build("clocks", DATA / "clocks.c", subject, "-pthread", folder=tmp_path)
    asked = Watch(
        exports=("subject_add", "subject_next"),
        returns=(Returns(function="subject_add", must_be="0", bits=64),),
        readings_max=12,
    )
    counted = machine.count(clocks, "raw", watch=asked)
    counts = [reading.counts for reading in counted.readings]
    grown = [(last[0].wrong or 0) - (first[0].wrong or 0) for first, last in pairwise(counts)]
    assert grown[1::4] == [100, 200, 300]
    assert all(each[1].wrong is None for each in counts)
