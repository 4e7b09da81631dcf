"""A bar a row: one log scale from 1x, the interval around the estimate, and only where there is room."""

from __future__ import annotations

import io
import re
from collections.abc import Callable

import pytest
from rich.console import Console
from support.runs import run_of

from ffibench.model import Comparison, Row, Run
from ffibench.report.report import make_report
from ffibench.report.table import Line, Span
from ffibench.report.terminal.bars import WIDTH_MAX, WIDTH_MIN, Scale, bar, scale_of
from ffibench.report.terminal.console import console
from ffibench.report.terminal.table import drawn_tables
from ffibench.results.compare import compare

Render = Callable[..., str]

ROUNDS = 12
WAVE = [1.0, 1.1, 1.2, 1.3] * (ROUNDS // 4)
RUN = run_of(
    {
        **{name: [20.0] * ROUNDS for name in ("c", "control")},
        **{f"python/{name}": [ns * each for each in WAVE] for name, ns in (("a", 40.0), ("b", 80.0), ("d", 320.0))},
    }
)


def plain(span: Span, scale: Scale) -> str:
    return bar(span, scale, "", ascii_only=True).plain


def test_equal_factors_are_equal_lengths_and_1x_is_the_left_edge() -> None:
    scale = Scale(top=16.0, width=41)
    assert [scale.place(ratio) for ratio in (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)] == [0, 0, 10, 20, 30, 40]


def test_the_body_ends_where_the_interval_begins() -> None:
    scale = Scale(top=16.0, width=41)
    assert plain(Span(4.0, 2.0, 8.0), scale) == f"{'=' * 10}|{'-' * 9}o{'-' * 9}|"
    assert plain(Span(4.0, 4.0, 4.0), scale) == f"{'=' * 20}o"
    assert plain(Span(1.0, 0.9, 1.0), scale) == "o"


def test_ticks_are_round_and_do_not_touch() -> None:
    assert Scale(top=20.0, width=44).ticks().split() == ["1x", "2x", "3x", "5x", "7x", "10x", "15x"]
    assert Scale(top=2000.0, width=20).ticks().split()[0] == "1x"


@pytest.mark.parametrize(("room", "width"), [(WIDTH_MIN - 1, None), (WIDTH_MIN, WIDTH_MIN), (200, WIDTH_MAX)])
def test_there_is_no_bar_without_room(room: int, width: int | None) -> None:
    lines = [Line(("c",)), *(Line((name,), span=Span(2.0, 1.9, 2.1)) for name in "ab")]
    scale = scale_of(lines, room)
    assert (None if scale is None else scale.width) == width


def test_rows_that_are_all_as_fast_as_c_have_no_bars() -> None:
    lines = [Line((name,), span=Span(1.0, 0.99, 1.01)) for name in "ab"]
    assert scale_of(lines, 40) is None
    assert scale_of([Line(("a",))] * 3, 40) is None


@pytest.mark.parametrize("width", range(110, 161, 7))
def test_a_bar_takes_no_room_from_a_name(
    run: Run, comparison: Comparison, rows: list[Row], render: Render, width: int
) -> None:
    text = render(drawn_tables(make_report(run, comparison).tables), width)
    assert all(row.contestant in text for row in rows)
    assert "log scale" in text


@pytest.mark.parametrize("width", [109, 110, 120, 160, 250])
def test_bars_are_as_drawn_from_110_columns_on(render: Render, golden: Callable[[str, str], None], width: int) -> None:
    text = render(drawn_tables(make_report(RUN, compare(RUN)).tables), width)
    assert ("log scale" in text) == (width >= 110)
    assert all(len(line) <= min(width, 160) and line == line.rstrip() for line in text.splitlines())
    if width == 120:
        golden("bars-120.txt", text)


def test_the_fastest_has_a_sign_and_a_colour() -> None:
    file = io.StringIO()
    screen = Console(file=file, width=120, force_terminal=True, color_system="standard", no_color=False)
    screen.print(drawn_tables(make_report(RUN, compare(RUN)).tables))
    assert "\x1b[1;32mpython/a \N{BLACK STAR}" in file.getvalue()
    assert "\x1b[1;32mpython/b" not in file.getvalue()


class AsciiTerminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


def test_an_encoding_without_stars_and_lines_gets_plain_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("TERM", "xterm"), ("COLUMNS", "120"), ("NO_COLOR", "1")):
        monkeypatch.setenv(name, value)
    data = io.BytesIO()
    file = AsciiTerminal(data, encoding="ascii")
    console(file=file).print(drawn_tables(make_report(RUN, compare(RUN)).tables))
    file.flush()
    text = re.sub(r"\x1b\[[\d;]*m", "", data.getvalue().decode("ascii"))
    assert "python/a *" in text
    assert "==|-o-|" in text
    assert "?" not in text
