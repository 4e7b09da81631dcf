"""The audit of a run: which functions of the library each contestant called, and how often an operation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from ffibench.model import Audit, CalledFunction, Contestant, Plan
from ffibench.report.names import contestant_names
from ffibench.report.table import Heading, State, Tabular, one_line, tabulated
from ffibench.units import format_count

TOTALS = "Its totals were compared, not each slice: it does not read its clocks through libc."

COLUMNS = ("contestant", "function", "calls", "share", "bytes", "callers", "note")

STATES: dict[str, State] = {"accepted": "ranked", "invalid": "invalid"}


def audit_tables(plan: Plan, audits: Sequence[Audit]) -> list[Tabular]:
    """Build one table for each case that was audited, a line for every function that a contestant called."""
    known = {worker.key for worker in plan.workers}
    names = dict.fromkeys(audit.case for audit in audits if audit.key in known)
    return [audit_table(plan, name, audits) for name in names]


def audit_table(plan: Plan, case: str, audits: Sequence[Audit]) -> Tabular:
    """Build the table of one case. Figures are calls, and bytes where the experiment names an argument for them."""
    contestants = {worker.key: worker.contestant for worker in plan.workers}
    names, letters = contestant_names([(each.name, each.interpreter) for each in contestants.values()])
    columns: dict[str, list[str]] = {key: [] for key in COLUMNS}
    states: list[State] = []
    notes: list[tuple[str, str]] = []
    chosen = [audit for audit in audits if audit.case == case and audit.key in contestants]
    for audit in chosen:
        mark = ""
        if audit.reason is not None:
            notes.append((mark := f"[{len(notes) + 1}]", one_line(f"It {_being(audit)}{audit.reason}.")))
        elif not audit.slices and any(each.slices for each in chosen):
            notes.append((mark := f"[{len(notes) + 1}]", TOTALS))
        for cells in _lines(audit):
            cells["contestant"] = _name(contestants[audit.key], names) if cells["first"] else ""
            cells["note"] = mark if cells["first"] else ""
            for key, column in columns.items():
                column.append(cells[key])
            states.append(STATES.get(audit.verdict, "marked"))
    headings, blocks = tabulated(
        {
            Heading("contestant", ("contestant",), numeric=False): columns["contestant"],
            Heading("function", ("function",), numeric=False): columns["function"],
            Heading("calls", ("calls",)): columns["calls"],
            Heading("share", ("calls/op",)): columns["share"],
            Heading("bytes", ("bytes/op",)): columns["bytes"],
            **_called_from(columns["callers"]),
            Heading("note", ("note",), numeric=False): columns["note"],
        },
        states,
        {"": len(states)},
    )
    title = f"{plan.experiment}: native calls, counted from outside"
    return Tabular(
        title=one_line(title if len(plan.cases) == 1 else f"{title}, {case}"),
        caption=_caption(chosen),
        headings=headings,
        blocks=blocks,
        notes=(
            *_verdict(chosen),
            *notes,
            *((letter, one_line(interpreter)) for letter, interpreter in letters.items()),
        ),
        dispensable=("calls", "callers", "bytes"),
    )


def _called_from(callers: Sequence[str]) -> dict[Heading, list[str]]:
    """Build the column of the files that the calls come from, where any is known."""
    return {Heading("callers", ("called from",), numeric=False): list(callers)} if any(callers) else {}


def _files(function: CalledFunction) -> str:
    """Name the file that a function was called from most, and how many more there are."""
    if not function.callers:
        return ""
    first = max(function.callers, key=function.callers.__getitem__)
    more = len(function.callers) - 1
    return one_line(f"{PurePath(first).name or 'no file'}{f' +{more}' if more else ''}")


def _verdict(audits: Sequence[Audit]) -> list[tuple[str, str]]:
    """Say how many do the calls that the experiment accepts, where it says which."""
    judged = [audit for audit in audits if audit.verdict in {"accepted", "invalid"}]
    accepted = sum(audit.verdict == "accepted" for audit in judged)
    return [("verified", f"{accepted} of {len(judged)} contestants make the accepted calls.")] if judged else []


def _lines(audit: Audit) -> list[dict[str, str]]:
    lines = [
        {
            "function": one_line(each.name),
            "calls": format_count(each.calls),
            "share": f"{each.calls / audit.operations:.2f}",
            "bytes": "" if each.bytes is None else f"{each.bytes / audit.operations:,.4g}",
            "callers": _files(each),
        }
        for each in audit.functions
    ] or [{"function": audit.verdict, **dict.fromkeys(("calls", "share", "bytes", "callers"), "")}]
    return [{**line, "first": "" if number else "yes"} for number, line in enumerate(lines)]


def _name(contestant: Contestant, names: dict[tuple[str, str], str]) -> str:
    return names[contestant.name, contestant.interpreter]


def _being(audit: Audit) -> str:
    return "is not auditable: " if audit.verdict == "not auditable" else ""


def _caption(audits: Sequence[Audit]) -> str:
    operations = sorted({audit.operations for audit in audits})
    expected = f"{' or '.join(map(format_count, operations))} operations of each contestant, warm-up included."
    peers = [audit.delivered for audit in audits if audit.delivered is not None]
    got = {", ".join(f"{name} {value}" for name, value in peer.items()) for peer in peers}
    return f"{expected} A peer of each got: {got.pop()}." if len(got) == 1 else expected
