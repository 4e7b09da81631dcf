"""The live view on terminals of several sizes, from comparisons that are made up: no clock takes part."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest
from msgspec.structs import replace
from rich.console import Console
from support.terminal import Screen, console_on

from ffibench.model import Comparison, PlannedCase, Progress, Row, Run
from ffibench.report.terminal.console import console
from ffibench.report.terminal.live import LiveView

PROMPT = "$ ffibench run xsub"


def progress_of(run: Run, rows: Sequence[Row], **changes: object) -> Progress:
    """After 50 rounds of at most 60, with 24 s of 32 s used; one of 18 intervals is wider than 2 %."""
    progress = Progress(
        run=run,
        comparison=Comparison(rows=tuple(rows), resolution={}),
        rounds_max=60,
        rows=18,
        wide=1,
        widest=0.0312,
        seconds=24.0,
        seconds_left=8.0,
    )
    return replace(progress, **changes)


def drawn(progress: Progress, width: int = 100, height: int = 40, title: str = "xsub: small messages") -> list[str]:
    """The lines on a terminal of this size."""
    screen = Screen(width, height)
    view = LiveView(console_on(screen), title)
    view.update(progress)
    assert screen.scrolled == []
    return screen.shown


@pytest.fixture
def wide_rows(rows: list[Row]) -> list[Row]:
    """`python/ctypes` has an interval that is wider than 2 %, and `control` the next widest."""
    bounds = {"control": (0.985, 1.015), "python/ctypes": (17.1, 18.2)}
    return [
        replace(row, ratio_low=bounds[row.contestant][0], ratio_high=bounds[row.contestant][1])
        if row.contestant in bounds
        else row
        for row in rows
    ]


def test_the_table_so_far_stands_over_what_is_left(run: Run, wide_rows: list[Row]) -> None:
    lines = drawn(progress_of(run, wide_rows))
    assert lines[:5] == [
        "xsub: small messages",
        "contestant              ns/op  ratio    95 % CI      ±  within 2 %",
        "c                        22.4   1.00",
        "control                  22.4   1.00  0.98\N{EN DASH}1.01  1.5 %         yes",
        "python/cython            47.6   2.12  2.11\N{EN DASH}2.15  1.0 %         yes",
    ]
    ctypes = next(line for line in lines if line.startswith("python/ctypes "))
    assert ctypes.split() == ["python/ctypes", "400", "17.9", "17.1\N{EN DASH}18.2", "3.1", "%", "no"]
    assert len(lines) == 2 + len(wide_rows) + 3
    assert lines[-3:] == [
        "",
        "Round 50 of at most 60  ━━━━━━━━━━━━━━━━━━━━━━────────  at most 8.0 s left",
        "1 of 18 intervals wider than 2 %, the widest ±3.1 %",
    ]


@pytest.mark.parametrize(("width", "height"), [(80, 24), (100, 30), (160, 50), (40, 12), (24, 7), (9, 4), (1, 1)])
def test_it_fits_the_terminal(run: Run, wide_rows: list[Row], width: int, height: int) -> None:
    lines = drawn(progress_of(run, wide_rows), width, height)
    assert len(lines) < height
    assert all(len(line) < width for line in lines)


def test_a_low_terminal_keeps_the_rows_with_the_widest_intervals(run: Run, wide_rows: list[Row]) -> None:
    lines = drawn(progress_of(run, wide_rows), height=8)
    assert [line.split()[0] for line in lines[2:4]] == ["control", "python/ctypes"]
    assert lines[4:] == ["and 17 more", *drawn(progress_of(run, wide_rows))[-2:]]


def test_a_row_that_failed_is_never_left_out(run: Run, doubtful_rows: list[Row]) -> None:
    lines = drawn(progress_of(run, doubtful_rows), height=9)
    assert [line.split() for line in lines[2:4]] == [["python/capi", "invalid"], ["python/capi~nogil", "invalid"]]


def test_a_terminal_without_room_for_a_table_shows_how_long_it_takes(run: Run, rows: list[Row]) -> None:
    lines = drawn(progress_of(run, rows), height=4)
    assert [line.split()[0] for line in lines] == ["Round", "1"]


def test_a_narrow_terminal_has_fewer_columns(run: Run, rows: list[Row]) -> None:
    headings = drawn(progress_of(run, rows), width=60)[1]
    assert headings == "contestant              ns/op  ratio    95 % CI  within 2 %"
    assert drawn(progress_of(run, rows), width=50)[1] == "contestant              ns/op  ratio  within 2 %"


def test_before_there_are_intervals_it_says_from_when_on(run: Run, few_rows: list[Row]) -> None:
    lines = drawn(progress_of(run, few_rows, wide=18, widest=None))
    assert lines[-1] == "No intervals yet: they need 6 rounds (precision asked: 2 %)"
    assert lines[4].split() == ["python/cython", "47.6", "2.12", "\N{EN DASH}", "\N{EN DASH}"]


def test_when_all_are_narrow_it_says_so(run: Run, rows: list[Row]) -> None:
    lines = drawn(progress_of(run, rows, wide=0, widest=0.0195))
    assert lines[-1] == "All 18 intervals within 2 %, the widest ±1.9 %"


def test_roles_and_cases_stand_in_columns_of_their_own(run: Run, rows: list[Row]) -> None:
    cases = tuple(
        PlannedCase(name=name, operation=f"one {name}", iterations=1, receipt={}, decides=name == "send")
        for name in ("send", "receive")
    )
    both = [replace(row, case=case.name, role=case.name) for case in cases for row in rows[:3]]
    lines = drawn(progress_of(replace(run, plan=replace(run.plan, cases=cases)), both))
    assert lines[1].split()[:4] == ["contestant", "role", "case", "ns/op"]
    assert lines[3].split()[:3] == ["control", "send", "send"]
    assert lines[3].split()[-1] == "yes"
    assert lines[6].split()[:3] == ["control", "receive", "receive"]
    assert lines[6].split()[-1] == "%", "what does not decide when the run ends is not judged"


def test_the_first_round_has_a_line() -> None:
    screen = Screen(100, 30)
    with LiveView(console_on(screen), "xsub: small messages", 60):
        assert screen.shown == [
            "xsub: small messages",
            "Round 1 of at most 60: every contestant once, in random order",
        ]


def test_it_redraws_in_place_and_is_erased_at_the_end(run: Run, rows: list[Row]) -> None:
    screen = Screen(100, 30)
    screen.write("earlier\n" * 28 + PROMPT + "\n")
    with LiveView(console_on(screen)) as view:
        view.update(progress_of(run, rows))
        scrolled = len(screen.scrolled)
        for count in (4, 19, 1, 12):
            view.update(progress_of(run, rows[:count]))
        assert len(screen.scrolled) == scrolled
        screen.write("^C")
    assert screen.shown[-1] == PROMPT
    assert len(screen.scrolled) == scrolled


@pytest.mark.parametrize("size", [(60, 40), (23, 50), (140, 40), (100, 20)])
def test_it_survives_a_resize(run: Run, rows: list[Row], size: tuple[int, int]) -> None:
    screen = Screen(100, 40)
    screen.write(PROMPT + "\n")
    with LiveView(console_on(screen)) as view:
        view.update(progress_of(run, rows[:6]))
        screen.resize(*size)
        view.update(progress_of(run, rows[:6]))
        assert "".join(screen.shown).count("contestant") == 1
        assert max(map(len, screen.shown[1:])) < size[0]
    assert screen.shown == [PROMPT]
    assert screen.scrolled == []


def test_each_drawing_is_one_write(run: Run, rows: list[Row]) -> None:
    screen = Screen(100, 40)
    view = LiveView(console_on(screen))
    view.update(progress_of(run, rows))
    view.update(progress_of(run, rows))
    assert len(screen.written) == 2


def test_colours_are_left_out_where_none_are_asked_for(run: Run, rows: list[Row]) -> None:
    def codes(no_color: bool) -> str:
        screen = Screen(100, 40)
        LiveView(console_on(screen, no_color=no_color)).update(progress_of(run, rows))
        return screen.written[-1][1]

    assert "\x1b[32m" in codes(no_color=False)
    assert not any(f"\x1b[{number}m" in codes(no_color=True) for number in range(30, 38))


def test_where_there_is_no_terminal_nothing_is_drawn(
    run: Run, rows: list[Row], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    file = io.StringIO()
    with LiveView(console(file=file)) as view:
        view.update(progress_of(run, rows))
    assert not file.getvalue()
    screen = Screen(80, 24)
    monkeypatch.setenv("TERM", "dumb")
    with LiveView(Console(file=screen)) as view:
        view.update(progress_of(run, rows))
    assert not screen.written


def test_characters_that_the_encoding_lacks_are_replaced_by_as_many(run: Run, rows: list[Row]) -> None:
    class Ascii(Screen):
        encoding = "ascii"

    screen = Ascii(100, 40)
    LiveView(console_on(screen)).update(progress_of(run, rows))
    assert screen.shown[-2] == "Round 50 of at most 60  ######################--------  at most 8.0 s left"
    assert all(char.isascii() or char == "\N{EN DASH}" for char in "".join(screen.shown))


def test_a_terminal_that_is_closed_does_not_end_the_run(run: Run, rows: list[Row]) -> None:
    class Closed(Screen):
        def write(self, text: str) -> int:
            raise OSError(5, "Input/output error")

    with LiveView(console_on(Closed(80, 24))) as view:
        view.update(progress_of(run, rows))
