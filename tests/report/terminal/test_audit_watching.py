"""While a command runs, a line for each interval, and on a terminal how far the comparison is."""

from __future__ import annotations

import io

import pytest
from rich.console import Console
from support.terminal import Screen, console_on

from ffibench.audit.series import Interval
from ffibench.report.terminal.audit_watching import NAME_CHARACTERS_MAX, Watching, interval_line

LIBZ, LIBM = "/lib/libz.so.1", "/lib/libm.so.6"
CALLS = {LIBZ: {"crc32": 4_000_000, "_Z5adlerv": 20_000, "inflate": 100}, LIBM: {"pow": 50_000}}
INTERVAL = Interval(start_seconds=10, end_seconds=20, processes=1, calls=CALLS)


def test_the_busiest_functions_are_named_with_their_calls_per_second() -> None:
    line = interval_line(INTERVAL, {"_Z5adlerv": "adler()"}, 100)
    assert line == "ffibench: 20.0 s, 407k calls/s: crc32 400k/s, pow 5.00k/s, adler() 2.00k/s"


def test_an_interval_without_a_call_says_so() -> None:
    assert interval_line(Interval(start_seconds=0, end_seconds=1.25, processes=1, calls={}), {}, 100) == (
        "ffibench: 1.2 s, no calls"
    )


@pytest.mark.parametrize("width", [40, 60, 80])
def test_a_line_is_no_wider_than_the_terminal(width: int) -> None:
    line = interval_line(INTERVAL, {}, width)
    assert len(line) <= width
    assert ("pow" in line) == (width >= 60)


def test_a_long_name_is_cut_and_an_odd_one_cannot_act_on_the_terminal() -> None:
    calls = {LIBZ: {"f" * 1000: 3, "g\x1b[2J": 2}}
    line = interval_line(Interval(start_seconds=0, end_seconds=1, processes=1, calls=calls), {}, 100)
    assert f"{'f' * (NAME_CHARACTERS_MAX - 3)}... 3.00/s, g [2J 2.00/s" in line


def test_lines_and_no_more_go_to_a_pipe() -> None:
    file = io.StringIO()
    watching = Watching(Console(file=file, width=100), pairs=3)
    watching.pair(1)
    watching.interval(INTERVAL, {})
    watching.pair(2)
    watching.close()
    assert file.getvalue() == f"{interval_line(INTERVAL, {}, 100)}\n"


def test_the_comparison_is_shown_on_a_terminal_and_erased() -> None:
    screen = Screen(width=80, height=5)
    watching = Watching(console_on(screen), pairs=3)
    for number in (1, 2):
        watching.pair(number)
        assert screen.shown == [f"Comparing: pair {number} of 3"]
    watching.close()
    assert screen.shown == []
