"""A sweep is one table a role: the values across, what changes over them, and what must be said of it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from msgspec.structs import replace
from support.runs import changed, run_of, swept_run
from support.sweeps import fanout, sizes

from ffibench.model import Run
from ffibench.report.facts import facts
from ffibench.report.processes import process_table
from ffibench.report.sweep_table import sweep_tables
from ffibench.report.table import Line, Tabular
from ffibench.report.tables import tables
from ffibench.report.terminal.table import drawn_tables
from ffibench.results.compare import compare

Render = Callable[..., str]
Golden = Callable[[str, str], None]


def table_of(run: Run) -> Tabular:
    (table,) = sweep_tables(run, compare(run).rows)
    return table


def cells(table: Tabular, key: str) -> list[str]:
    place = [heading.key for heading in table.headings].index(key)
    return [line.cells[place] for line in table.lines()]


def line_of(table: Tabular, *names: str) -> Line:
    return next(line for line in table.lines() if line.cells[: len(names)] == names)


def test_a_sweep_takes_the_place_of_the_tables_of_its_cases() -> None:
    run = fanout()
    (table,) = tables(run, compare(run).rows)
    assert table.title == "work: work that is made up, over threads"
    assert table.caption == (
        "One operation: one submit. Wall time, 12 rounds. "
        "Millions of operations a second; the ratio is of times, at threads=8."
    )
    assert [" ".join(heading.lines).strip() for heading in table.headings] == [
        *("contestant", "threads 1", "2", "4", "8", "change 1 to 8", "95 % CI", "peak"),
        *("ratio to C", "95 % CI", "note"),
    ]
    assert [block.name for block in table.blocks] == [
        "",
        *(f"{name}, sharded-edge" for name in ("lock held", "lock released", "no lock")),
    ]


def test_rates_have_three_digits_and_their_points_one_below_the_other() -> None:
    table = table_of(fanout())
    for index in range(4):
        texts = cells(table, f"point {index}")
        assert len({len(text) for text in texts}) == 1
        digits = {len(re.sub("[. ]", "", text).lstrip("0")) for text in texts if "\N{EN DASH}" not in text}
        assert digits == {3}
    assert [text.strip() for text in line_of(table, "c sharded").cells[1:5]] == ["21.2", "39.8", "76.3", "139"]


def test_the_unit_follows_the_rates() -> None:
    table = table_of(swept_run({"work": {"c": {1: [40_000.0] * 6, 2: [20_000.0] * 6}}}))
    assert "Thousands of operations a second;" in table.caption
    assert [text.strip() for text in table.lines()[0].cells[1:3]] == ["25.0", "50.0"]


def test_change_peak_and_ratio_are_of_the_same_contestant_and_series() -> None:
    line = line_of(table_of(fanout()), "python/cython~nogil")
    change, interval, peak, ratio = (line.cells[place].strip() for place in (5, 6, 7, 8))
    assert float(change) == pytest.approx(110 / 122, abs=0.01)
    assert re.fullmatch(r"0\.\d\d\N{EN DASH}0\.\d\d", interval)
    assert peak == "1.09 at 4"
    assert float(ratio) == pytest.approx(122 / 8.13, rel=0.01)


def test_a_cliff_is_named_in_a_note_with_its_share_and_place() -> None:
    table = table_of(fanout())
    notes = dict(table.notes)
    assert notes[line_of(table, "c wait-free").cells[-1].split()[-1]] == "It falls by 27 % from its peak at threads=4."
    assert "[" not in line_of(table, "c sharded").cells[-1]


def test_cliffs_of_a_block_at_the_same_place_share_a_note() -> None:
    lasts = (("c", 12.5), ("python/a", 20.0), ("python/b", 40.0))
    table = table_of(swept_run({"lock": {name: {1: [10.0] * 6, 2: [last] * 6} for name, last in lasts}}))
    assert dict(table.notes)["[1]"] == "It falls by 20 % from its peak at threads=1."
    assert dict(table.notes)["[2]"] == "It falls by 50 to 75 % from its peak at threads=1."
    assert [line.cells[-1].split()[-1] for line in table.lines()] == ["[1]", "[2]", "[2]"]


def test_what_cannot_run_is_a_dash_with_its_reason() -> None:
    table = table_of(fanout())
    ring = line_of(table, "c ring")
    assert [text.strip() for text in ring.cells[2:6]] == ["\N{EN DASH}"] * 4
    assert ring.cells[1].strip() == "81.7"
    mark = ring.cells[-1]
    assert dict(table.notes)[mark] == "It cannot run this case: it serves one at a time."
    assert line_of(table, "perl/xs").cells[-1] == mark


def test_a_point_that_failed_is_called_invalid_and_the_note_says_where() -> None:
    run = changed(
        fanout(),
        "python/cython",
        lambda record: replace(record, failure="lied") if record.key.endswith("threads=8") else record,
    )
    table = table_of(run)
    line = line_of(table, "python/cython")
    assert line.cells[4] == "invalid"
    assert line.cells[3].strip() not in {"", "invalid"}
    assert dict(table.notes)[line.cells[-1]] == "At threads=8: It lied."


def test_a_contestant_without_any_figure_is_shown_as_such() -> None:
    run = changed(fanout(), "perl/xs", lambda record: replace(record, failure="crashed"))
    assert line_of(table_of(run), "perl/xs").state == "invalid"


def test_the_series_is_named_only_where_there_are_several() -> None:
    table = table_of(sizes([1, 2]))
    assert table.lines()[0].cells[0] == "c"
    assert all("sharded" not in block.name for block in table.blocks)
    assert "over size" in table.title
    assert "at size=2." in table.caption


def test_of_many_values_the_first_the_last_and_some_between_are_shown() -> None:
    table = table_of(sizes(list(range(1, 65))))
    shown = [heading.lines[-1] for heading in table.headings if heading.key.startswith("point")]
    assert shown == ["1", "10", "19", "28", "37", "46", "55", "64"]
    assert table.caption.endswith("8 of 64 values of size are shown.")


def test_a_narrow_table_keeps_the_ends_of_the_sweep(render: Render) -> None:
    text = render(drawn_tables(tables(fanout(), compare(fanout()).rows)), 60)
    assert "hidden (terminal too narrow): threads=2, threads=4, 95 % CI of the change, peak" in " ".join(text.split())
    assert re.search(r"\s1\s+8\s+1 to 8", text)


def test_a_value_that_is_no_number_cannot_control_the_terminal(render: Render) -> None:
    run = swept_run({"send": {"c": {"\x1b[31m": [10.0] * 6, "b\n": [20.0] * 6}}}, parameter="mo\x07de")
    text = render(drawn_tables(tables(run, compare(run).rows)))
    assert all(char.isprintable() or char == "\n" for char in text)


def test_the_facts_of_many_cases_stay_calm() -> None:
    run = fanout()
    several = tuple(
        replace(case, iterations=500 * (1 + place) if place else case.iterations)
        for place, case in enumerate(run.plan.cases)
    )
    told = [(fact.label, fact.text) for fact in facts(run, compare(run))]
    resolutions = [text for label, text in told if label == "resolution"]
    assert len(resolutions) == 1
    assert re.fullmatch(
        r"smallest difference that this run could see: \S+ % \(\S+\) to \S+ % \(\S+\), of 50 cells", resolutions[0]
    )
    assert dict(told)["receipts"] == "1,836 receipts match; 9 cells have no figures, see the notes"
    changed = facts(replace(run, plan=replace(run.plan, cases=several)), compare(run))
    ranged = {fact.label: fact.text for fact in changed}
    assert ranged["iterations"].startswith("1,000 to 10,000 a slice; 2 timed slices")


def test_the_resolution_of_a_series_is_the_coarsest_of_its_points() -> None:
    run = sizes([1, 2])
    comparison = replace(compare(run), resolution={"send size=1": 0.01, "send size=2": 0.03})
    told = {fact.label: fact.text for fact in facts(run, comparison)}
    assert told["resolution"] == "smallest difference that this run could see: 3.0 %"


def test_whole_processes_are_told_point_by_point() -> None:
    run = sizes([1, 2])
    table = process_table(run, compare(run).rows)
    assert table is not None
    assert [line.cells[0] for line in table.lines()] == [
        *("c size=1", "c size=2", "python/capi size=1", "python/capi size=2"),
    ]


def test_a_run_without_a_sweep_has_no_table_of_one() -> None:
    run = run_of({"c": [10.0] * 6})
    assert sweep_tables(run, compare(run).rows) == []


def test_what_the_operations_of_all_cases_begin_with_is_said() -> None:
    run = fanout()
    cases = [replace(case, operation=f"one submit, into {case.name}") for case in run.plan.cases]
    told = replace(run, plan=replace(run.plan, cases=tuple(cases)))
    assert table_of(told).caption.startswith("One operation: one submit. Wall time")
    none = [replace(case, operation=f"{case.name}, submitted") for case in run.plan.cases]
    assert table_of(replace(run, plan=replace(run.plan, cases=tuple(none)))).caption.startswith("Wall time")
