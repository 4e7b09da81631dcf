"""What a worker has to say, line by line, and what all that it said is held against: values in, values out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from ffibench.harness.process import WorkerError, shown
from ffibench.host.maps import DELETED
from ffibench.model import NUMBER_MAX, LibraryIdentity, Plan, PlannedCase, PlannedWorker, Slice, SliceKind, WorkerRecord

NUMBER_CHARACTERS_MAX = 50
ENDPOINT_CHARACTERS_MAX = 256


def expected(plan: Plan) -> Iterator[tuple[SliceKind, int]]:
    """Yield the slices of a case in the order in which they come."""
    counts: Sequence[tuple[SliceKind, int]] = (
        ("warmup", plan.warmup),
        ("timed", plan.slices),
        ("empty", plan.slices),
    )
    for kind, count in counts:
        for number in range(count):
            yield kind, number


def decoded(line: bytes) -> dict[str, Any]:
    """Return the JSON object of a line. Raises WorkerError where it is none."""
    try:
        return msgspec.json.decode(line, type=dict[str, Any])
    except (ValueError, RecursionError):  # no JSON, no UTF-8, nested without end
        raise WorkerError(f"printed what is not a line of the contract: {shown(line)}") from None


def endpoint_of(ready: dict[str, Any]) -> str | None:
    """Return where a worker says that it waits; None where it says nothing. Raises WorkerError for what is no address.

    It becomes an argument of other workers.
    """
    endpoint = ready.get("endpoint")
    if endpoint is None:
        return None
    if not isinstance(endpoint, str) or not endpoint.isprintable() or not 0 < len(endpoint) <= ENDPOINT_CHARACTERS_MAX:
        raise WorkerError(f"named an endpoint that cannot be: {shown(str(endpoint).encode(errors='replace'))}")
    return endpoint


def slice_of(answer: dict[str, Any], line: bytes, case: PlannedCase, kind: SliceKind, number: int) -> Slice:
    """Return the slice that a line tells of. Raises WorkerError where it is not the one that was next, or cannot be."""
    try:
        result = msgspec.convert(answer, Slice)
    except msgspec.ValidationError:
        raise WorkerError(f"printed what is not a line of the contract: {shown(line)}") from None
    if (result.case, result.kind, result.slice) != (case.worker_name, kind, number):
        raise WorkerError(
            f"printed slice {_said(result.slice)} of {_said(result.case)} {result.kind} where slice {number} of "
            f"{case.worker_name} {kind} was next"
        )
    if not (0 < result.wall_ns <= NUMBER_MAX and 0 <= result.cpu_ns <= NUMBER_MAX):
        raise WorkerError(
            f"reported a time that cannot be: wall {_said(result.wall_ns)} ns, CPU {_said(result.cpu_ns)} ns"
        )
    for name, value in result.figures.items():
        if not 0 <= value <= NUMBER_MAX:
            raise WorkerError(f"reported a figure that cannot be: {_said(name)} {_said(value)}")
    return replace(result, case=case.name)


def wrong_receipt(record: WorkerRecord, plan: Plan) -> str | None:
    """Hold every receipt against the oracle's; say where the first differs, with the two numbers."""
    right = {case.name: case.receipt for case in plan.cases}
    for each in record.slices:
        if each.kind == "empty" or each.receipt == right[each.case]:
            continue
        for name, value in right[each.case].items():
            if each.receipt.get(name) != value:
                said = _said(each.receipt[name]) if name in each.receipt else "nothing"
                where = f"in {each.kind} slice {each.slice} of {each.case}"
                return f"reported {name} = {said} {where}, the oracle {_said(value)}"
        more = sorted(each.receipt.keys() - right[each.case].keys())
        return f"reported more than the oracle knows in {each.case}: {', '.join(map(_said, more))}"
    return None


def wrong_library(planned: PlannedWorker, plan: Plan, record: WorkerRecord) -> str | None:
    """Every contestant loads the one library file, by its sha256; one that brings its own is not ranked, not wrong."""
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
        return f"loaded {plan.library.path} when it was no longer the file that the run began with"
    return f"loaded another file than the library under test: {other.path}"


def _said(value: int | str) -> str:
    """Return what a worker said as a piece of a sentence: short, a text in quotes."""
    text = f"{value:,}" if isinstance(value, int) else ""
    return text if 0 < len(text) <= NUMBER_CHARACTERS_MAX else shown(str(value).encode())
