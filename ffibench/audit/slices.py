"""Cuts the counts of a worker into its slices, at its own readings of its clocks. Pure functions.

The contract has the processor's clock read four times for a slice: before what precedes the loop, right before the
loop and right after it, and after what follows. The monotonic clock is read next to the loop, inside.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ffibench.audit.counting import FunctionCount, Reading
from ffibench.model import CalledFunction

READINGS = 4
"""How often the processor's clock is read for a slice."""


class Part(NamedTuple):
    """The counts of a slice."""

    loop: tuple[CalledFunction, ...]
    """Between its two readings of the monotonic clock."""
    whole: tuple[CalledFunction, ...]
    """From the end of the slice before to its own end: what is done around the loop too."""


def parts(readings: Sequence[Reading], first: Sequence[FunctionCount], slices: int) -> list[Part] | str:
    """Return the counts of each slice, or a sentence's end that says why they are not known.

    `readings` are those from `go` on, `first` the counts at `go`. Without any the worker does not read its clocks
    through libc: then there are no parts. Otherwise it is wrong where they are not those of so many slices.
    """
    if not readings:
        return []
    processor = [number for number, reading in enumerate(readings) if reading.clock == "processor"]
    if len(processor) != READINGS * slices:
        expected = f"expected {READINGS * slices:,}"
        return f"read the processor's clock {len(processor):,} times in {slices:,} slices, {expected}"
    found: list[Part] = []
    before = first
    for begin, end, last in zip(processor[1::READINGS], processor[2::READINGS], processor[3::READINGS], strict=True):
        inside = readings[begin + 1 : end]
        if len(inside) != 2:
            return f"did not read its monotonic clock at the start and at the end of slice {len(found)}"
        found.append(Part(_calls(inside[0].counts, inside[1].counts), _calls(before, readings[last].counts)))
        before = readings[last].counts
    return found


def added(one: Sequence[CalledFunction], other: Sequence[CalledFunction]) -> tuple[CalledFunction, ...]:
    """Return the sum of two counts, the most called function first."""
    total = {each.name: each for each in one}
    for each in other:
        known = total.get(each.name, CalledFunction(name=each.name, calls=0))
        size = None if each.bytes is None else each.bytes + (known.bytes or 0)
        total[each.name] = CalledFunction(
            name=each.name, calls=each.calls + known.calls, bytes=size, wrong=each.wrong + known.wrong
        )
    return tuple(sorted(total.values(), key=lambda each: -each.calls))


def _calls(before: Sequence[FunctionCount], after: Sequence[FunctionCount]) -> tuple[CalledFunction, ...]:
    """Return what was called between two counts of the same functions."""
    return tuple(
        CalledFunction(
            name=late.name,
            calls=late.calls - early.calls,
            bytes=None if late.sum is None else (late.sum - (early.sum or 0)) % 2**64,
            wrong=(late.wrong or 0) - (early.wrong or 0),
        )
        for early, late in zip(before, after, strict=True)
        if late.calls != early.calls
    )
