"""Whether an audit is what the experiment accepts: its counts, and what a peer received."""

from __future__ import annotations

from msgspec.structs import replace

from ffibench.model import Audit, PlannedCase, PlannedWorker
from ffibench.proof.calls import wrong_callers, wrong_calls, wrong_delivery


def judged(worker: PlannedWorker, case: PlannedCase, audit: Audit) -> Audit:
    """Return an audit with the verdict that follows from what was counted and delivered.

    One that found something wrong stays invalid: what was seen then is not all kept. Where nothing was counted there
    is nothing to judge.
    """
    if audit.verdict in {"invalid", "not auditable"}:
        return audit
    wrong = wrong_calls(case, audit.functions, audit.operations, audit.slices)
    wrong = wrong or wrong_callers(worker, case, audit.functions)
    if wrong is None and audit.expected is not None:
        wrong = wrong_delivery(audit.delivered or {}, audit.expected)
    if wrong is not None:
        return replace(audit, verdict="invalid", reason=wrong)
    verdict = "accepted" if case.accepts else "not judged"
    return audit if (audit.verdict, audit.reason) == (verdict, None) else replace(audit, verdict=verdict, reason=None)
