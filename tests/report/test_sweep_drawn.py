"""A sweep as it is drawn: in a terminal, into a pipe and as Markdown, within its width."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping

import pytest
from support.sweeps import fanout, sizes

from ffibench.model import Run
from ffibench.report.exports.markdown import markdown
from ffibench.report.report import make_report
from ffibench.report.tables import tables
from ffibench.report.terminal.console import console
from ffibench.report.terminal.report import print_report
from ffibench.report.terminal.table import drawn_tables
from ffibench.results.compare import compare
from ffibench.results.gate import judge_all, parse_gate

Render = Callable[..., str]
Golden = Callable[[str, str], None]


@pytest.mark.parametrize("width", [100, 80])
@pytest.mark.parametrize("scenario", ["fanout", "few", "size", "many"])
def test_the_table_is_as_drawn(render: Render, golden: Golden, scenario: str, width: int) -> None:
    runs: Mapping[str, Callable[[], Run]] = {
        "fanout": fanout,
        "few": lambda: fanout(rounds=3),
        "size": lambda: sizes([1, 64, 1024]),
        "many": lambda: sizes(range(1, 65)),
    }
    run = runs[scenario]()
    text = render(drawn_tables(tables(run, compare(run).rows)), width)
    golden(f"sweep-{scenario}-{width}.txt", text)
    assert all(len(line) <= width for line in text.splitlines())


def test_a_pipe_gets_table_chart_facts_and_gates_in_plain_text(golden: Golden) -> None:
    run = fanout()
    file, comparison = io.StringIO(), compare(run)
    judgements = judge_all(run, comparison, [parse_gate("lock=1.5"), parse_gate("sharded=1.5")])
    print_report(console(file=file), make_report(run, comparison, judgements=judgements))
    golden("sweep-report.txt", file.getvalue())
    assert all(char.isprintable() or char == "\n" for char in file.getvalue())
    assert max(map(len, file.getvalue().splitlines())) <= 100


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_no_colour_is_on_a_terminal_that_asks_for_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    run, file = fanout(), Terminal()
    print_report(console(file=file), make_report(run, compare(run)))
    styles = set(re.findall(r"\x1b\[([\d;]*)m", file.getvalue()))
    assert not {style for style in styles if re.search(r"(^|;)(3[0-8]|4[0-8]|9\d|10\d)(;|$)", style)}
    plain = re.sub(r"\x1b\[[\d;]*m", "", file.getvalue())
    assert max(map(len, plain.splitlines())) <= 80


def test_the_markdown_is_as_drawn(golden: Golden) -> None:
    run = fanout()
    golden("sweep.md", markdown(make_report(run, compare(run))))


@pytest.mark.parametrize("width", [20, 45, 60, 80, 100, 250])
@pytest.mark.parametrize("values", [2, 5, 64])
def test_no_line_is_wider_than_the_console_or_160_columns(render: Render, width: int, values: int) -> None:
    for run in (fanout(), sizes(list(range(1, values + 1)))):
        lines = render(drawn_tables(tables(run, compare(run).rows)), width).splitlines()
        assert all(len(line) <= min(width, 160) for line in lines)
        assert all(line == line.rstrip() for line in lines)
