"""Further figures of a case, beside its headline: one column each, in a unit that reads well."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from ffibench.model import Comparison, Figure, Row, Run
from ffibench.report.case_table import case_tables
from ffibench.report.exports.markdown import markdown
from ffibench.report.report import make_report
from ffibench.report.tables import tables
from ffibench.report.terminal.table import drawn_tables

Render = Callable[..., str]

FIGURES = (Figure(name="wall", heading="end to end"), Figure(name="first_match_ns", heading="first match"))


@pytest.fixture
def subscribed(run: Run) -> Run:
    cases = tuple(
        replace(case, clock="cpu", figures=FIGURES, operation="an update of 40 bytes received")
        for case in run.plan.cases
    )
    return replace(run, plan=replace(run.plan, cases=cases))


@pytest.fixture
def received(rows: list[Row]) -> list[Row]:
    """Rows by the processor's clock, with a slice of 40 to 80 ms and a first match after 200 us and more."""
    return [
        replace(
            row,
            clock="cpu",
            role="subscriber",
            extra_figures={"wall": 4e7 + 1e5 * (row.gross_ns or 0), "first_match_ns": 2e5 + 1e3 * (row.gross_ns or 0)},
        )
        for row in rows
    ]


@pytest.mark.parametrize("width", [100, 80])
def test_the_table_is_as_drawn(
    subscribed: Run, received: list[Row], render: Render, golden: Callable[[str, str], None], width: int
) -> None:
    text = render(drawn_tables(tables(subscribed, received)), width)
    golden(f"further-{width}.txt", text)
    assert all(len(line) <= width for line in text.splitlines())


def test_the_markdown_has_them_too(
    subscribed: Run, received: list[Row], comparison: Comparison, golden: Callable[[str, str], None]
) -> None:
    golden("further.md", markdown(make_report(subscribed, replace(comparison, rows=tuple(received)))))


def test_each_is_a_column_in_one_unit_with_three_digits(subscribed: Run, received: list[Row]) -> None:
    (table,) = case_tables(subscribed, received)
    headings = {heading.key: heading.lines for heading in table.headings}
    assert headings["extra wall"] == ("end to end", "ms")
    assert headings["extra first_match_ns"] == ("first match", "us")
    place = [heading.key for heading in table.headings].index("extra wall")
    texts = [line.cells[place].strip() for line in table.lines()]
    assert texts[0] == "42.2"
    assert {len(re.sub("[.]", "", text)) for text in texts} == {3}


def test_the_caption_names_the_clock_and_what_they_are_of(subscribed: Run, received: list[Row]) -> None:
    (table,) = case_tables(subscribed, received)
    assert table.caption == (
        "One operation: an update of 40 bytes received. Processor time, 50 rounds. "
        "Of a whole slice: end to end, first match."
    )


def test_two_roles_are_two_tables_with_the_role_in_the_title(subscribed: Run, received: list[Row]) -> None:
    published = [replace(row, role="publisher", clock="wall", extra_figures={}) for row in received]
    first, second = case_tables(subscribed, [*published, *received])
    assert (first.title.rpartition(", ")[2], second.title.rpartition(", ")[2]) == ("publisher", "subscriber")
    assert not any(heading.key.startswith("extra ") for heading in first.headings)


def test_a_row_that_lacks_one_has_a_dash_and_an_invalid_row_nothing(subscribed: Run, received: list[Row]) -> None:
    changed = [
        *received[:2],
        replace(received[2], extra_figures={"wall": 5e7}),
        replace(received[3], valid=False, reason="It crashed."),
    ]
    (table,) = case_tables(subscribed, changed)
    place = [heading.key for heading in table.headings].index("extra first_match_ns")
    assert [line.cells[place].strip() for line in table.lines()][2:] == ["\N{EN DASH}", ""]


def test_a_figure_that_no_row_has_is_no_column(subscribed: Run, rows: list[Row]) -> None:
    (table,) = case_tables(subscribed, rows)
    assert not any(heading.key.startswith("extra ") for heading in table.headings)
    assert "slice" not in table.caption


@pytest.mark.parametrize(
    ("ns", "unit", "text"),
    [(412.0, "ns", "412"), (1_000.0, "us", "1.00"), (9_990.0, "us", "9.99"), (3.2e9, "s", "3.20")],
)
def test_the_unit_follows_the_figures(subscribed: Run, received: list[Row], ns: float, unit: str, text: str) -> None:
    (table,) = case_tables(subscribed, [replace(row, extra_figures={"wall": ns}) for row in received])
    place = [heading.key for heading in table.headings].index("extra wall")
    assert table.headings[place].lines[1] == unit
    assert table.lines()[0].cells[place].strip() == text


def test_the_unit_is_that_of_the_middle_row_that_is_shown(subscribed: Run, received: list[Row]) -> None:
    slow = replace(received[3], extra_figures={"wall": 5e9})
    wrong = [replace(row, extra_figures={"wall": 5e9}, valid=False, reason="It crashed.") for row in received[4:9]]
    few = [replace(row, extra_figures={"wall": 5e4}) for row in received[:3]]
    (table,) = case_tables(subscribed, [*few, slow, *wrong])
    place = [heading.key for heading in table.headings].index("extra wall")
    assert table.headings[place].lines[1] == "us"
    assert [line.cells[place].strip() for line in table.lines()][:4] == ["50.0", "50.0", "50.0", "5,000,000"]
