"""The promise: where processes ran at two speeds both are shown with their shares, and never a figure between them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace
from support.runs import Along, run_of, swept_run

from ffibench.model import Run
from ffibench.report.speeds import settled_facts, speed_facts, speed_tables
from ffibench.report.table import Tabular
from ffibench.report.tables import tables
from ffibench.results.compare import compare

NONE = "\N{EN DASH}"
ONE, TWO = [50.0, 50.1, 49.9, 50.2] * 3, [90.0, 150.0, 90.1, 89.9, 150.2, 89.8] * 2


def cells(table: Tabular) -> dict[str, list[str]]:
    return {line.cells[0]: [cell.strip() for cell in line.cells[1:]] for line in table.lines()}


def shown(run: Run) -> Sequence[Tabular]:
    return speed_tables(run, compare(run).rows)


def test_a_row_has_both_speeds_and_its_figures_are_of_the_larger_group() -> None:
    (row,) = (row for row in compare(run_of({"c": ONE, "python/a": TWO})).rows if row.contestant == "python/a")
    assert [speed.processes for speed in row.speeds] == [8, 4]
    assert [speed.gross_ns for speed in row.speeds] == pytest.approx([89.95, 150.1])
    assert row.gross_ns == pytest.approx(89.95)
    assert row.net_ns == pytest.approx(88.95)
    assert row.added_ns == pytest.approx(89.95 - 50.0, abs=0.2)


def test_half_and_half_is_no_figure_in_between() -> None:
    half = [90.0, 150.0] * 6
    (row,) = (row for row in compare(run_of({"c": ONE, "python/a": half})).rows if row.contestant == "python/a")
    assert row.gross_ns == 90.0
    assert [speed.processes for speed in row.speeds] == [6, 6]


def test_a_row_of_one_speed_has_none() -> None:
    run = run_of({"c": ONE, "python/a": [2 * ns for ns in ONE]})
    assert all(row.speeds == () for row in compare(run).rows)
    assert list(shown(run)) == []
    assert speed_facts(compare(run).rows) == []


def test_the_table_of_a_case_has_the_other_speed_below_it() -> None:
    run = run_of({"c": ONE, "control": ONE, "python/a": TWO, "python/b~nogil": ONE})
    (table,) = shown(run)
    assert table.title == "work: work that is made up: the other speed"
    assert table.caption == (
        "Where processes ran at two speeds, the table above has that of the larger group. Here is the other, with its "
        "share of the processes."
    )
    assert [heading.lines for heading in table.headings] == [("contestant",), ("ns/op",), ("other speed",), ("share",)]
    assert [block.name for block in table.blocks] == ["lock held"]
    assert cells(table) == {"python/a": ["90.0", "150", "33 %"]}
    assert tables(run, compare(run).rows)[1] == table


def test_the_points_of_a_sweep_stand_as_in_its_table() -> None:
    along: dict[str, Along] = {"c": {1: ONE, 2: TWO}, "python/a": {1: TWO, 2: TWO}, "python/b": {1: ONE, 2: ONE}}
    (table,) = shown(swept_run({"send": along}))
    assert table.title == "work: work that is made up, over threads: the other speed"
    assert table.caption.endswith("of the processes. Millions of operations a second.")
    assert cells(table) == {"c": [NONE, "6.66 33 %"], "python/a": ["6.66 33 %", "6.66 33 %"]}


def test_a_row_that_is_invalid_shows_no_speed() -> None:
    run = run_of({"c": ONE, "python/a": TWO})
    rows = compare(run).rows
    assert [row.valid for row in rows] == [True, True]
    invalid = [replace(row, valid=False) if row.contestant == "python/a" else row for row in rows]
    assert speed_tables(run, invalid) == []
    assert speed_facts(invalid) == []


@pytest.mark.parametrize(
    ("times", "text"),
    [
        (
            {"c": ONE, "control": ONE, "python/a": TWO},
            "the processes of 1 of 3 figures ran at two speeds, 1.7 times apart",
        ),
        (
            {"c": TWO, "control": ONE, "python/a": [ns * (2 if ns > 100 else 1) for ns in TWO]},
            (
                "the processes of 2 of 3 figures ran at two speeds, 1.7 to 3.3 times apart; so did C itself, so look "
                "at the machine first"
            ),
        ),
    ],
)
def test_the_summary_says_how_many_and_whether_c_did_too(times: dict[str, list[float]], text: str) -> None:
    (fact,) = speed_facts(compare(run_of(times)).rows)
    assert (fact.label, fact.text) == ("two speeds", text)


@pytest.mark.parametrize(
    ("settled", "text"),
    [
        ([None, None], None),
        ([12, None], "1 of 1 row whose languages compile while they run settled in every process"),
        ([12, 11], "1 of 2 rows whose languages compile while they run settled in every process; python/b in 11 of 12"),
        (
            [9, None],
            "0 of 1 row whose languages compile while they run settled in every process; python/a in 9 of 12",
        ),
    ],
)
def test_who_compiles_meanwhile_says_in_how_many_processes_it_settled(
    settled: list[int | None], text: str | None
) -> None:
    rows = compare(run_of({"c": ONE, "python/a": ONE, "python/b": TWO})).rows
    counts = dict(zip(("python/a", "python/b"), settled, strict=True))
    facts = settled_facts([replace(row, settled_processes=counts.get(row.contestant)) for row in rows])
    assert [fact.text for fact in facts] == ([] if text is None else [text])
