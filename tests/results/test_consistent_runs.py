"""The promise: a file that a run can have written is read as it is, however the run went.

Each is made up; those that are measured are in `test_measured_runs.py`.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from support.run_files import RUN
from support.runs import changed, run_of, swept_run, watched, with_file

from ffibench.model import Receipt, Run, UsedFile, WorkerRecord
from ffibench.results.store import load

CASES = {"c": [20.0] * 6, "python/a": [50.0] * 6}
SHIM = UsedFile(path="/cache/work.py", sha256="1" * 64, after="1" * 64)
WATCHED = with_file(watched(run_of(CASES, cases={"receive": CASES})), "python/a", SHIM)


def gone(run: Run) -> Run:
    """The run without the records of python/a after its failure in round 3."""
    failing = changed(run, "python/a", lambda it: replace(it, failure="hung", slices=it.slices[:2], usage=None), [3])
    return changed(failing, "python/a", lambda it: None, [4, 5, 6])


def receiving(run: Run, receipt: Receipt) -> Run:
    """The run with another receipt, which the experiment asks for: its values are its own."""

    def reported(record: WorkerRecord) -> WorkerRecord:
        slices = [each if each.kind == "empty" else replace(each, receipt=receipt) for each in record.slices]
        return replace(record, slices=tuple(slices))

    cases = tuple(replace(case, receipt=receipt) for case in run.plan.cases)
    run = replace(run, plan=replace(run.plan, cases=cases))
    for worker in run.plan.workers:
        run = changed(run, worker.contestant.name, reported)
    return run


SWEPT = swept_run(
    {name: {"c": {1: [9.0] * 6, 2: [5.0] * 6}, "python/a": {1: [9.0] * 6, 2: None}} for name in ("a", "b")},
    audited=False,
)


def counted_again(run: Run, name: str) -> Run:
    """The run, in which the calls of a contestant that were counted in round 2 were not those that are accepted."""
    counted = next(audit for audit in run.audits if audit.key.startswith(f"{name} "))
    wrong = replace(counted, verdict="invalid", reason="called work_send 1 times in 3,000 operations, expected 3,000")
    rounds = [replace(each, audits=(wrong,)) if each.number == 2 else each for each in run.rounds]
    return changed(replace(run, rounds=tuple(rounds)), name, lambda it: None, [3, 4, 5, 6])


LOST = counted_again(WATCHED, "c")
ODD: Receipt = {"sum": -5, "hash": (1 << 64) - 1, "text": ""}
WHOLE: dict[str, Run] = {
    "as it was": WATCHED,
    "receipts that are negative, or as large as 64 bits": receiving(RUN, ODD),
    "one that failed and ran no more": gone(RUN),
    "a baseline that failed and ended the run": replace(
        RUN,
        rounds=changed(gone(RUN), "c", lambda it: replace(it, failure="hung", usage=None), [3]).rounds[:3],
        ending="baseline failed",
    ),
    "one that did something else when it was counted again, and ran no more": counted_again(WATCHED, "python/a"),
    "a baseline that did": replace(LOST, rounds=LOST.rounds[:3], ending="baseline failed"),
    "one that cannot run the second half of a case": changed(
        RUN, "python/a", lambda it: replace(it, unsupported={"send": "no structs"}, slices=it.slices[:3])
    ),
    "a sweep": SWEPT,
    "before its first round": replace(WATCHED, rounds=(), ending=None),
    "without what its workers are started from": replace(WATCHED, rounds=WATCHED.rounds[:1], ending="files removed"),
    "interrupted": replace(WATCHED, rounds=WATCHED.rounds[:2], ending="interrupted"),
}


@pytest.mark.parametrize("run", WHOLE.values(), ids=WHOLE)
def test_what_a_run_can_be_is_read(run: Run, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_bytes(msgspec.json.encode(run))
    assert load(tmp_path / "run.json") == run
