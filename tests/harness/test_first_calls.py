"""The promise of --cold: each process begins a case with its first calls, which are verified as all others are."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from support.contestants import planned_case, scripted_plan

from ffibench.harness.team import run_worker
from ffibench.model import Accepted, CalledFunction, CountedSlice, Plan, PlannedCase
from ffibench.proof.calls import wrong_calls

COLD = 10


def first_calls() -> PlannedCase:
    return replace(planned_case(), cold=COLD, cold_receipt={"sends": COLD})


def plan(folder: Path, **script: object) -> Plan:
    return scripted_plan(folder, {"c": {"first": 90, **script}}, cases=(first_calls(),))


def test_they_come_before_the_warm_up(tmp_path: Path) -> None:
    asked = plan(tmp_path)
    record = run_worker(asked.workers[0], asked, endpoint=None, cpu=None)
    assert record.failure is None
    assert [each.kind for each in record.slices] == ["cold", "warmup", "timed", "timed", "empty", "empty"]
    assert (record.slices[0].wall_ns, record.slices[0].receipt) == (90 * COLD, {"sends": COLD})


def test_their_receipt_is_their_own(tmp_path: Path) -> None:
    asked = plan(tmp_path, receipt='{"sends": 1000}', receipt_of="cold:0")
    record = run_worker(asked.workers[0], asked, endpoint=None, cpu=None)
    assert record.failure == f"reported sends = 1,000 in cold slice 0 of send, expected {COLD}"


@pytest.mark.parametrize(("calls", "wrong"), [(COLD, None), (COLD + 1, "called send 11 times in the loop of cold")])
def test_the_audit_expects_as_many_calls_as_they_are(calls: int, wrong: str | None) -> None:
    case = replace(first_calls(), accepts=(Accepted(calls={"send": 1}),))
    timed = CountedSlice(kind="timed", slice=0, functions=(CalledFunction(name="send", calls=case.iterations),))
    cold = CountedSlice(kind="cold", slice=0, functions=(CalledFunction(name="send", calls=calls),))
    total = CalledFunction(name="send", calls=COLD + case.iterations)
    found = wrong_calls(case, [total], COLD + case.iterations, [cold, timed])
    assert found is None if wrong is None else found is not None and wrong in found
