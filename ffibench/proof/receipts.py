"""Compares what the slices of a worker say they did with the oracle."""

from __future__ import annotations

from ffibench.model import Plan, WorkerRecord
from ffibench.proof.quoting import quoted


def wrong_receipt(record: WorkerRecord, plan: Plan) -> str | None:
    """Compare every receipt with the oracle's; describe the first that differs, with both numbers."""
    for each in record.slices:
        right = plan.by_name[each.case].receipt
        if each.kind == "empty" or each.receipt == right:
            continue
        for name, value in right.items():
            if each.receipt.get(name) != value:
                where = f"in {each.kind} slice {each.slice} of {each.case}"
                return f"reported {name} = {quoted(each.receipt.get(name))} {where}, expected {quoted(value)}"
        more = sorted(each.receipt.keys() - right.keys())
        return f"reported unexpected fields in {each.case}: {', '.join(map(quoted, more))}"
    return None
