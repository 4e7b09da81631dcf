"""What `ffibench selftest --aa N` shows: counts with what a correct tool keeps to, spreads, and what can be seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import median

from rich.console import RenderableType
from rich.text import Text

from ffibench.report.table import Block, Heading, Line, State, Tabular, one_line
from ffibench.report.terminal.layout import Fitted, definitions
from ffibench.report.terminal.table import drawn_table, stacked
from ffibench.selftest.aa import SLOWER, Repeat
from ffibench.selftest.summing import Summary, Tally
from ffibench.units import format_number, format_seconds, format_share

HEADINGS = (
    Heading("what", ("what",), numeric=False),
    Heading("found", ("found",)),
    Heading("promised", ("promised",), numeric=False),
    Heading("verdict", ("verdict",), numeric=False),
)
TITLE = "A/A: one C program against itself"
CAPTION = "Whole default runs of xsub's send loop: c, control, three copies, and three that send more."


def aa_report(summary: Summary) -> RenderableType:
    """Show the tallies of all finished runs, and under them how far the runs lie from each other."""
    parts: list[RenderableType] = []
    if summary.tallies:
        lines = tuple(_line(tally) for tally in summary.tallies)
        parts.append(drawn_table(Tabular(title=TITLE, caption=CAPTION, headings=HEADINGS, blocks=(Block("", lines),))))
    entries = [(Text(label, style="dim"), Text(text)) for label, text in _facts(summary)]
    return stacked([*parts, Fitted(lambda _options: definitions(entries))])


def _line(tally: Tally) -> Line:
    state: State = "invalid" if tally.verdict == "contradicted" else "ranked"
    found = f"{tally.count:,} of {tally.of:,}"
    return Line((tally.what, found, _promised(tally), tally.verdict or ""), state)


def _promised(tally: Tally) -> str:
    if tally.most is not None:
        return f"at most {tally.most:,}" if tally.most else "none"
    return "" if tally.least is None else f"at least {tally.least:,}"


def _facts(summary: Summary) -> list[tuple[str, str]]:
    repeats = summary.repeats
    facts = [("runs", _runs(summary))]
    if summary.spread_ratio is not None and summary.spread_ns is not None:
        text = (
            f"{format_share(summary.spread_ratio)} in the ratio of equal rows, {format_share(summary.spread_ns)} in ns"
        )
        facts.append(("spread", f"standard deviation over the runs: {text}"))
    if repeats:
        facts += [
            ("slower", f"by {_slow_down(summary)}, where {_told()} more was sent"),
            ("promised", "counts that a correct tool goes beyond in fewer than one of 50 such sets of runs"),
            ("noise", _noise(repeats)),
        ]
    return [
        *facts,
        ("seed", f"{summary.seed}, and one more for each further run"),
        ("tool", one_line(f"{summary.tool}, started {summary.started}")),
    ]


def _runs(summary: Summary) -> str:
    repeats = summary.repeats
    cut = "; interrupted, every finished run counts" if summary.interrupted else ""
    if not repeats:
        return f"none of {summary.asked}{cut}"
    rounds = [each.rounds for each in repeats]
    endings = ", ".join(f"{count} by {ending}" for ending, count in Counter(each.ending for each in repeats).items())
    seconds = format_seconds(sum(each.seconds for each in repeats))
    return (
        f"{len(repeats)} of {summary.asked} in {seconds}, {min(rounds)} to {max(rounds)} rounds; ended {endings}{cut}"
    )


def _slow_down(summary: Summary) -> str:
    return ", ".join(format_share(share) for share in summary.slow_down.values())


def _told() -> str:
    return ", ".join(f"{format_number(100 * share, 2)} %" for share in SLOWER.values())


def _noise(repeats: Sequence[Repeat]) -> str:
    pressures = [each.pressure for each in repeats if each.pressure is not None]
    pressure = f"pressure {format_share(median(pressures))} in the median run; " if pressures else ""
    return f"{pressure}{sum(each.disturbed for each in repeats):,} slices disturbed"
