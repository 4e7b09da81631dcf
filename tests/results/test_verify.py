"""The promise: whether a row is valid is judged from what was measured, each time that a file is read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from support.runs import changed, run_of, watched, with_file

from ffibench.errors import FfibenchError
from ffibench.model import Clocks, LibraryIdentity, Row, Run, UsedFile, WorkerRecord
from ffibench.results.store import load as load_run
from ffibench.workflow import Result, load

WATCHED = watched(run_of({"c": [20.0] * 6, "python/a": [50.0] * 6, "python/b": [60.0] * 6}))
OTHER = LibraryIdentity(path="/tmp/libwork.so.5", sha256="1" * 64)
Read = Callable[[Run], Result]
Damage = Callable[[WorkerRecord], WorkerRecord]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def write_and_load(run: Run) -> Result:
        (tmp_path / "run.json").write_bytes(msgspec.json.encode(run))
        return load(tmp_path / "run.json")

    return write_and_load


def row_of(result: Result, name: str = "python/a") -> Row:
    return next(row for row in result.comparison.rows if row.contestant == name)


def summary(result: Result) -> str:
    return " ".join(f"{fact.label}: {fact.text}" for fact in result.report().summary)


def sent(count: int, kind: str = "timed") -> Damage:
    """Receipts of so many sends in the slices of a kind."""

    def damage(record: WorkerRecord) -> WorkerRecord:
        slices = [replace(each, receipt={"sends": count}) if each.kind == kind else each for each in record.slices]
        return replace(record, slices=tuple(slices))

    return damage


RECORDS: dict[str, tuple[Damage, str]] = {
    "receipts of 7": (sent(7), "It reported sends = 7 in timed slice 0 of send, expected 1,000."),
    "receipts of the warm-up": (sent(7, "warmup"), "It reported sends = 7 in warmup slice 0 of send, expected 1,000."),
    "a negative receipt": (sent(-1000), "It reported sends = -1,000 in timed slice 0 of send, expected 1,000."),
    "no receipts": (
        lambda it: replace(it, slices=tuple(replace(each, receipt={}) for each in it.slices)),
        "It reported sends = nothing in warmup slice 0 of send, expected 1,000.",
    ),
    "another library": (
        lambda it: replace(it, libraries=(OTHER,)),
        "It loaded another file than the library under test: /tmp/libwork.so.5.",
    ),
    "no library": (
        lambda it: replace(it, libraries=()),
        "It did not load the library under test, /usr/lib/libwork.so.5.",
    ),
}


@pytest.mark.parametrize(("damage", "reason"), RECORDS.values(), ids=RECORDS)
def test_a_record_that_says_it_is_valid_and_is_not_is_invalid(damage: Damage, reason: str, read: Read) -> None:
    result = read(changed(WATCHED, "python/a", damage, [4]))
    row = row_of(result)
    assert (row.valid, row.gross_ns, row.ratio, row.reason) == (False, None, None, reason)
    assert not result.valid
    assert f"not verified: 1 of 3 rows invalid: python/a: {reason.rstrip('.')}" in summary(result)
    assert row_of(result, "python/b").valid


def document(**changes: Any) -> Run:  # noqa: ANN401
    """The watched run with the first audit of python/a changed."""
    audits = tuple(
        replace(audit, **changes) if audit.key.startswith("python/a ") else audit for audit in WATCHED.audits
    )
    return replace(WATCHED, audits=audits)


AUDITS: dict[str, tuple[dict[str, Any], str]] = {
    "no functions": ({"functions": ()}, "It never called work_send in 3,000 operations."),
    "half the calls": (
        {"functions": (replace(WATCHED.audits[0].functions[0], calls=1_500),)},
        "It called work_send 1,500 times in 3,000 operations, expected 3,000.",
    ),
    "fewer bytes": (
        {"functions": (replace(WATCHED.audits[0].functions[0], bytes=15),)},
        "It passed 15 bytes to work_send in 3,000 operations, expected 15,000.",
    ),
    "a peer that received less": (
        {"delivered": {"messages": 299}},
        "It delivered messages = 299 to a peer, expected 300.",
    ),
    "a peer that received nothing": (
        {"delivered": None},
        "It delivered messages = nothing to a peer, expected 300.",
    ),
    "a verdict that spares the count": (
        {"verdict": "not judged", "functions": ()},
        "It never called work_send in 3,000 operations.",
    ),
}


@pytest.mark.parametrize(("changes", "reason"), AUDITS.values(), ids=AUDITS)
def test_an_audit_that_says_it_is_accepted_and_is_not_is_invalid(
    changes: dict[str, Any], reason: str, read: Read
) -> None:
    result = read(document(**changes))
    row = row_of(result)
    assert (row.valid, row.gross_ns, row.audit, row.reason) == (False, None, "invalid", reason)
    assert not result.valid
    assert f"not verified: 1 of 3 rows invalid: python/a: {reason.rstrip('.')}" in summary(result)


def again(**changes: Any) -> Run:  # noqa: ANN401
    """The watched run in which python/a was counted once more in the second round."""
    audit = next(audit for audit in WATCHED.audits if audit.key.startswith("python/a "))
    first, second, *rest = WATCHED.rounds
    return replace(WATCHED, rounds=(first, replace(second, audits=(replace(audit, **changes),)), *rest))


def test_an_audit_among_the_rounds_is_judged_too(read: Read) -> None:
    assert row_of(read(again())).valid
    row = row_of(read(again(functions=())))
    assert (row.valid, row.reason) == (False, "It never called work_send in 3,000 operations.")


def test_a_contestant_is_counted_once_more_and_not_twice(read: Read) -> None:
    run = again()
    _, second, *rest = run.rounds
    with pytest.raises(FfibenchError, match=r"A second audit of python/a .* - at `\$.rounds\[1\].audits\[0\]`"):
        read(replace(run, rounds=(replace(run.rounds[0], audits=second.audits), second, *rest)))


def test_who_used_a_file_that_changed_has_no_valid_row(read: Read) -> None:
    """By the sums that are kept, whatever the records say."""
    shim = UsedFile(path="/cache/work.py", sha256="1" * 64, after="1" * 64)
    assert read(with_file(WATCHED, "python/a", shim)).valid
    result = read(with_file(WATCHED, "python/a", replace(shim, after="2" * 64)))
    reason = "It used a file that was changed while the run went on: /cache/work.py."
    assert (row_of(result).valid, row_of(result).gross_ns, row_of(result).reason) == (False, None, reason)
    assert row_of(result, "python/b").valid
    assert not result.valid


def test_a_file_that_could_not_be_looked_at_again_is_said_in_words(read: Read) -> None:
    result = read(with_file(WATCHED, "python/a", UsedFile(path="/cache/work.py", sha256="1" * 64)))
    assert result.valid
    assert "1 of 1 files of workers could not be looked at again after the last round" in summary(result)


def outside(milliseconds: float) -> Damage:
    """So much processor time outside the slices, by the clocks of the harness."""

    def damage(record: WorkerRecord) -> WorkerRecord:
        used = sum(each.cpu_ns for each in record.slices) + round(milliseconds * 1e6)
        return replace(record, clocks=Clocks(wall_ns=10 * used, cpu_ns=used, children_ns=0))

    return damage


def test_some_processes_that_lost_their_processor_cost_no_row(read: Read) -> None:
    run = changed(WATCHED, "python/a", outside(0.3))
    result = read(changed(run, "python/a", outside(4.2), [3, 5, 6]))
    assert row_of(result).valid
    assert row_of(result).rounds == 6


def test_work_outside_the_slices_of_several_is_no_chance(read: Read) -> None:
    row = row_of(read(changed(changed(WATCHED, "python/a", outside(0.3)), "python/a", outside(24), [1, 3, 5, 6])))
    assert not row.valid
    assert row.reason == (
        "It used 24.0 ms of processor time outside its slices, allowed 3.0 ms, and so in 4 of 6 processes."
    )


def test_a_failure_stays_a_failure(read: Read) -> None:
    """The harness may have seen what a record does not tell."""
    result = read(changed(WATCHED, "python/a", lambda it: replace(it, failure="hung"), [6]))
    assert row_of(result).reason == "It hung."
    assert not result.valid
    result = read(document(verdict="invalid", reason="called send of another file than the library under test: /x"))
    assert row_of(result).reason == "It called send of another file than the library under test: /x."
    assert not result.valid


def test_a_run_as_it_was_measured_stays_as_it_was(read: Read) -> None:
    result = read(WATCHED)
    assert result.run == WATCHED
    assert result.valid
    assert "verified: all 54 slices and 2 audits match; 1 audit without a verdict" in summary(result)


def test_a_baseline_that_is_not_valid_leaves_nobody_a_figure(read: Read) -> None:
    result = read(changed(WATCHED, "c", sent(7), [1]))
    assert [row.ratio for row in result.comparison.rows] == [None] * 3
    assert row_of(result, "python/b").reason == "The baseline has no figures."


def test_nor_does_a_baseline_whose_calls_are_not_accepted(read: Read) -> None:
    audits = (replace(WATCHED.audits[0], functions=()), *WATCHED.audits[1:])
    result = read(replace(WATCHED, audits=audits))
    assert [row.ratio for row in result.comparison.rows] == [None] * 3
    assert row_of(result, "c").reason == "It never called work_send in 3,000 operations."


def test_a_row_without_a_figure_is_not_valid_though_no_record_failed(read: Read) -> None:
    """Its clock stood still in every slice, which no worker is refused for."""
    cases = tuple(replace(case, clock="cpu") for case in WATCHED.plan.cases)
    still = changed(
        replace(WATCHED, plan=replace(WATCHED.plan, cases=cases)),
        "python/a",
        lambda it: replace(it, slices=tuple(replace(each, cpu_ns=0) for each in it.slices)),
    )
    result = read(still)
    assert row_of(result).reason == "It has no figures."
    assert not result.valid


def test_what_an_older_file_does_not_keep_is_said_in_words(read: Read) -> None:
    audits = tuple(replace(audit, expected=None) for audit in WATCHED.audits)
    result = read(replace(WATCHED, audits=audits))
    assert result.valid
    assert "what 2 peers received is not judged: the file lacks what was expected" in summary(result)


def test_the_rows_that_a_file_carries_are_not_believed(tmp_path: Path) -> None:
    """Nor are its warnings."""
    run = changed(WATCHED, "python/a", sent(7))
    claims = {"summary": [{"contestant": "python/a", "valid": True}], "warnings": []}
    (tmp_path / "run.json").write_bytes(msgspec.json.encode({**msgspec.to_builtins(run), **claims}))
    assert {each.failure for one in load_run(tmp_path / "run.json").rounds for each in one.records if each.failure} == {
        "reported sends = 7 in timed slice 0 of send, expected 1,000"
    }
