"""The table of native calls: a line for every function that a contestant called."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from ffibench.model import Audit, CalledFunction, Run
from ffibench.report.audit_table import audit_table, audit_tables
from ffibench.report.terminal.table import drawn_tables

Render = Callable[..., str]

OPERATIONS = 100_000


def audits(run: Run) -> list[Audit]:
    """Of three contestants: accepted, accepted with several functions, invalid; and one that nobody could count."""
    keys = {worker.contestant.name: worker.key for worker in run.plan.workers}

    def audit(name: str, *functions: tuple[str, int, int | None], **rest: object) -> Audit:
        called = tuple(CalledFunction(name=each, calls=calls, bytes=size) for each, calls, size in functions)
        fields = {"verdict": "accepted", "delivered": {"messages": 300}, **rest}
        return Audit(key=keys[name], case="send", operations=OPERATIONS, functions=called, **fields)  # type: ignore[arg-type]

    return [
        audit("c", ("zmq_send", 100_000, 500_000)),
        audit("python/pyzmq", ("zmq_errno", 150_000, None), ("zmq_msg_init_size", 100_000, 500_000)),
        audit(
            "python/capi",
            ("zmq_send", 50_000, 250_000),
            verdict="invalid",
            reason="called zmq_send 50,000 times in 100,000 operations, expected 100,000",
            delivered=None,
        ),
        audit("perl/xs", verdict="not auditable", reason="it is linked statically", delivered=None),
    ]


def test_the_table_is_as_drawn(run: Run, render: Render, golden: Callable[[str, str], None]) -> None:
    golden("audits-100.txt", render(drawn_tables(audit_tables(run.plan, audits(run)))))


def test_a_contestant_is_named_once(run: Run) -> None:
    lines = audit_table(run.plan, "send", audits(run)).lines()
    assert [line.cells[0] for line in lines] == ["c", "python/pyzmq", "", "python/capi", "perl/xs"]


def test_what_is_invalid_says_so_in_a_note(run: Run) -> None:
    notes = dict(audit_table(run.plan, "send", audits(run)).notes)
    assert notes["[1]"] == "It called zmq_send 50,000 times in 100,000 operations, expected 100,000."
    assert notes["[2]"] == "It is not auditable: it is linked statically."


def test_calls_and_bytes_are_told_of_one_operation(run: Run) -> None:
    table = audit_table(run.plan, "send", audits(run))
    keys = [heading.key for heading in table.headings]
    share, size = keys.index("share"), keys.index("bytes")
    assert [(line.cells[share].strip(), line.cells[size].strip()) for line in table.lines()] == [
        *(("1.00", "5"), ("1.50", ""), ("1.00", "5"), ("0.50", "2.5"), ("", "")),
    ]


def test_what_the_peers_got_is_told_where_it_was_the_same(run: Run) -> None:
    first, second, *rest = audits(run)
    assert "A peer of each got: messages 300." in audit_table(run.plan, "send", [first, second, *rest]).caption
    other = replace(second, delivered={"messages": 299})
    assert "peer" not in audit_table(run.plan, "send", [first, other, *rest]).caption
