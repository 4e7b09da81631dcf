"""What `ffibench selftest` shows: a line a check, the reasons of those that are not as known, and how busy it was."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType
from rich.text import Text

from ffibench.report.table import Block, Heading, Line, State, Tabular, one_line
from ffibench.report.terminal.layout import Fitted, definitions
from ffibench.report.terminal.table import drawn_table, stacked
from ffibench.selftest.answers import Answers, Examined
from ffibench.selftest.verdict import Agreement, Check
from ffibench.units import format_seconds, format_share

STATES: dict[Agreement, State] = {"as known": "ranked", "inconclusive": "marked", "contradicted": "invalid"}
HEADINGS = (
    Heading("what", ("what",), numeric=False),
    Heading("expected", ("expected",), numeric=False),
    Heading("found", ("found",), numeric=False),
    Heading("verdict", ("verdict",), numeric=False),
)
TITLE = "selftest: contestants whose cost is known"
CAPTION = "Each spins until the clock has moved by a known time; measured, compared and judged as any run is."


def selftest_report(answers: Answers) -> RenderableType:
    """Show the checks of all runs, and under them how the selftest was done and what it came to."""
    parts: list[RenderableType] = []
    if answers.runs:
        parts.append(drawn_table(_tabular(answers.runs)))
    entries = [(Text(label, style="dim"), Text(text)) for label, text in _facts(answers)]
    return stacked([*parts, Fitted(lambda _options: definitions(entries))])


def _tabular(runs: Sequence[Examined]) -> Tabular:
    reasons: dict[str, int] = {}
    blocks = [Block(run.title, tuple(_line(check, reasons) for check in run.checks)) for run in runs]
    notes = tuple((f"[{number}]", reason) for reason, number in reasons.items())
    return Tabular(title=TITLE, caption=CAPTION, headings=HEADINGS, blocks=tuple(blocks), notes=notes)


def _line(check: Check, reasons: dict[str, int]) -> Line:
    """Give the line of a check; the same reason keeps its number."""
    mark = ""
    if check.reason:
        mark = f" [{reasons.setdefault(one_line(check.reason), len(reasons) + 1)}]"
    return Line((check.what, check.expected, check.found, check.verdict + mark), STATES[check.verdict])


def _facts(answers: Answers) -> list[tuple[str, str]]:
    runs = answers.runs
    facts = [("seed", str(answers.seed))]
    if runs:
        rounds = ", ".join(str(run.rounds) for run in runs)
        seconds = format_seconds(sum(run.seconds for run in runs))
        facts += [
            ("rounds", f"{rounds} in {seconds}; {sum(run.processes for run in runs):,} processes"),
            (
                "intervals",
                f"at {100 * answers.confidence:g} %: fewer than one correct selftest of 1,000 is contradicted",
            ),
            ("noise", _noise(runs)),
        ]
    again = ", ".join(run.title for run in runs if run.attempts > 1)
    if again:
        facts.append(("again", f"{again}: contradicted in a first run, so that this is a second, in other processes"))
    return [*facts, ("tool", one_line(f"{answers.tool}, started {answers.started}")), ("result", _result(answers))]


def _noise(runs: Sequence[Examined]) -> str:
    """Say how busy the host was, by what it did to the slices and by what waited for a processor."""
    disturbed = ", ".join(format_share(run.disturbed) for run in runs)
    pressures = [run.pressure for run in runs if run.pressure is not None]
    pressure = f"; pressure {', '.join(map(format_share, pressures))}" if pressures else ""
    return f"slices disturbed {disturbed}{pressure}"


def _result(answers: Answers) -> str:
    verdicts: tuple[Agreement, ...] = ("as known", "inconclusive", "contradicted")
    counts = {verdict: answers.count(verdict) for verdict in verdicts}
    counted = ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count)
    if answers.interrupted:
        return f"interrupted; in the runs that were finished {counted}" if counted else "interrupted in the first run"
    return counted
