"""Whether the record of one process is a valid measurement: all that was read of it, against plan and oracle."""

from __future__ import annotations

from ffibench.model import Plan, PlannedWorker, WorkerRecord
from ffibench.proof.clocks import wrong_clocks
from ffibench.proof.libraries import wrong_library
from ffibench.proof.receipts import wrong_receipt


def wrong_record(planned: PlannedWorker, plan: Plan, record: WorkerRecord) -> str | None:
    """Describe what is wrong with a record: the end of a sentence that begins with its name; None where nothing is."""
    return wrong_receipt(planned, plan, record) or wrong_library(planned, plan, record) or wrong_clocks(record, plan)
