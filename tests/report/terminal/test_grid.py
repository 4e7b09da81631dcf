"""A grid as it is drawn: pages of whole columns, blocks over them, and shades that no terminal loses."""

from __future__ import annotations

import io
import re
from collections.abc import Callable

import pytest
from rich.console import Console
from support.grids import many_cases

from ffibench.model import Run
from ffibench.report.report import make_report
from ffibench.report.terminal.bands import balanced, bands
from ffibench.report.terminal.grid import COLOURS
from ffibench.report.terminal.table import drawn_table
from ffibench.results.compare import compare

Render = Callable[..., str]
Golden = Callable[[str, str], None]


@pytest.fixture(scope="module")
def run() -> Run:
    return many_cases()


def drawn(run: Run, render: Render, width: int) -> str:
    (grid,) = make_report(run, compare(run)).tables
    return render(drawn_table(grid), width)


@pytest.mark.parametrize("width", [80, 160])
def test_the_grid_is_as_drawn(run: Run, render: Render, golden: Golden, width: int) -> None:
    golden(f"grid-{width}.txt", drawn(run, render, width))


@pytest.mark.parametrize("width", [40, 60, 80, 100, 160, 250])
def test_every_page_has_the_cases_and_the_baseline_and_no_line_is_too_wide(
    run: Run, render: Render, width: int
) -> None:
    lines = drawn(run, render, width).splitlines()
    assert all(len(line) <= min(width, 160) for line in lines)
    assert all(line == line.rstrip() for line in lines)
    heads = [line for line in lines if line.startswith("case")]
    assert len(heads) >= (4 if width < 80 else 2 if width < 160 else 1)
    assert all(head.split()[1] == "c" for head in heads)
    assert sum(line.startswith("noop()") for line in lines) == len(heads)
    # Each contestant stands on one page.
    names = [word for head in heads for word in head.replace("|", " ").split()[2:] if word.isidentifier()]
    assert names.count("control") == 1
    assert names.count("pyzmq") == 1


def test_a_long_name_of_a_case_is_folded(run: Run, render: Render) -> None:
    lines = drawn(run, render, 60).splitlines()
    place = next(number for number, line in enumerate(lines) if line.startswith("digest(bytes(102"))
    assert (
        "".join(line.split("  ")[0] for line in lines[place : place + 2]).replace(" ", "")
        == "digest(bytes(1024),1024,0)"
    )


def test_pages_are_about_as_wide_as_each_other() -> None:
    assert [len(band) for band in bands(10, [8] * 7, 70)] == [6, 1]
    assert [len(band) for band in balanced(10, [8] * 7, 70)] == [4, 3]
    assert balanced(10, [8] * 6, 70) == [range(6)]
    assert balanced(10, [8, 90, 8], 50) == [range(1), range(1, 2), range(2, 3)]  # one is too wide for any


def test_a_block_stands_over_its_columns_on_every_page(run: Run, render: Render) -> None:
    lines = drawn(run, render, 80).splitlines()
    over = [line for line in lines if "lock held" in line or "lock released" in line or "no lock" in line]
    text = " ".join(over)
    assert text.count("lock held") > 1
    assert text.index("lock held") < text.index("lock released") < text.index("no lock")


def coloured(run: Run, *, no_color: bool = False) -> str:
    file = io.StringIO()
    console = Console(file=file, width=160, force_terminal=True, color_system="256", no_color=no_color)
    (grid,) = make_report(run, compare(run)).tables
    console.print(drawn_table(grid))
    return file.getvalue()


def test_on_a_terminal_with_colours_a_shade_is_the_ground_of_its_cell(run: Run) -> None:
    text = coloured(run)
    for colour in COLOURS:
        assert f"48;5;{re.findall('[0-9]+', colour)[0]}m" in text
    assert "\N{LIGHT SHADE}" not in text
    assert "\N{BOX DRAWINGS LIGHT DIAGONAL UPPER RIGHT TO LOWER LEFT}" in text


def test_without_colours_a_shade_is_a_sign(run: Run) -> None:
    text = coloured(run, no_color=True)
    assert "48;5" not in text
    assert "\N{LIGHT SHADE}" in text
    assert "\N{FULL BLOCK}" in text


def test_a_grid_with_few_rounds_has_neither_shades_nor_their_legend(render: Render) -> None:
    text = drawn(many_cases(rounds=3), render, 160)
    assert "times the fastest" not in text
    assert "\N{LIGHT SHADE}" not in text
    assert "None is shaded" in text
