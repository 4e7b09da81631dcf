"""The promise: what fails the audit is invalid with its numbers, what nobody could count is shown and never ranked."""

from __future__ import annotations

from msgspec.structs import replace
from support.runs import changed, run_of

from ffibench.model import Audit, AuditVerdict, CalledFunction, Row, Run, WorkerRecord
from ffibench.results.compare import compare

ROUNDS = 12
OPERATIONS = 3_000
HALVED = "called work_send 1,500 times in 3,000 operations, expected 3,000"


def audited(run: Run, name: str, verdict: AuditVerdict, reason: str | None = None, calls: int = OPERATIONS) -> Run:
    """The run with one more contestant audited in every case."""
    key = next(worker.key for worker in run.plan.workers if worker.contestant.name == name)
    functions = (CalledFunction(name="work_send", calls=calls),) if calls else ()
    audits = [
        Audit(key=key, case=case.name, operations=OPERATIONS, functions=functions, verdict=verdict, reason=reason)
        for case in run.plan.cases
    ]
    return replace(run, audits=(*run.audits, *audits))


def steady(*names: str, **cases: None) -> Run:
    times = {name: [20.0 + 30 * number] * ROUNDS for number, name in enumerate(names)}
    return run_of(times, cases=dict.fromkeys(cases, times))


def row_of(run: Run, name: str, case: str = "send") -> Row:
    return next(row for row in compare(run).rows if (row.contestant, row.case) == (name, case))


def test_the_native_calls_of_an_operation() -> None:
    run = audited(audited(steady("c", "python/a"), "c", "accepted"), "python/a", "accepted", calls=7 * OPERATIONS)
    assert (row_of(run, "c").native_calls, row_of(run, "c").audit) == (1.0, "accepted")
    assert (row_of(run, "python/a").native_calls, row_of(run, "python/a").valid) == (7.0, True)


def test_without_an_audit_nothing_is_said() -> None:
    row = row_of(steady("c", "python/a"), "python/a")
    assert (row.audit, row.native_calls, row.valid) == (None, None, True)


def test_what_is_counted_and_not_judged_is_ranked() -> None:
    row = row_of(audited(steady("c", "python/a", "python/b"), "python/a", "not judged"), "python/a")
    assert row.valid
    assert row.tie


def test_a_wrong_count_makes_the_row_invalid_though_it_was_timed() -> None:
    row = row_of(audited(steady("c", "python/a"), "python/a", "invalid", HALVED, calls=1_500), "python/a")
    assert (row.valid, row.ratio, row.gross_ns) == (False, None, None)
    assert row.reason == "It called work_send 1,500 times in 3,000 operations, expected 3,000."
    assert row.native_calls == 0.5


def test_what_was_not_timed_for_it_is_invalid_and_not_absent() -> None:
    def none(record: WorkerRecord) -> None:
        return None

    run = changed(audited(steady("c", "python/a"), "python/a", "invalid", HALVED), "python/a", none)
    row = row_of(run, "python/a")
    assert (row.valid, row.rounds, row.audit) == (False, 0, "invalid")
    assert row.reason is not None
    assert HALVED in row.reason


def test_what_nobody_could_count_is_shown_and_not_ranked() -> None:
    run = audited(steady("c", "python/a", "python/b", "python/d"), "python/a", "not auditable", "it is static", calls=0)
    row = row_of(run, "python/a")
    assert (row.valid, row.tie, row.native_calls) == (True, None, None)
    assert row.ratio is not None
    assert row.reason == "It is not auditable and not ranked: it is static."
    assert row_of(run, "python/b").tie


def test_a_case_that_is_wrong_leaves_the_other_as_it_is() -> None:
    run = audited(steady("c", "python/a", receive=None), "python/a", "invalid", HALVED)
    run = replace(run, audits=(run.audits[0], replace(run.audits[1], verdict="accepted", reason=None)))
    assert not row_of(run, "python/a").valid
    assert row_of(run, "python/a", "receive").valid


def counted_again(run: Run, name: str, verdict: AuditVerdict = "accepted", cpu_ns: int | None = None) -> Run:
    """The run with one contestant counted once more in its third round."""
    more = audited(replace(run, audits=()), name, verdict, HALVED if verdict == "invalid" else None).audits
    third = replace(run.rounds[2], audits=tuple(replace(audit, cpu_ns=cpu_ns) for audit in more))
    return replace(run, rounds=(*run.rounds[:2], third, *run.rounds[3:]))


def test_a_wrong_count_among_the_rounds_is_as_wrong() -> None:
    run = counted_again(audited(steady("c", "python/a"), "python/a", "accepted"), "python/a", "invalid")
    row = row_of(run, "python/a")
    assert (row.valid, row.audit) == (False, "invalid")
    assert row.reason == "It called work_send 1,500 times in 3,000 operations, expected 3,000."


def test_who_works_only_while_it_is_counted_is_too_slow_there() -> None:
    run = audited(steady("c", "python/a"), "python/a", "accepted")
    assert row_of(counted_again(run, "python/a", cpu_ns=160_000), "python/a").valid
    row = row_of(counted_again(run, "python/a", cpu_ns=13_000_000), "python/a")
    assert (row.valid, row.ratio) == (False, None)
    assert row.reason is not None
    assert row.reason.startswith("It took 13.0 ms of processor time a slice while its calls were counted, expected")


def test_the_speed_of_threads_that_wait_for_each_other_is_not_judged() -> None:
    run = counted_again(audited(steady("c", "python/a"), "python/a", "accepted"), "python/a", cpu_ns=13_000_000)
    assert row_of(replace(run, plan=replace(run.plan, pinned=False)), "python/a").valid
