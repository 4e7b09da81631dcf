"""Checks of what a worker prints: each line against the contract. Pure functions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from ffibench.harness.process import WorkerError
from ffibench.model import NUMBER_MAX, PlannedCase, Slice, SliceKind, WorkerCosts
from ffibench.proof.quoting import printable, quoted

ENDPOINT_CHARACTERS_MAX = 256


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


def thread_of(ready: dict[str, Any], pid: int) -> int:
    """Return the thread of a process that runs its loops: the main one, where its ready line names no other.

    Raises WorkerError for one that the process does not have.
    """
    thread = ready.get("thread", pid)
    if type(thread) is not int or (thread != pid and not Path(f"/proc/{pid}/task/{thread}").is_dir()):
        raise WorkerError(f"reported a thread that it does not have: {quoted(thread)}")
    return thread


def costs_of(ready: dict[str, Any]) -> WorkerCosts | None:
    """Return what a ready line says of the start of a binding; None where it has nothing of it.

    Raises WorkerError where it is nothing that can be.
    """
    costs = ready.get("costs")
    if costs is None:
        return None
    try:
        return msgspec.convert(costs, WorkerCosts)
    except msgspec.ValidationError as error:
        raise WorkerError(f"reported invalid costs of its binding: {error}") from None


def slice_of(answer: dict[str, Any], line: bytes, case: PlannedCase, kind: SliceKind, number: int) -> Slice:
    """Return the slice of a line. Raises WorkerError where it is not the expected slice, or has an invalid value."""
    try:
        result = msgspec.convert(answer, Slice)
    except msgspec.ValidationError:
        raise WorkerError(f"printed a line that does not follow the contract: {printable(line)}") from None
    if (result.case, result.kind, result.slice) != (case.worker_name, kind, number):
        raise WorkerError(
            f"printed slice {quoted(result.slice)} of {quoted(result.case)} {result.kind}, expected slice {number} of "
            f"{case.worker_name} {kind}"
        )
    if not (0 < result.wall_ns <= NUMBER_MAX and 0 <= result.cpu_ns <= NUMBER_MAX):
        raise WorkerError(f"reported an invalid time: wall {quoted(result.wall_ns)} ns, CPU {quoted(result.cpu_ns)} ns")
    if not 0 <= result.around_ns <= NUMBER_MAX:
        raise WorkerError(f"reported an invalid time around a slice: {quoted(result.around_ns)} ns")
    for name, value in result.figures.items():
        if not 0 <= value <= NUMBER_MAX:
            raise WorkerError(f"reported an invalid figure: {quoted(name)} {quoted(value)}")
    return replace(result, case=case.name)
