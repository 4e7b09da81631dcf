"""Throughput as a small chart: plain characters, one mark a line, no wider than the console."""

from __future__ import annotations

import io
from collections.abc import Callable
from itertools import pairwise

import pytest
from rich.console import Console
from support.runs import Along, run_of, swept_run

from ffibench.model import Run
from ffibench.report.charts import charts_of
from ffibench.report.terminal.axis import axis_of
from ffibench.report.terminal.chart import BETWEEN, MARKS, drawn_chart
from ffibench.results.compare import compare

Render = Callable[..., str]


def along(*ns: float | None) -> Along:
    return {2**place: None if each is None else [each] * 6 for place, each in enumerate(ns)}


def charts(run: Run, render: Render, width: int = 100) -> list[str]:
    return [render(drawn_chart(chart), width) for chart in charts_of(run, compare(run).rows)]


@pytest.mark.parametrize("width", [100, 80, 50])
def test_the_chart_is_as_drawn(render: Render, golden: Callable[[str, str], None], width: int) -> None:
    times = {"lock": {"c": along(50, 80, 100, 120)}, "sharded": {"c": along(50, 26, 14, 9)}}
    (text,) = charts(swept_run(times), render, width)
    golden(f"chart-{width}.txt", text)
    assert all(len(line) <= min(width, 80) and line == line.rstrip() for line in text.splitlines())


def test_the_size_of_the_terminal_changes_nothing(render: Render, monkeypatch: pytest.MonkeyPatch) -> None:
    run = swept_run({"lock": {"c": along(50, 80)}, "sharded": {"c": along(50, 26)}})
    wide = charts(run, render)
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setenv("LINES", "5")
    assert charts(run, render) == wide


def test_a_narrow_console_is_told_that_there_is_none(render: Render) -> None:
    run = swept_run({"lock": {"c": along(50, 80)}})
    assert charts(run, render, 39) == ["hidden (terminal too narrow): the chart\n"]
    (drawn,) = charts(run, render, 40)
    assert "hidden" not in drawn


def test_an_encoding_without_lines_gets_plain_characters() -> None:
    run = swept_run({"lock": {"c": along(50, 80, 90)}, "sharded": {"c": along(50, 26, 14)}})
    for chart in charts_of(run, compare(run).rows):
        file = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
        Console(file=file, width=80).print(drawn_chart(chart))  # raises where a character is not in the encoding


def test_the_baseline_s_series_are_one_chart_and_the_contestants_another(render: Render) -> None:
    own = {"c": along(50, 30, 20), "control": along(50, 30, 20)}
    times = {"lock": own, "sharded": {**own, "python/a": along(90, 80, 70), "python/b": along(95, 85, 72)}}
    first, second = charts(swept_run(times), render)
    assert first.splitlines()[0].endswith("over threads: c")
    assert second.splitlines()[0].endswith("over threads: sharded")
    assert "control" not in first + second
    assert second.splitlines()[-1].split() == ["o", "c", "x", "python/a", "*", "python/b"]


def test_with_one_series_there_is_one_chart(render: Render) -> None:
    (text,) = charts(swept_run({"send": {"c": along(50, 60), "python/a": along(90, 95)}}), render)
    assert text.splitlines()[0].endswith("over threads")


def test_the_fastest_at_the_last_point_has_the_first_mark_and_every_point_is_seen(render: Render) -> None:
    times = {"lock": {"c": along(50, 80, 90, 100)}, "sharded": {"c": along(60, 30, 15, 9)}}
    (text,) = charts(swept_run(times), render)
    assert text.splitlines()[-1].split() == ["o", "sharded", "x", "lock"]
    caption, drawing = text.split("\n\n")[:2]
    assert caption.endswith("Millions of operations a second, on a logarithmic scale.")
    assert (drawing.count("o"), drawing.count("x")) == (4, 4)


def test_of_many_contestants_the_fastest_of_each_block_are_drawn(render: Render) -> None:
    many = {f"python/{letter}": along(90 + place, 80 + place) for place, letter in enumerate("abcd")}
    released = {f"python/{letter}~nogil": along(110 + place, 100 + place) for place, letter in enumerate("abcd")}
    (text,) = charts(swept_run({"send": {"c": along(50, 60), **many, **released, "perl/xs": along(70, 75)}}), render)
    assert "the fastest of each block and interpreter" in text
    assert text.splitlines()[-1].split()[1::2] == ["c", "perl/xs", "python/a", "python/a~nogil"]


