"""The promise: a run of 5,000 workers is read, compared and reported in seconds.

Processor time, which the load of the host hardly changes, is held against ten times what it takes: each of the scans
that were here took minutes, since they went through all records for every row.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from support.runs import Along, run_of, swept_run

from ffibench.model import Run
from ffibench.report.report import make_report
from ffibench.results.compare import compare
from ffibench.results.store import load

WORKERS = 5_000
ROUNDS = 2
SECONDS_MAX = 10.0
"""It takes about one on an EPYC; the scans took 80 and 38 with three rounds."""


def contestants() -> Run:
    names = ["c", "control", *(f"python/x{number}" for number in range(WORKERS - 2))]
    return run_of({name: [20.0 + number % 97] * ROUNDS for number, name in enumerate(names)}, audited=False)


def points() -> Run:
    """Each worker with a case of its own."""
    names = ("c", "control", "python/a", "python/b")
    along: Along = {point: [9.0 + point % 5] * ROUNDS for point in range(WORKERS // len(names))}
    return swept_run({"send": dict.fromkeys(names, along)}, audited=False)


@pytest.mark.parametrize("make", [contestants, points])
def test_thousands_of_workers_take_seconds(make: Callable[[], Run], tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_bytes(msgspec.json.encode(make()))
    began = time.process_time()
    run = load(path)
    comparison = compare(run)
    report = make_report(run, comparison)
    assert time.process_time() - began < SECONDS_MAX
    assert len(comparison.rows) == len(run.plan.workers) == WORKERS
    assert all(row.valid for row in comparison.rows)
    assert report.summary
