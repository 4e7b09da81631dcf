"""Several cases are one grid: a glance instead of a table each."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace
from support.runs import Times, changed, run_of

from ffibench.errors import FfibenchError
from ffibench.model import Run
from ffibench.report.options import ReportOptions
from ffibench.report.report import Report, make_report
from ffibench.report.table import Tabular
from ffibench.report.terminal.report import drawn_report
from ffibench.report.terminal.table import drawn_tables
from ffibench.results.compare import compare

Render = Callable[..., str]

ROUNDS = 12


def steady(c: float, rounds: int = ROUNDS, **ns: float) -> Times:
    own = {name: [c] * rounds for name in ("c", "control")}
    return {**own, **{f"python/{name}": [each] * rounds for name, each in ns.items()}}


def several(rounds: int = ROUNDS) -> Run:
    others = {"echo text": steady(10.0, rounds, a=20.0, b=15.0), "sum": steady(5.0, rounds, a=5.5, b=50.0)}
    return run_of(steady(2.0, rounds, a=20.0, b=30.0), cases=others)


def report_of(run: Run, **options: object) -> Report:
    return make_report(run, compare(run), ReportOptions(**options))  # type: ignore[arg-type]


def grid_of(run: Run) -> Tabular:
    (grid,) = report_of(run).tables
    return grid


def cells(grid: Tabular) -> dict[str, list[str]]:
    return {line.cells[0]: [cell.strip() for cell in line.cells[1:]] for line in grid.lines()}


def test_cases_stand_across_and_each_cell_is_a_ratio_to_c() -> None:
    grid = grid_of(several())
    assert [heading.lines for heading in grid.headings] == [("contestant",), ("send",), ("echo text",), ("sum",)]
    assert cells(grid) == {
        "c (ns/op)": ["2.00", "10.0", "5.00"],
        "control": ["1.00", "1.00", "1.00"],
        "python/a": ["10.0*", "2.00", "1.10*"],
        "python/b": ["15.0", "1.50*", "10.0"],
    }
    assert dict(grid.notes)["*"] == "The fastest of its block in this case."


def test_points_stand_below_each_other_whatever_stands_behind() -> None:
    for place in range(1, 4):
        column = [line.cells[place] for line in grid_of(several()).lines()]
        assert len({text.index(".") for text in column[1:]}) == 1
        assert len({len(text) for text in column}) == 1


def test_after_few_rounds_ratios_are_a_first_look() -> None:
    grid = grid_of(several(rounds=3))
    assert cells(grid)["python/a"] == ["(10.0)", "(2.00)", "(1.10)"]
    assert "first look" in dict(grid.notes)["( )"]


def test_a_case_that_failed_is_invalid_and_the_note_names_it() -> None:
    def without_sum(run: Run) -> Run:
        return changed(
            run, "python/b", lambda record: replace(record, slices=record.slices, unsupported={"sum": "no arrays"})
        )

    grid = grid_of(without_sum(several()))
    assert cells(grid)["python/b"][2] in {"invalid", "unavailable"}
    assert "sum: It cannot run this case: no arrays." in dict(grid.notes).values()


def test_full_tables_stand_behind_verbose_and_the_name_of_a_case(render: Render) -> None:
    run = several()
    assert "overhead" not in render(drawn_report(report_of(run)))
    assert render(drawn_report(report_of(run, verbose=True))).count("overhead") == 3
    chosen = report_of(run, cases=("s*",))
    assert [table.title.rpartition(", ")[2] for table in chosen.details] == ["send", "sum"]
    assert render(drawn_report(chosen)).count("overhead") == 2


def test_a_case_that_is_not_there_is_named_with_those_that_are() -> None:
    with pytest.raises(FfibenchError, match=r"--case echo: no such case in this run") as caught:
        report_of(several(), cases=("echo",))
    assert "send, echo text, sum" in str(caught.value)


def test_roles_of_one_case_each_keep_their_tables() -> None:
    run = run_of(steady(2.0, a=20.0))
    rows = compare(run).rows
    other = [replace(row, role="subscriber") for row in rows]
    report = make_report(run, replace(compare(run), rows=(*rows, *other)))
    assert len(report.tables) == 2
    assert report.details == ()


@pytest.mark.parametrize("width", [40, 60])
def test_a_narrow_terminal_gets_bands(render: Render, width: int) -> None:
    cases = {f"case{number}": steady(2.0, a=20.0) for number in range(9)}
    lines = render(drawn_tables([grid_of(run_of(steady(2.0, a=20.0), cases=cases))]), width).splitlines()
    assert all(len(line) <= width for line in lines)
    heads = [line for line in lines if line.startswith("contestant")]
    assert len(heads) > 1
    assert sum(len(head.split()) - 1 for head in heads) == 10
