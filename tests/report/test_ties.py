"""Letters stand only where rows tie, and one line names them."""

from __future__ import annotations

from msgspec.structs import replace

from ffibench.model import Row, Run
from ffibench.report.case_table import case_tables
from ffibench.report.table import Tabular
from ffibench.report.ties import shown_letters
from ffibench.results.times import key_of


def lettered(rows: list[Row], *ties: str | None) -> list[Row]:
    """The baseline, the control and as many rows of one block as there are letters."""
    return [*rows[:2], *(replace(row, tie=tie) for row, tie in zip(rows[2:], ties, strict=False))]


def shown(rows: list[Row]) -> list[str]:
    letters = shown_letters(rows)
    return [letters.get(key_of(row), "") for row in rows[2:]]


def table_of(run: Run, rows: list[Row]) -> Tabular:
    (table,) = case_tables(run, rows)
    return table


def test_rows_that_all_differ_have_no_letters_and_no_column(run: Run, rows: list[Row]) -> None:
    distinct = lettered(rows, "a", "b", "c", "d")
    assert shown(distinct) == ["", "", "", ""]
    assert "tie" not in {heading.key for heading in table_of(run, distinct).headings}
    assert "tie" not in dict(table_of(run, distinct).notes)


def test_letters_begin_anew_with_those_that_are_shared(rows: list[Row]) -> None:
    assert shown(lettered(rows, "a", "b", "c", "c")) == ["", "", "a", "a"]
    assert shown(lettered(rows, "a", "ab", "b", "c")) == ["a", "ab", "b", ""]
    assert shown(lettered(rows, "a", "bc", "c", "d")) == ["", "a", "a", ""]


def test_a_line_says_who_is_not_significantly_different(run: Run, rows: list[Row]) -> None:
    notes = dict(table_of(run, lettered(rows, "a", "ab", "b", "c")).notes)
    assert notes["tie"] == (
        "Not significantly different: python/cython and python/capi; python/capi and python/nanobind~method."
    )


def test_a_row_that_is_not_ranked_ties_with_nobody(rows: list[Row]) -> None:
    first, second = (replace(row, tie="a") for row in rows[2:4])
    assert shown([*rows[:2], first, replace(second, reason="It is not auditable.")]) == ["", ""]
    assert shown([*rows[:2], first, replace(second, valid=False)]) == ["", ""]


def test_too_few_rounds_give_no_letters(rows: list[Row]) -> None:
    assert shown(lettered(rows, None, None)) == ["", ""]


def test_the_version_of_c_is_its_compiler_s(run: Run, rows: list[Row]) -> None:
    table = table_of(run, rows)
    place = [heading.key for heading in table.headings].index("version")
    assert [line.cells[place] for line in table.lines()][:3] == ["gcc 12.2", "gcc 12.2", "3.3.1"]
    odd = [replace(row, interpreter="tcc", version="0.9.27") for row in rows[:2]]
    assert [line.cells[place] for line in table_of(run, odd).lines()] == ["0.9.27", "0.9.27"]
