"""The summary: aligned, at most 100 columns, and nothing ranked that may not be."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from ffibench.model import PlannedCase, Row, Run
from ffibench.report.case_table import case_tables
from ffibench.report.names import contestant_names, language_of
from ffibench.report.notes import too_few
from ffibench.report.tables import tables
from ffibench.report.terminal.table import drawn_tables

Render = Callable[..., str]
Golden = Callable[[str, str], None]

SCENARIOS = ("rows", "doubtful_rows", "few_rows", "several_rows")


def named(request: pytest.FixtureRequest, scenario: str) -> list[Row]:
    rows: list[Row] = request.getfixturevalue(scenario)
    return rows


@pytest.mark.parametrize("width", [100, 80])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_table_is_as_drawn(
    request: pytest.FixtureRequest,
    run: Run,
    render: Render,
    golden: Golden,
    *,
    scenario: str,
    width: int,
) -> None:
    text = render(drawn_tables(tables(run, named(request, scenario), 100_000)), width)
    golden(f"table-{scenario.partition('_rows')[0]}-{width}.txt", text)


@pytest.mark.parametrize("width", [20, 45, 60, 80, 100, 250])
@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("rate", [None, 100_000, 123_456_789])
def test_no_line_is_wider_than_the_console_or_160_columns(
    request: pytest.FixtureRequest,
    run: Run,
    render: Render,
    *,
    scenario: str,
    width: int,
    rate: int | None,
) -> None:
    lines = render(drawn_tables(tables(run, named(request, scenario), rate)), width).splitlines()
    assert all(len(line) <= min(width, 160) for line in lines)
    assert all(line == line.rstrip() for line in lines)


@pytest.mark.parametrize("width", [60, 80, 100])
def test_numbers_are_whole_at_any_width(run: Run, rows: list[Row], render: Render, width: int) -> None:
    text = render(drawn_tables(tables(run, rows, 100_000)), width)
    for figure in ("22.4", "55.9", "138", "400", "17.9", "5.37"):
        assert re.search(rf"\s{figure}\s", text)


def test_a_narrow_table_says_what_it_left_out(run: Run, rows: list[Row], render: Render) -> None:
    assert "hidden" not in render(drawn_tables(tables(run, rows)), 100)
    assert "hidden (terminal too narrow): version, net of the empty loop, overhead" in render(
        drawn_tables(tables(run, rows, 1000)), 80
    )


def test_nothing_is_left_out_of_a_table_that_just_fits(run: Run, rows: list[Row], render: Render) -> None:
    width = max(
        len(line)
        for line in render(drawn_tables(tables(run, rows[:3], 1000))).splitlines()
        if "\N{BOX DRAWINGS LIGHT HORIZONTAL}" in line
    )
    assert "hidden" not in render(drawn_tables(tables(run, rows[:3], 1000)), width)
    assert "hidden" in render(drawn_tables(tables(run, rows[:3], 1000)), width - 1)


def test_names_begin_at_the_left_and_numbers_end_below_their_heading(run: Run, rows: list[Row], render: Render) -> None:
    lines = render(drawn_tables(tables(run, rows[:3]))).splitlines()
    heading = next(line for line in lines if "ns/op" in line.split())
    end = heading.index("ns/op") + len("ns/op")
    measured = [line for line in lines if line.startswith(("c  ", "control ", "python/cython "))]
    assert [line[:end].rpartition(" ")[2] for line in measured] == ["22.4", "22.4", "47.6"]


def test_a_column_has_the_same_significant_digits_all_the_way(run: Run, rows: list[Row]) -> None:
    (table,) = case_tables(run, rows, 100_000)
    keys = [heading.key for heading in table.headings]
    for key, significant in (("gross", 3), ("ratio", 3), ("share", 2)):
        cells = [line.cells[keys.index(key)] for line in table.lines()]
        assert {len(re.sub("[., ]", "", cell).lstrip("0")) for cell in cells} == {significant}
        assert len({len(cell) for cell in cells}) == 1


def test_the_share_of_a_core_is_the_gross_time_at_the_rate(run: Run, rows: list[Row]) -> None:
    (table,) = case_tables(run, rows, 2_500_000)
    assert " ".join(table.headings[-1].lines) == "% of core at 2.5M/s"
    assert [line.cells[-1].strip() for line in table.lines()][:2] == ["5.6", "5.6"]
    assert "share" not in {heading.key for heading in case_tables(run, rows)[0].headings}


def test_an_invalid_row_has_no_figures_and_its_reason_in_full(
    run: Run, doubtful_rows: list[Row], render: Render
) -> None:
    (table,) = case_tables(run, doubtful_rows, 100_000)
    held = next(block for block in table.blocks if block.name == "lock held")
    last = held.lines[-1]
    assert last.state == "invalid"
    assert [cell for cell in last.cells if cell.strip()] == ["python/capi", "invalid", "1.0", "[1]"]
    reason = next(row.reason for row in doubtful_rows if not row.valid) or ""
    assert reason in " ".join(render(drawn_tables(tables(run, doubtful_rows))).split())


def test_a_row_on_another_library_keeps_its_figures_but_is_not_tied(run: Run, doubtful_rows: list[Row]) -> None:
    claimed = [replace(row, tie="g") if row.contestant == "python/cffi-abi" else row for row in doubtful_rows]
    (table,) = case_tables(run, claimed)
    cells = {line.cells[0]: line.cells for line in table.lines()}
    assert "262" in {cell.strip() for cell in cells["python/cffi-abi"]}
    assert cells["python/cffi-abi"][-1] == "[2]"
    assert cells["python/ctypes"][-1] == "[3]"
    assert [mark for mark, _ in table.notes] == ["[1]", "[2]", "[3]", "[4]", "[5]"]


def test_a_row_with_too_few_native_calls_is_invalid_and_says_how_many(run: Run, doubtful_rows: list[Row]) -> None:
    (table,) = case_tables(run, doubtful_rows)
    cells = {line.cells[0]: line.cells for line in table.lines()}
    assert [cell.strip() for cell in cells["python/capi~nogil"] if cell.strip()][-2:] == ["0.5", "[4]"]
    assert "invalid" in cells["python/capi~nogil"]
    assert cells["perl/xs"][-1].strip() == "[5]"
    notes = dict(table.notes)
    assert notes["[4]"] == "It called zmq_send 50,000 times in 100,000 operations, expected 100,000."
    assert notes["[5]"] == "It is not auditable and not ranked: it is linked statically."


def test_whole_native_calls_are_whole_numbers(run: Run, rows: list[Row]) -> None:
    def shown(*calls: float | None) -> list[str]:
        counted = [replace(row, native_calls=each) for row, each in zip(rows, calls, strict=False)]
        (table,) = case_tables(run, counted)
        keys = [heading.key for heading in table.headings]
        return [line.cells[keys.index("calls")] for line in table.lines()] if "calls" in keys else []

    assert shown(1, 1, 7.0003) == ["1", "1", "7"]
    assert shown(1, 1, 7.5) == ["1.0", "1.0", "7.5"]
    assert shown(1, 1, 7.04) == shown(1, 1, 6.96) == ["1", "1", "7"]  # a few more or less in the whole loop
    assert shown(1, 1, 7.06) == ["1.0", "1.0", "7.1"]
    assert shown(1, 1, 6.94) == ["1.0", "1.0", "6.9"]
    assert shown(1, 1.3, 7) == ["1.0", "1.3", "7.0"]
    assert shown(1, 1, None) == ["1", "1", ""]
    assert shown(None, None) == []


def columns_of(run: Run, rows: list[Row]) -> dict[str, list[str]]:
    """The cells of the one table of `rows` by the key of their column, without the blanks that align them."""
    (table,) = case_tables(run, rows)
    cells = zip(*(line.cells for line in table.lines()), strict=True)
    return {heading.key: [cell.strip() for cell in each] for heading, each in zip(table.headings, cells, strict=True)}


def test_a_ratio_far_under_1_keeps_its_digits(run: Run, rows: list[Row]) -> None:
    near = replace(rows[2], ratio=0.123, ratio_low=0.121, ratio_high=0.126)
    assert columns_of(run, [*rows[:2], near])["ratio"] == ["1.00", "1.00", "0.12"]
    far = replace(rows[2], ratio=0.0523, ratio_low=0.0519, ratio_high=0.0531)
    columns = columns_of(run, [*rows[:2], far])
    assert columns["ratio"] == ["1.00", "1.00", "0.0523"]
    assert columns["interval"][2] == "0.0519\N{EN DASH}0.0531"


def test_the_baseline_is_its_own_measure_and_no_letter_ties_the_control_to_it(run: Run, rows: list[Row]) -> None:
    columns = columns_of(run, [replace(row, tie="a") for row in rows[:2]])
    assert columns["added"] == ["", "0.0"]
    assert columns["interval"][0] == ""
    assert "\N{EN DASH}" in columns["interval"][1]
    assert "tie" not in columns


def test_a_column_that_one_row_lacks_is_there_for_the_others(run: Run, rows: list[Row]) -> None:
    columns = columns_of(run, [*rows[:2], replace(rows[2], net_ns=None, added_ns=None)])
    assert columns["net"] == ["22.1", "22.1", "\N{EN DASH}"]
    assert columns["added"] == ["", "0.0", "\N{EN DASH}"]


def test_the_case_is_named_where_its_role_has_several(run: Run, rows: list[Row]) -> None:
    first, second = (replace(run.plan.cases[0], name=name) for name in ("publish", "receive"))
    workers = tuple(
        replace(worker, role=role, cases=(case.name,), label=role)
        for worker in run.plan.workers[:2]
        for role, case in (("publisher", first), ("subscriber", second))
    )
    plan = replace(run.plan, cases=(first, second), workers=workers)
    told = [replace(row, role="publisher", case="publish") for row in rows[:2]]
    (table,) = case_tables(replace(run, plan=plan), told)
    assert table.title == "xsub: sending small messages through ZeroMQ"


def test_rows_of_the_same_reason_share_a_note(run: Run, rows: list[Row]) -> None:
    crashed = [replace(row, valid=False, reason="It crashed.") for row in rows[2:5]]
    (table,) = case_tables(run, [*rows[:2], *crashed])
    assert [note for note in table.notes if note[0] == "[1]"] == [("[1]", "It crashed.")]


def test_an_absent_row_and_lost_rounds_are_told(run: Run, rows: list[Row], render: Render) -> None:
    unavailable = replace(rows[2], gross_ns=None, ratio=None, reason="It has no bulk call.")
    (table,) = case_tables(run, [*rows[:2], unavailable, replace(rows[3], rounds=41)])
    assert [line.cells[0] for line in table.lines()][-2:] == ["python/capi", "python/cython"]
    assert "unavailable" in table.lines()[-1].cells
    assert dict(table.notes)["[1]"] == "Measured in 41 of 50 rounds."


def test_a_row_that_never_ran_is_absent_not_invalid(run: Run, rows: list[Row]) -> None:
    never = replace(rows[2], gross_ns=None, ratio=None, rounds=0, valid=False, reason="It could not be built.")
    (table,) = case_tables(run, [*rows[:2], never])
    assert "unavailable" in table.lines()[-1].cells
    assert "invalid" not in table.lines()[-1].cells


def test_too_few_rounds_are_said_and_not_counted_against_the_baseline(run: Run, few_rows: list[Row]) -> None:
    (table,) = case_tables(run, few_rows)
    assert table.notes == (too_few(3),)
    ratios = [line.cells[[heading.key for heading in table.headings].index("ratio")] for line in table.lines()]
    assert [text.strip() for text in ratios[:3]] == ["1.00", "(1.00)", "(2.12)"]
    assert len({len(text) for text in ratios}) == 1
    assert "interval" not in {heading.key for heading in table.headings}
    assert "tie" not in {heading.key for heading in table.headings}
    assert case_tables(run, few_rows[:1])[0].notes == ()


def test_interpreters_of_one_language_are_told_apart(run: Run, several_rows: list[Row]) -> None:
    (table,) = case_tables(run, several_rows)
    names = [line.cells[0] for line in table.lines()]
    assert len(set(names)) == len(names)
    assert {"c", "perl/xs", "python/capi @3.12.1 (a)", "python/capi @3.14.0t"} <= set(names)
    assert ("(b)", "CPython 3.12.1 (Clang 17.0.6)") in table.notes


def test_one_table_a_case_and_role(run: Run, rows: list[Row]) -> None:
    cases = tuple(
        PlannedCase(name=name, operation=f"{name} of an integer", iterations=10, receipt={}) for name in ("echo", "add")
    )
    many = [replace(row, case=case) for case in ("echo", "add") for row in rows[:4]]
    tables = case_tables(replace(run, plan=replace(run.plan, cases=cases)), many, 1000)
    title = "xsub: sending small messages through ZeroMQ"
    assert [table.title for table in tables] == [f"{title}, echo", f"{title}, add"]
    assert tables[1].caption == "One operation: add of an integer. Wall time, 50 rounds."


def test_names_and_reasons_from_outside_cannot_control_the_terminal(run: Run, rows: list[Row], render: Render) -> None:
    wicked = replace(rows[3], valid=False, reason="\x1b[31mdied\x07\r\n\twith [bold]9[/bold]\x9b2J")
    text = render(drawn_tables(tables(run, [*rows[:3], wicked])))
    assert all(char.isprintable() or char == "\n" for char in text)
    assert "died with [bold]9[/bold]" in text


def test_interpreters_without_a_version_or_of_the_same_are_told_apart_by_letters() -> None:
    names, letters = contestant_names([("perl/xs", "perl"), ("perl/xs", "another perl"), ("c", "gcc")])
    assert list(names.values()) == ["perl/xs (a)", "perl/xs (b)", "c"]
    assert letters == {"(a)": "perl", "(b)": "another perl"}
    names, letters = contestant_names([("perl/xs", "perl 5.36.0"), ("perl/xs", "another perl")])
    assert (list(names.values()), letters) == (["perl/xs @5.36.0", "perl/xs (a)"], {"(a)": "another perl"})
    many, _ = contestant_names([("python/a", f"CPython 3.14.0 ({number})") for number in range(54)])
    tags = [name.rpartition(" ")[2] for name in many.values()]
    assert tags[24:28] == ["(y)", "(z)", "(aa)", "(ab)"]
    assert tags[51:] == ["(az)", "(ba)", "(bb)"]


@pytest.mark.parametrize(
    ("contestant", "language"), [("c", "c"), ("control", "c"), ("python/capi~nogil", "python"), ("c~static", "c")]
)
def test_the_language_stands_before_a_stroke_or_a_tilde(contestant: str, language: str) -> None:
    assert language_of(contestant) == language
