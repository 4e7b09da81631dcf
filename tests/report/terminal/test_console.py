"""The whole report on a pipe, on a terminal, and where the encoding has no dashes."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from ffibench.model import Comparison, Row, Run
from ffibench.report.options import ReportOptions
from ffibench.report.report import make_report
from ffibench.report.terminal.console import console
from ffibench.report.terminal.report import print_report


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def printed(file: io.StringIO, run: Run, comparison: Comparison) -> str:
    options = ReportOptions(rate=100_000, matrix=True, shell=True)
    print_report(console(file=file), make_report(run, comparison, options))
    return file.getvalue()


def test_a_pipe_gets_100_columns_of_plain_text(
    run: Run, comparison: Comparison, golden: Callable[[str, str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    text = printed(io.StringIO(), run, comparison)
    golden("report.txt", text)
    assert all(char.isprintable() or char == "\n" for char in text)
    assert 90 < max(map(len, text.splitlines())) <= 100


def test_a_terminal_gets_its_own_width_and_colours(
    run: Run, comparison: Comparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "72")
    assert console(file=Terminal()).width == 72
    assert "\x1b[31mhost" in printed(Terminal(), run, comparison)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[31m" not in printed(Terminal(), run, comparison)


def test_an_encoding_without_dashes_gets_hyphens(run: Run, comparison: Comparison) -> None:
    bytes_file = io.BytesIO()
    file = io.TextIOWrapper(bytes_file, encoding="ascii")
    odd = replace(run, host=replace(run.host, processor="Zuse Z4 \N{PLUS-MINUS SIGN}1 \N{SNOWMAN}"))
    print_report(console(file=file), make_report(odd, comparison, ReportOptions(rate=1000)))
    file.flush()
    lines = bytes_file.getvalue().decode("ascii").splitlines()
    assert any(set(line) == {"-"} for line in lines)
    assert any("0.99-1.01" in line for line in lines)
    assert any("Zuse Z4 +-1 ?" in line for line in lines)
    assert not any("|" in line for line in lines)


def test_a_run_without_rounds_says_so(run: Run) -> None:
    text = printed(io.StringIO(), replace(run, rounds=()), Comparison(rows=(), resolution={}, warnings=()))
    assert text.startswith("No round was finished")
    assert "sha256" in text
    assert "Summary" not in text


def test_tables_come_only_when_asked_for(run: Run, comparison: Comparison, rows: list[Row]) -> None:
    file = io.StringIO()
    print_report(console(file=file), make_report(run, comparison))
    assert "whole processes" not in file.getvalue()
    assert "each compared with each" not in file.getvalue()


def test_standard_error_is_for_what_is_not_the_report(capsys: pytest.CaptureFixture[str]) -> None:
    console(stderr=True).print("[not markup] :smile:")
    assert capsys.readouterr() == ("", "[not markup] :smile:\n")
