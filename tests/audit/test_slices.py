"""The counts of a worker, cut at its own readings of its clocks; the readings are made up."""

from __future__ import annotations

from typing import Literal

import pytest

from ffibench.audit.counting import FunctionCount, Reading
from ffibench.audit.slices import added, parts
from ffibench.model import CalledFunction

Clock = Literal["processor", "monotonic"]


def counts(calls: int, size: int | None = None) -> tuple[FunctionCount, ...]:
    return (FunctionCount(name="open", calls=1, sum=None), FunctionCount(name="send", calls=calls, sum=size))


def read(clock: Clock, calls: int, size: int | None = None) -> Reading:
    return Reading(clock=clock, counts=counts(calls, size))


def one(before: int, start: int, end: int, after: int) -> list[Reading]:
    """The readings of a slice: what was called before it, at the start and the end of its loop, and after it."""
    return [
        read("processor", before),
        read("processor", start),
        read("monotonic", start),
        read("monotonic", end),
        read("processor", end),
        read("processor", after),
    ]


def send(calls: int) -> tuple[CalledFunction, ...]:
    return (CalledFunction(name="send", calls=calls),) if calls else ()


def test_loops_and_what_is_around_them() -> None:
    found = parts([*one(0, 2, 102, 103), *one(104, 104, 204, 204), *one(204, 204, 204, 204)], counts(0), 3)
    assert found == [(send(100), send(103)), (send(100), send(101)), ((), ())]


def test_libraries_may_read_the_monotonic_clock_around_a_loop() -> None:
    readings = one(0, 0, 10, 10)
    readings[1:1] = [read("monotonic", 0), read("monotonic", 0)]
    readings[-1:-1] = [read("monotonic", 10)]
    assert parts(readings, counts(0), 1) == [(send(10), send(10))]


def test_a_sum_grows_modulo_its_width() -> None:
    start, end = read("monotonic", 0, 2**64 - 5), read("monotonic", 2, 5)
    readings = [read("processor", 0, 0)] * 2 + [start, end] + [read("processor", 2, 5)] * 2
    found = parts(readings, counts(0, 0), 1)
    assert not isinstance(found, str)
    assert found[0].loop == (CalledFunction(name="send", calls=2, bytes=10),)


def test_a_worker_that_reads_no_clock_of_libc_has_no_parts() -> None:
    assert parts([], counts(0), 3) == []


@pytest.mark.parametrize("missing", [0, 1, 4, 5])
def test_a_reading_too_few(missing: int) -> None:
    readings = [*one(0, 0, 10, 10), *one(10, 10, 20, 20)]
    del readings[missing]
    assert parts(readings, counts(0), 2) == "read the processor's clock 7 times in 2 slices, expected 8"


@pytest.mark.parametrize("missing", [2, 3])
def test_a_loop_without_its_start_or_end(missing: int) -> None:
    readings = one(0, 0, 10, 10)
    del readings[missing]
    said = "did not read its monotonic clock at the start and at the end of slice 0"
    assert parts(readings, counts(0), 1) == said


def test_wrong_results_are_those_of_the_slice() -> None:
    def wrong(clock: Clock, calls: int, results: int) -> Reading:
        return Reading(clock=clock, counts=(FunctionCount(name="send", calls=calls, sum=None, wrong=results),))

    before, after = wrong("processor", 5, 3), wrong("processor", 25, 10)
    readings = [before, before, wrong("monotonic", 5, 3), wrong("monotonic", 25, 9), after, after]
    loop, whole = (CalledFunction(name="send", calls=20, wrong=each) for each in (6, 7))
    assert parts(readings, before.counts, 1) == [((loop,), (whole,))]


def test_counts_are_added_up() -> None:
    one_, other = CalledFunction(name="send", calls=3, bytes=15, wrong=1), CalledFunction(name="recv", calls=9)
    assert added((one_,), (other, one_)) == (other, CalledFunction(name="send", calls=6, bytes=30, wrong=2))
