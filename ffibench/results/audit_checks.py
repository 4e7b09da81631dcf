"""Whether audits are those of the plan: one for each contestant and case, over the operations that it asks for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ffibench.model import Audit, Plan, PlannedCase, PlannedWorker, Receipt, Run
from ffibench.proof.quoting import named
from ffibench.proof.slices import expected

MEASURED = {"accepted", "not judged"}


def audit_contradictions(run: Run) -> Iterator[str]:
    """Yield what cannot be in the audits of a run, each with its place."""
    seen: set[tuple[str, str]] = set()
    receipts: dict[str, Receipt | None] = {}
    for number, audit in enumerate(run.audits):
        yield from _listed(run, audit, seen, receipts, f"$.audits[{number}]")
    again: set[tuple[str, str]] = set()
    for index, each in enumerate(run.rounds):
        for number, audit in enumerate(each.audits):
            yield from _listed(run, audit, again, {}, f"$.rounds[{index}].audits[{number}]")
    yield from _missing(run, seen)


def _listed(
    run: Run, audit: Audit, seen: set[tuple[str, str]], receipts: dict[str, Receipt | None], place: str
) -> Iterator[str]:
    """Yield what cannot be in one of several audits; `seen` and `receipts` are those of the ones before."""
    if not run.plan.audited:
        yield f"An audit in a run without audits - at `{place}`"
    if (audit.key, audit.case) in seen:
        yield f"A second audit of {named(audit.key)} in {named(audit.case)} - at `{place}`"
    seen.add((audit.key, audit.case))
    case = _case(run.plan, audit)
    if case is None:
        yield f"An audit of {named(audit.key)} in {named(audit.case)}, which is not in the plan - at `{place}`"
        return
    yield from _one(run.plan, run.plan.by_key[audit.key], case, audit, place)
    if audit.verdict in MEASURED and receipts.setdefault(audit.case, audit.expected) != audit.expected:
        yield f"A peer that is to receive something else than that of another audit - at `{place}.expected`"


def _case(plan: Plan, audit: Audit) -> PlannedCase | None:
    """Return the case of an audit; None where the plan has no row of it."""
    worker, case = plan.by_key.get(audit.key), plan.by_name.get(audit.case)
    if worker is None or case is None or worker.supporting or not worker.runs(case) or audit.case in worker.cannot:
        return None
    return case


def _one(plan: Plan, worker: PlannedWorker, case: PlannedCase, audit: Audit, place: str) -> Iterator[str]:
    # An audit has the slices of the run; in the files of earlier versions it had one.
    asked = [plan.cold + case.iterations * (plan.warmup_of(worker) + slices) for slices in (plan.slices, 1)]
    if audit.operations not in asked:
        yield f"An audit of {audit.operations} operations, where the plan has {asked[0]} - at `{place}.operations`"
    for name, count in Counter(each.name for each in audit.functions).items():
        if count > 1:
            yield f"There is {named(name)} twice - at `{place}.functions`"
    slices = [(each.kind, each.slice) for each in audit.slices]
    if slices and slices != list(expected(plan, worker)):
        yield f"Counts of {len(slices)} slices that are not those of the plan - at `{place}.slices`"
    if audit.verdict not in MEASURED and not audit.reason:
        yield f"A verdict without a reason, {audit.verdict} - at `{place}.verdict`"
    if audit.verdict == "not auditable" and audit.functions:
        yield f"Counts where nothing could be counted - at `{place}.functions`"


def _missing(run: Run, seen: set[tuple[str, str]]) -> Iterator[str]:
    """Yield the contestants without an audit in a case; one that said that it cannot run it has none."""
    if not run.plan.audited:
        return
    unsupported = {(each.key, name) for one in run.rounds for each in one.records for name in each.unsupported}
    for worker in run.plan.workers if run.rounds else ():
        if not worker.supporting:
            for case in run.plan.cases_of(worker):
                if (worker.key, case.name) not in seen | unsupported:
                    yield f"There is no audit of {named(worker.key)} in {named(case.name)} - at `$.audits`"
