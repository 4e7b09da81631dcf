"""Compares the counts of an audit with what the experiment accepts. Pure functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import PurePath

from ffibench.model import Accepted, CalledFunction, CountedSlice, PlannedCase, PlannedWorker, Receipt
from ffibench.proof.quoting import quoted

RETURNED_WRONG = {
    "0": "did not return 0",
    "not 0": "returned 0",
    "not negative": "returned a negative number",
    "argument": "did not return the value of argument {position}",
}
"""What is said of calls that did not return what they must."""


def wrong_calls(
    case: PlannedCase, functions: Sequence[CalledFunction], operations: int, slices: Sequence[CountedSlice] = ()
) -> str | None:
    """Describe how the counts of `operations` operations differ from every accepted way; None where one matches.

    Each call has to return what its way says. Where the counts of `slices` are known, each of them has to be what its
    iterations take, and the empty ones none. Of several ways, the one that most of the calls belong to is compared.
    """
    found = _by_name(functions)
    ways = sorted(case.accepts, key=lambda way: -_shared(way, found))
    differences = [_difference(way, found, case, operations, slices) for way in ways]
    if not ways or None in differences:
        return None
    if not _shared(ways[0], found):
        wanted = " or ".join(dict.fromkeys(name for way in case.accepts for name, calls in way.calls.items() if calls))
        return f"never called {wanted} in {operations:,} operations"
    return differences[0]


def wrong_callers(worker: PlannedWorker, case: PlannedCase, functions: Sequence[CalledFunction]) -> str | None:
    """Describe calls of accepted functions that do not come from the worker's own binding, where that was compiled.

    So a loop that was moved into other native code, or another binding, is not measured under this one's name.
    """
    accepted = {name for way in case.accepts for name in way.calls}
    for each in functions if worker.binding_folder else ():
        for path, calls in each.callers.items() if each.name in accepted else ():
            if not _is_inside(path, worker.binding_folder):
                where = quoted(path) if path else "code in no file"
                return f"called {each.name} {calls:,} times from {where}, and not from its binding"
    return None


def wrong_file(case: PlannedCase, cases: Sequence[PlannedCase], elsewhere: Mapping[str, str]) -> str | None:
    """Describe a function that a case called in another file than the library under test; None where there is none.

    `elsewhere` has the file of each such function that its worker called, in whichever case. One that others of the
    plan's `cases` accept, and this one does not, is theirs alone.
    """
    if not elsewhere:
        return None
    theirs = _accepted(cases) - _accepted([case])
    wrong = next((name for name in elsewhere if name not in theirs), None)
    return None if wrong is None else f"called {wrong} of another file than the library under test: {elsewhere[wrong]}"


def wrong_delivery(got: Receipt, expected: Receipt) -> str | None:
    """Describe the first number that differs between what a peer received and what it should have; None where none."""
    for name, value in expected.items():
        if got.get(name) != value:
            return f"delivered {name} = {quoted(got.get(name))} to a peer, expected {quoted(value)}"
    return None


@lru_cache(maxsize=1024)
def _is_inside(path: str, folder: str) -> bool:
    return PurePath(path).is_relative_to(folder)


def _accepted(cases: Sequence[PlannedCase]) -> set[str]:
    """Return the functions that cases may call."""
    return {name for case in cases for way in case.accepts for name, calls in way.calls.items() if calls}


def _shared(way: Accepted, found: Mapping[str, CalledFunction]) -> int:
    return sum(found[name].calls for name, calls in way.calls.items() if calls and name in found)


def _difference(
    way: Accepted,
    found: Mapping[str, CalledFunction],
    case: PlannedCase,
    operations: int,
    slices: Sequence[CountedSlice],
) -> str | None:
    """Describe the first count that differs from a way: of all operations, then of each slice."""
    wrong = next(_differences(way, found, case.iterations, operations), None)
    if wrong is not None:
        return f"{wrong[0]} in {operations:,} operations, expected {wrong[1]}"
    if (results := _wrong_results(way, found)) is not None:
        return results
    for each in slices:
        loop = {"empty": 0, "cold": case.cold}.get(each.kind, case.iterations)
        wrong = next(_differences(way, _by_name(each.functions), case.iterations, loop), None)
        if wrong is not None:
            return f"{wrong[0]} in the loop of {each.kind} slice {each.slice}, expected {wrong[1]}"
    return None


def _wrong_results(way: Accepted, found: Mapping[str, CalledFunction]) -> str | None:
    """Describe calls that did not return what a way says they must."""
    for each in way.returns:
        if each.function in found and (wrong := found[each.function].wrong):
            calls = found[each.function].calls
            what = RETURNED_WRONG[each.must_be].format(position=each.position)
            return f"called {each.function} {calls:,} times, of which {wrong:,} {what}"
    return None


def _by_name(functions: Sequence[CalledFunction]) -> dict[str, CalledFunction]:
    return {each.name: each for each in functions}


def _differences(
    way: Accepted, found: Mapping[str, CalledFunction], iterations: int, operations: int
) -> Iterator[tuple[str, str]]:
    """Yield what was counted and differs, and what was expected; `iterations` are those of a slice."""
    for name, each in way.calls.items():
        calls = found[name].calls if name in found else 0
        if calls != each * operations:
            yield f"called {name} {calls:,} times", f"{each * operations:,}"
    if way.length is not None:
        name = way.length[0]
        passed = (found[name].bytes if name in found else None) or 0
        asked = way.size * operations if way.total is None else way.total * (operations // iterations)
        if passed != asked:
            yield f"passed {passed:,} bytes to {name}", f"{asked:,}"
