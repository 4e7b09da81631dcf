"""What a worker of tests came to, run alone."""

from __future__ import annotations

from collections.abc import Callable

from ffibench.model import WorkerRecord

Measure = Callable[..., WorkerRecord]
"""Run the one worker of a plan; keyword arguments are its script's."""


def failure(record: WorkerRecord) -> str:
    assert record.failure is not None
    return record.failure