@pytest.mark.parametrize(("letters", "drawn"), [("abcd", "abcd"), ("abcde", "a")])
def test_five_contestants_are_all_drawn_and_six_are_not(render: Render, letters: str, drawn: str) -> None:
    many = {f"python/{letter}": along(90 + place, 80 + place) for place, letter in enumerate(letters)}
    (text,) = charts(swept_run({"send": {"c": along(50, 60), **many}}), render)
    assert text.splitlines()[-1].split()[1::2] == ["c", *(f"python/{letter}" for letter in drawn)]


def test_the_fastest_of_each_interpreter_is_drawn_though_it_is_slower_than_all_of_another(render: Render) -> None:
    labels = {"CPython 3.11.7": 0, "CPython 3.14.0": 50}
    many = {
        f"python/{letter} [{label}]": along(90 + place + more, 80 + place + more)
        for label, more in labels.items()
        for place, letter in enumerate("abcd")
    }
    (text,) = charts(swept_run({"send": {"c": along(50, 60), **many}}), render)
    legend = " ".join(text.splitlines()[-1].split())
    assert legend == "o c x python/a @3.11.7 * python/a @3.14.0"


@pytest.mark.parametrize("values", [9, 10, 24, 100])
def test_the_first_and_the_last_value_are_written_and_not_too_many_between(render: Render, values: int) -> None:
    ends: Along = {value: [50.0 + value] * 6 for value in range(1, values + 1)}
    (text,) = charts(swept_run({"send": {"c": ends}}, parameter="size"), render)
    written = next(line.split() for line in text.splitlines() if line.split()[:1] == ["1"])
    assert (written[0], written[-1], len(written)) == ("1", str(values), 9)
    steps = [int(after) - int(before) for before, after in pairwise(written)]
    assert max(steps) - min(steps) <= 1


def test_there_are_no_more_lines_than_marks(render: Render) -> None:
    times = {f"queue{number}": {"c": along(50 + number, 40 + number)} for number in range(12)}
    first = charts(swept_run(times), render)[0]
    assert f"{len(MARKS)} of 12 lines" in first


def test_a_gap_is_not_joined_and_a_lone_point_is_no_line(render: Render) -> None:
    times = {"gap": {"c": along(50, None, 40)}, "lone": {"c": along(10, None, None)}, "all": {"c": along(50, 45, 40)}}
    first, *_ = charts(swept_run(times), render)
    assert "lone" not in first
    gap = charts(swept_run({"gap": {"c": along(50, None, 40)}, "lone": {"c": along(10, 20, None)}}), render)[0]
    drawing = gap.split("\n\n")[1]
    assert drawing.count("x") + drawing.count("o") == 4
    (alone,) = charts(swept_run({"gap": {"c": along(50, None, 40)}}), render)
    assert BETWEEN not in alone
    (joined,) = charts(swept_run({"gap": {"c": along(50, 45, 40)}}), render)
    assert BETWEEN in joined


def test_without_a_sweep_or_with_one_point_there_is_no_chart(render: Render) -> None:
    assert charts(run_of({"c": [10.0] * 6}), render) == []
    assert charts(swept_run({"lock": {"c": along(50)}}), render) == []


@pytest.mark.parametrize(
    ("rates", "labels"),
    [
        ([3.0, 9.5], ["0", "2", "4", "6", "8", "10"]),
        ([1.0, 10.0], ["0", "2", "4", "6", "8", "10"]),
        ([1.0, 10.1], ["1", "2", "5", "10"]),
        ([0.4, 0.45], ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5"]),
        ([100.0], ["0", "20", "40", "60", "80", "100"]),
        ([4.7, 139.0], ["5", "10", "20", "50", "100"]),
        ([0.02, 900.0], ["0.1", "1", "10", "100"]),
    ],
)
def test_the_axis_has_round_ticks(rates: list[float], labels: list[str]) -> None:
    axis = axis_of(rates)
    assert axis.labels() == labels
    assert axis.logarithmic == (max(rates) > 10 * min(rates))
    assert axis.low <= min(rates)
    assert axis.high >= max(rates)
