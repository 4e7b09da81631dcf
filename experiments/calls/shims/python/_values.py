"""Loops of the idioms that have numbers, lists, arrays and exceptions."""

from __future__ import annotations

from array import array
from itertools import repeat
from typing import TYPE_CHECKING

from ffibench.worker.contract import Loops
from ffibench.worker.values import memory, wrong

if TYPE_CHECKING:
    from types import ModuleType

    from ffibench.worker.contract import Receipt

DOUBLES = 5_000
"""As many as in the case of plain signatures, which has them by the buffer protocol."""


def overload_int(native: ModuleType) -> Loops:
    """One function for an int and a double, given an int."""
    overloaded = native.overloaded
    calls_counted = native.calls_counted

    def run(iterations: int) -> Receipt:
        calls_counted()
        for _ in repeat(None, iterations):
            if overloaded(1000) != 1001:
                wrong("overloaded gave another answer than C")
        return {"operations": iterations}

    def empty(iterations: int) -> None:
        answer = 1001
        for _ in repeat(None, iterations):
            if answer != 1001:
                wrong("overloaded gave another answer than C")

    return Loops(run, empty, after=lambda _: {"calls_counted": calls_counted()})


def overload_double(native: ModuleType) -> Loops:
    """One function for an int and a double, given a double."""
    overloaded = native.overloaded
    calls_counted = native.calls_counted

    def run(iterations: int) -> Receipt:
        calls_counted()
        for _ in repeat(None, iterations):
            if overloaded(1.5) != 2.5:
                wrong("overloaded gave another answer than C")
        return {"operations": iterations}

    def empty(iterations: int) -> None:
        answer = 2.5
        for _ in repeat(None, iterations):
            if answer != 2.5:
                wrong("overloaded gave another answer than C")

    return Loops(run, empty, after=lambda _: {"calls_counted": calls_counted()})


def keyword(native: ModuleType) -> Loops:
    """An argument by its keyword."""
    scaled = native.scaled
    calls_counted = native.calls_counted

    def run(iterations: int) -> Receipt:
        calls_counted()
        for _ in repeat(None, iterations):
            if scaled(1000, factor=2) != 2000:
                wrong("scaled gave another answer than C")
        return {"operations": iterations}

    def empty(iterations: int) -> None:
        answer = 2000
        for _ in repeat(None, iterations):
            if answer != 2000:
                wrong("scaled gave another answer than C")

    return Loops(run, empty, after=lambda _: {"calls_counted": calls_counted()})


def default(native: ModuleType) -> Loops:
    """An argument by its default."""
    scaled = native.scaled
    calls_counted = native.calls_counted

    def run(iterations: int) -> Receipt:
        calls_counted()
        for _ in repeat(None, iterations):
            if scaled(1000) != 3000:
                wrong("scaled gave another answer than C")
        return {"operations": iterations}

    def empty(iterations: int) -> None:
        answer = 3000
        for _ in repeat(None, iterations):
            if answer != 3000:
                wrong("scaled gave another answer than C")

    return Loops(run, empty, after=lambda _: {"calls_counted": calls_counted()})


def list_in(native: ModuleType) -> Loops:
    """A list of floats as a vector of doubles."""
    total = native.total
    values = [float(each) for each in range(DOUBLES)]
    calls_counted = native.calls_counted

    def run(iterations: int) -> Receipt:
        calls_counted()
        for _ in repeat(None, iterations):
            if total(values) != 12497500.0:
                wrong("total gave another answer than C")
        return {"operations": iterations}

    def empty(iterations: int) -> None:
        answer = 12497500.0
        for _ in repeat(None, iterations):
            if answer != 12497500.0:
                wrong("total gave another answer than C")

    return Loops(run, empty, after=lambda _: {"calls_counted": calls_counted()})


def list_out(native: ModuleType) -> Loops:
    """A vector of doubles as a list of floats."""
    range_list = native.range_list
    answer: list[float] = []
    calls_counted = native.calls_counted

    def run(iterations: int) -> Receipt:
        nonlocal answer
        calls_counted()
        last: list[float] = []
        for _ in repeat(None, iterations):
            last = range_list(100)
        answer = last
        return {"operations": iterations}

    def empty(iterations: int) -> None:
        for _ in repeat(None, iterations):
            pass

    def after(_iterations: int) -> Receipt:
        return {"calls_counted": calls_counted(), "values": memory(array("d", answer))}

    return Loops(run, empty, after=after)


def ndarray(native: ModuleType) -> Loops | str:
    """An array of NumPy, without a copy."""
    try:
        import numpy as np
    except ImportError:
        return "NumPy is not installed; pip install 'ffibench[numpy]'"
    sum_array = native.sum_array
    values = np.arange(DOUBLES, dtype=np.float64)
    calls_counted = native.calls_counted

    def run(iterations: int) -> Receipt:
        calls_counted()
        for _ in repeat(None, iterations):
            if sum_array(values) != 12497500.0:
                wrong("sum_array gave another answer than C")
        return {"operations": iterations}

    def empty(iterations: int) -> None:
        answer = 12497500.0
        for _ in repeat(None, iterations):
            if answer != 12497500.0:
                wrong("sum_array gave another answer than C")

    return Loops(run, empty, after=lambda _: {"calls_counted": calls_counted()})


def exception(native: ModuleType) -> Loops:
    """An error of C as an exception, which is caught."""
    checked = native.checked
    calls_counted = native.calls_counted

    def run(iterations: int) -> Receipt:
        calls_counted()
        for _ in repeat(None, iterations):
            try:
                checked(-1)
            except ValueError:
                continue
            wrong("checked gave another answer than C")
        return {"operations": iterations}

    def empty(iterations: int) -> None:
        failed = True
        for _ in repeat(None, iterations):
            if failed:
                continue
            wrong("checked gave another answer than C")

    return Loops(run, empty, after=lambda _: {"calls_counted": calls_counted()})
