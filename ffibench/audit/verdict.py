"""Whether what was counted is what the experiment accepts: arithmetic alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ffibench.model import Accepted, CalledFunction, PlannedCase, Receipt


def wrong_calls(case: PlannedCase, functions: Sequence[CalledFunction], operations: int) -> str | None:
    """Say in which number the counts of so many operations differ from every accepted way; None where one fits.

    Of several ways it is held against the one that most of its calls belong to.
    """
    found = {each.name: each for each in functions}
    ways = sorted(case.accepts, key=lambda way: -_shared(way, found))
    differences = [next(_differences(way, found, case.iterations, operations), None) for way in ways]
    if not ways or None in differences:
        return None
    if not _shared(ways[0], found):
        wanted = " or ".join(dict.fromkeys(name for way in case.accepts for name, calls in way.calls.items() if calls))
        return f"never called {wanted} in {operations:,} operations"
    return differences[0]


def wrong_delivery(got: Receipt, expected: Receipt) -> str | None:
    """Say in which number what a peer got differs from what it must have got, or None."""
    for name, value in expected.items():
        if got.get(name) != value:
            return f"delivered {name} = {_said(got.get(name))} to a peer, expected {_said(value)}"
    return None


def _shared(way: Accepted, found: Mapping[str, CalledFunction]) -> int:
    return sum(found[name].calls for name, calls in way.calls.items() if calls and name in found)


def _differences(way: Accepted, found: Mapping[str, CalledFunction], iterations: int, operations: int) -> Iterator[str]:
    for name, each in way.calls.items():
        calls = found[name].calls if name in found else 0
        if calls != each * operations:
            yield f"called {name} {calls:,} times in {operations:,} operations, {each * operations:,} were to be"
    if way.length is not None:
        name = way.length[0]
        passed = (found[name].bytes if name in found else None) or 0
        asked = way.size * operations if way.total is None else way.total * (operations // iterations)
        if passed != asked:
            yield f"passed {passed:,} bytes to {name} in {operations:,} operations, {asked:,} were to be"


def _said(value: int | str | None) -> str:
    return "nothing" if value is None else f"{value:,}" if isinstance(value, int) else repr(value)
