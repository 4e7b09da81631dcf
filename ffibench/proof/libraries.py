"""Compares the library that a worker loaded with the library under test."""

from __future__ import annotations

from ffibench.model import Plan, PlannedWorker, WorkerRecord

DELETED = " (deleted)"
"""The kernel's suffix for the name of a mapped file that was deleted, proc(5)."""


def wrong_library(planned: PlannedWorker, plan: Plan, record: WorkerRecord) -> str | None:
    """Check by sha256 that the worker loaded the library under test. One that brings its own is not checked here."""
    if record.libraries is None or planned.contestant.own_library:
        return None
    if not record.libraries:
        return f"did not load the library under test, {plan.library.path}"
    other = next((each for each in record.libraries if each.sha256 != plan.library.sha256), None)
    if other is None:
        return None
    if other.path.removesuffix(DELETED) == plan.library.path:
        return f"loaded {plan.library.path} after that file had changed"
    return f"loaded another file than the library under test: {other.path}"
