"""Checks of what a worker prints: each line against the contract, the whole against plan and oracle. Pure functions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from ffibench.harness.process import WorkerError, printable
from ffibench.host.maps import DELETED
from ffibench.model import NUMBER_MAX, LibraryIdentity, Plan, PlannedCase, PlannedWorker, Slice, SliceKind, WorkerRecord

NUMBER_CHARACTERS_MAX = 50
ENDPOINT_CHARACTERS_MAX = 256


def expected(plan: Plan) -> Iterator[tuple[SliceKind, int]]:
    """Yield the slices of a case in the order in which the worker prints them."""
    counts: Sequence[tuple[SliceKind, int]] = (
        ("warmup", plan.warmup),
        ("timed", plan.slices),
        ("empty", plan.slices),
    )
    for kind, count in counts:
        for number in range(count):
            yield kind, number


def decoded(line: bytes) -> dict[str, Any]:
    """Return the JSON object of a line. Raises WorkerError where it has none."""
    try:
        return msgspec.json.decode(line, type=dict[str, Any])
    except (ValueError, RecursionError):  # not JSON, not UTF-8, nested too deeply
        raise WorkerError(f"printed a line that does not follow the contract: {printable(line)}") from None


def endpoint_of(ready: dict[str, Any]) -> str | None:
    """Return the endpoint of a ready line; None where it has none. Raises WorkerError where it is not an address.

    It becomes an argument of other workers.
    """
    endpoint = ready.get("endpoint")
    if endpoint is None:
        return None
    if not isinstance(endpoint, str) or not endpoint.isprintable() or not 0 < len(endpoint) <= ENDPOINT_CHARACTERS_MAX:
        raise WorkerError(f"reported an invalid endpoint: {printable(str(endpoint).encode(errors='replace'))}")
    return endpoint


def slice_of(answer: dict[str, Any], line: bytes, case: PlannedCase, kind: SliceKind, number: int) -> Slice:
    """Return the slice of a line. Raises WorkerError where it is not the expected slice, or has an invalid value."""
    try:
        result = msgspec.convert(answer, Slice)
    except msgspec.ValidationError:
        raise WorkerError(f"printed a line that does not follow the contract: {printable(line)}") from None
    if (result.case, result.kind, result.slice) != (case.worker_name, kind, number):
        raise WorkerError(
            f"printed slice {_said(result.slice)} of {_said(result.case)} {result.kind}, expected slice {number} of "
            f"{case.worker_name} {kind}"
        )
    if not (0 < result.wall_ns <= NUMBER_MAX and 0 <= result.cpu_ns <= NUMBER_MAX):
        raise WorkerError(f"reported an invalid time: wall {_said(result.wall_ns)} ns, CPU {_said(result.cpu_ns)} ns")
    for name, value in result.figures.items():
        if not 0 <= value <= NUMBER_MAX:
            raise WorkerError(f"reported an invalid figure: {_said(name)} {_said(value)}")
    return replace(result, case=case.name)


def wrong_receipt(record: WorkerRecord, plan: Plan) -> str | None:
    """Compare every receipt with the oracle's; describe the first that differs, with both numbers."""
    right = {case.name: case.receipt for case in plan.cases}
    for each in record.slices:
        if each.kind == "empty" or each.receipt == right[each.case]:
            continue
        for name, value in right[each.case].items():
            if each.receipt.get(name) != value:
                said = _said(each.receipt[name]) if name in each.receipt else "nothing"
                where = f"in {each.kind} slice {each.slice} of {each.case}"
                return f"reported {name} = {said} {where}, expected {_said(value)}"
        more = sorted(each.receipt.keys() - right[each.case].keys())
        return f"reported unexpected fields in {each.case}: {', '.join(map(_said, more))}"
    return None


def wrong_library(planned: PlannedWorker, plan: Plan, record: WorkerRecord) -> str | None:
    """Check by sha256 that the worker loaded the library under test. One that brings its own is not checked here."""
    if record.libraries is None or planned.contestant.own_library:
        return None
    if not record.libraries:
        return f"did not load the library under test, {plan.library.path}"
    other: LibraryIdentity | None = next(
        (each for each in record.libraries if each.sha256 != plan.library.sha256), None
    )
    if other is None:
        return None
    if other.path.removesuffix(DELETED) == plan.library.path:
        return f"loaded {plan.library.path} after that file had changed"
    return f"loaded another file than the library under test: {other.path}"


def _said(value: int | str) -> str:
    """Return a reported value for a message: short, and quoted where it is text."""
    text = f"{value:,}" if isinstance(value, int) else ""
    return text if 0 < len(text) <= NUMBER_CHARACTERS_MAX else printable(str(value).encode())
