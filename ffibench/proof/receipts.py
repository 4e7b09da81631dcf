"""Compares what the slices of a worker say they did with the oracle."""

from __future__ import annotations

from ffibench.model import Plan, PlannedCase, PlannedWorker, Receipt, SliceKind, WorkerRecord
from ffibench.proof.quoting import quoted


def wrong_receipt(planned: PlannedWorker, plan: Plan, record: WorkerRecord) -> str | None:
    """Compare every receipt with the oracle's; describe the first that differs, with both numbers."""
    for each in record.slices:
        right = _expected(planned, plan.by_name[each.case], each.kind)
        if each.kind == "empty" or each.receipt == right:
            continue
        for name, value in right.items():
            if each.receipt.get(name) != value:
                where = f"in {each.kind} slice {each.slice} of {each.case}"
                return f"reported {name} = {quoted(each.receipt.get(name))} {where}, expected {quoted(value)}"
        more = sorted(each.receipt.keys() - right.keys())
        return f"reported unexpected fields in {each.case}: {', '.join(map(quoted, more))}"
    return None


def _expected(planned: PlannedWorker, case: PlannedCase, kind: SliceKind) -> Receipt:
    """Return the receipt of a slice: the library counts no call of who makes none."""
    receipt = (case.cold_receipt or {}) if kind == "cold" else case.receipt
    if planned.contestant.native or not case.counter:
        return receipt
    return {**receipt, case.counter: 0}
