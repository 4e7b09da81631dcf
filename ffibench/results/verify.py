"""A run with the verdicts of today: each record and each audit is judged again from what was measured.

What a file says of itself is not believed. The harness calls the same functions of `ffibench.proof` while it measures,
so that a run which was just measured stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ffibench.model import Audit, Plan, Round, Run, UsedFile, WorkerRecord
from ffibench.proof.audits import judged
from ffibench.proof.files import changed_file
from ffibench.proof.records import wrong_record


def verified(run: Run) -> Run:
    """Return a run, of which there is nothing in `consistency.contradictions`, with its verdicts made anew.

    A failure that is in it stays: it may be one that only the harness saw.
    """
    changed = [file for file in run.files if file.changed]
    rounds = tuple(_round(run.plan, changed, each) for each in run.rounds)
    return replace(run, rounds=rounds, audits=_audits(run.plan, run.audits))


def unjudged(run: Run) -> tuple[Audit, ...]:
    """Return the audits whose peer received something of which the file does not say what it had to be."""
    return tuple(audit for audit in run.audits if audit.delivered is not None and audit.expected is None)


def _round(plan: Plan, changed: Sequence[UsedFile], each: Round) -> Round:
    records = tuple(_record(plan, changed, record) for record in each.records)
    return replace(each, records=records, audits=_audits(plan, each.audits))


def _audits(plan: Plan, audits: Sequence[Audit]) -> tuple[Audit, ...]:
    return tuple(judged(plan.by_key[audit.key], plan.by_name[audit.case], audit) for audit in audits)


def _record(plan: Plan, changed: Sequence[UsedFile], record: WorkerRecord) -> WorkerRecord:
    if record.failure is not None:
        return record
    planned = plan.by_key[record.key]
    wrong = wrong_record(planned, plan, record) or changed_file(planned, changed)
    return record if wrong is None else replace(record, failure=wrong)
