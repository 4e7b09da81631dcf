"""The cells of a sweep one by one: which unit, which order, which note."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from support.runs import Along, changed, swept_run

from ffibench.model import Run
from ffibench.report.notes import too_few
from ffibench.report.report import make_report
from ffibench.report.sweep_table import sweep_tables
from ffibench.report.table import Tabular
from ffibench.results.compare import compare


def along(*ns: float | None, rounds: int = 6) -> Along:
    return {2**place: None if each is None else [each] * rounds for place, each in enumerate(ns)}


def table_of(run: Run) -> Tabular:
    (table,) = sweep_tables(run, compare(run).rows)
    return table


@pytest.mark.parametrize(
    ("ns", "words", "rates"),
    [
        ((1000, 1000), "Millions of operations a second", ["1.00", "1.00"]),
        ((1001, 1001), "Thousands of operations a second", ["999", "999"]),
        ((40_000, 20_000, 500), "Thousands of operations a second", ["25.0", "50.0", "2000"]),
        ((2_000_000, 1_500_000), "Operations a second", ["500", "667"]),
    ],
)
def test_the_unit_is_that_of_the_middle_rate(ns: tuple[float, ...], words: str, rates: list[str]) -> None:
    table = table_of(swept_run({"send": {"c": along(*ns)}}))
    assert f"{words};" in table.caption
    assert [cell.strip() for cell in table.lines()[0].cells[1 : 1 + len(ns)]] == rates


def test_rows_stand_by_the_last_point_and_those_without_one_last() -> None:
    names = {"python/a": (90, 95), "python/b": (10, None), "python/d": (95, 85)}
    table = table_of(swept_run({"send": {"c": along(50, 60), **{name: along(*ns) for name, ns in names.items()}}}))
    assert [line.cells[0] for line in table.lines()] == ["c", "python/d", "python/a", "python/b"]


def test_a_note_says_where_it_holds_unless_that_is_everywhere() -> None:
    run = swept_run({"send": {"c": along(50, 60), "python/a": along(90, 95), "python/b": along(90, 95)}})
    run = changed(run, "python/a", lambda record: replace(record, failure="lied"))
    run = changed(
        run,
        "python/b",
        lambda record: replace(record, failure="died") if record.key.endswith("threads=1") else record,
    )
    table = table_of(run)
    notes = dict(table.notes)
    said = {line.cells[0]: notes[line.cells[-1].split()[-1]] for line in table.lines()[1:]}
    assert said == {"python/a": "It lied.", "python/b": "At threads=1: It died."}
    states = {line.cells[0]: line.state for line in table.lines()}
    assert states == {"c": "ranked", "python/a": "invalid", "python/b": "marked"}


def test_the_control_is_quiet_beside_the_baseline() -> None:
    own = along(50, 60)
    table = table_of(swept_run({"send": {"c": own, "control": own, "python/a": along(90, 95)}}))
    assert [line.state for line in table.lines()] == ["ranked", "control", "ranked"]


def test_letters_are_those_of_the_last_point_or_there_are_none() -> None:
    run = swept_run({"send": {name: along(ns, ns) for name, ns in (("c", 50), ("python/a", 90), ("python/b", 90))}})
    table = table_of(run)
    assert table.headings[-1].lines == ("tie",)
    assert [line.cells[-1] for line in table.lines()] == ["", "a", "a"]
    assert dict(table.notes)["tie"] == "Not significantly different at threads=2: python/a and python/b."
    run = changed(
        run, "c", lambda record: replace(record, failure="died") if record.key.endswith("threads=2") else record
    )
    table = table_of(run)
    assert table.headings[-1].lines == ("note",)
    assert "tie" not in dict(table.notes)


@pytest.mark.parametrize(("rounds", "told"), [(5, True), (6, False)])
def test_too_few_rounds_for_intervals_are_told_below(rounds: int, told: bool) -> None:
    table = table_of(swept_run({"send": {"c": along(50, 60, rounds=rounds)}}))
    assert (too_few(rounds) in table.notes) == told


def test_each_role_is_a_table_of_its_own() -> None:
    run = swept_run({"send": {"c": along(50, 60), "python/a": along(90, 95)}})
    rows = compare(run).rows
    tables = sweep_tables(run, [replace(row, role=role) for role in ("publisher", "subscriber") for row in rows])
    assert [table.title for table in tables] == [
        f"work: work that is made up, {role}, over threads" for role in ("publisher", "subscriber")
    ]
    assert [[line.cells[0] for line in table.lines()] for table in tables] == [["c", "python/a"]] * 2


def test_a_narrow_table_first_does_without_every_second_value_between() -> None:
    table = table_of(swept_run({"send": {"c": along(*range(50, 58))}}))
    values = {heading.key: heading.lines[-1] for heading in table.headings}
    gone = [values[key] for key in table.dispensable if key.startswith("point")]
    assert gone == ["2", "8", "32", "4", "16", "64"]
    assert values[table.dispensable[table.dispensable.index("ratio interval") - 1]] == "4"  # four are kept for its sake


def test_the_control_of_each_series_stands_below_its_baseline() -> None:
    own = {"c": along(50, 60), "control": along(50, 60)}
    table = table_of(swept_run({"lock": own, "free": own}))
    assert [line.cells[0] for line in table.lines()] == ["c lock", "control lock", "c free", "control free"]


def test_the_ratio_of_a_sweep_is_the_median_over_rounds_at_the_last_point() -> None:
    last = [20.0, 40.0, 30.0, 20.0, 40.0, 20.0, 40.0]
    times: dict[str, Along] = {"c": along(20, 10, rounds=7), "python/a": {1: [20.0] * 7, 2: last}}
    table = table_of(swept_run({"send": times}))
    places = {heading.key: place for place, heading in enumerate(table.headings)}
    cells = table.lines()[1].cells
    assert [cells[places[key]].strip() for key in ("ratio", "ratio interval")] == ["3.00", "2.00\N{EN DASH}4.00"]


def test_a_change_of_less_than_a_hundredth_is_a_part() -> None:
    run = swept_run({"send": {"c": along(10, 20_000), "python/a": along(20, 100)}})
    table = table_of(run)
    places = {heading.key: place for place, heading in enumerate(table.headings)}
    changes = [[line.cells[places[key]].strip() for key in ("change", "change interval")] for line in table.lines()]
    assert changes == [["1/2000", "1/2000\N{EN DASH}1/2000"], ["0.200", "0.200\N{EN DASH}0.200"]]
    told = {fact.label: fact.text for fact in make_report(run, compare(run)).summary}
    assert told["c"].endswith(", 1/2000 of that at threads=1 (1/2000\N{EN DASH}1/2000)")
