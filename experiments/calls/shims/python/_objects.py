"""Loops of the idioms that have objects."""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING

from ffibench.worker.contract import Loops
from ffibench.worker.values import wrong

if TYPE_CHECKING:
    from types import ModuleType

    from ffibench.worker.contract import Receipt


def constructor(native: ModuleType) -> Loops:
    """An object is made and destroyed."""
    Counter = native.Counter  # noqa: N806 (a class)
    calls_counted = native.calls_counted

    def run(iterations: int) -> Receipt:
        calls_counted()
        for _ in repeat(None, iterations):
            if not Counter(1000):
                wrong("Counter gave another answer than C")
        return {"operations": iterations}

    def empty(iterations: int) -> None:
        made = "a counter"
        for _ in repeat(None, iterations):
            if not made:
                wrong("Counter gave another answer than C")

    return Loops(run, empty, after=lambda _: {"calls_counted": calls_counted()})


def method(native: ModuleType) -> Loops:
    """A method with one argument."""
    counter = native.Counter(1000)
    calls_counted = native.calls_counted

    def run(iterations: int) -> Receipt:
        calls_counted()
        for _ in repeat(None, iterations):
            if counter.add(1000) != 2000:
                wrong("Counter.add gave another answer than C")
        return {"operations": iterations}

    def empty(iterations: int) -> None:
        answer = 2000
        for _ in repeat(None, iterations):
            if answer != 2000:
                wrong("Counter.add gave another answer than C")

    return Loops(run, empty, after=lambda _: {"calls_counted": calls_counted()})


def prop(native: ModuleType) -> Loops:
    """A property is read."""
    counter = native.Counter(1000)
    calls_counted = native.calls_counted

    def run(iterations: int) -> Receipt:
        calls_counted()
        for _ in repeat(None, iterations):
            if counter.value != 1000:
                wrong("Counter.value gave another answer than C")
        return {"operations": iterations}

    def empty(iterations: int) -> None:
        answer = 1000
        for _ in repeat(None, iterations):
            if answer != 1000:
                wrong("Counter.value gave another answer than C")

    return Loops(run, empty, after=lambda _: {"calls_counted": calls_counted()})


def object_in(native: ModuleType) -> Loops:
    """An object as argument."""
    difference = native.difference
    point = native.Point(2000, 1000)
    calls_counted = native.calls_counted

    def run(iterations: int) -> Receipt:
        calls_counted()
        for _ in repeat(None, iterations):
            if difference(point) != 1000:
                wrong("difference gave another answer than C")
        return {"operations": iterations}

    def empty(iterations: int) -> None:
        answer = 1000
        for _ in repeat(None, iterations):
            if answer != 1000:
                wrong("difference gave another answer than C")

    return Loops(run, empty, after=lambda _: {"calls_counted": calls_counted()})


def object_out(native: ModuleType) -> Loops:
    """An object as argument, and a new one as result."""
    exchanged = native.exchanged
    point = native.Point(1000, 2000)
    answer = point
    calls_counted = native.calls_counted

    def run(iterations: int) -> Receipt:
        nonlocal answer
        calls_counted()
        last = point
        for _ in repeat(None, iterations):
            last = exchanged(point)
        answer = last
        return {"operations": iterations}

    def empty(iterations: int) -> None:
        for _ in repeat(None, iterations):
            pass

    def after(_iterations: int) -> Receipt:
        return {
            "calls_counted": calls_counted(),
            "calls_point_by_value.x": answer.x,
            "calls_point_by_value.y": answer.y,
        }

    return Loops(run, empty, after=after)
