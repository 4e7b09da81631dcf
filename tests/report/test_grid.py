"""Several cases are one grid: a glance instead of a table each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict

import pytest
from msgspec.structs import replace
from support.grids import ROUNDS, cells, grid_of, report_of, several, steady
from support.runs import run_of

from ffibench.errors import FfibenchError
from ffibench.model import Lock, Run
from ffibench.report.grid import reference_of
from ffibench.report.names import row_names
from ffibench.report.options import GridOptions
from ffibench.report.report import make_report
from ffibench.report.table import Tabular
from ffibench.report.tables import check_grid
from ffibench.report.terminal.report import drawn_report
from ffibench.results.compare import compare

Render = Callable[..., str]


def shades(grid: Tabular) -> dict[str, list[str]]:
    """By case the steps of its cells, with a stroke where the interval lies in two."""
    return {
        line.cells[0]: ["" if each is None else f"{each.step}{'/' * each.spans}" for each in line.shades[1:]]
        for line in grid.lines()
    }


def with_locks(run: Run, locks: Mapping[str, Lock]) -> Run:
    """The run in which contestants hold or release the lock of their language."""
    workers = [
        replace(worker, contestant=replace(worker.contestant, lock=locks.get(worker.contestant.name, "held")))
        if worker.contestant.language == "python"
        else worker
        for worker in run.plan.workers
    ]
    return replace(run, plan=replace(run.plan, workers=tuple(workers)))


def in_groups(run: Run, groups: Sequence[str]) -> Run:
    cases = tuple(replace(case, group=group) for case, group in zip(run.plan.cases, groups, strict=True))
    return replace(run, plan=replace(run.plan, cases=cases))


class TestFigures:
    def test_cases_stand_down_and_each_cell_is_ns_an_operation(self) -> None:
        grid = grid_of(several())
        assert [heading.text for heading in grid.headings] == ["case", "c", "control", "python/a", "python/b"]
        assert cells(grid) == {
            "send": ["2.00", "2.00", "20.0*", "30.0"],
            "echo text": ["10.0", "10.0", "20.0", "15.0*"],
            "sum": ["5.00", "5.00", "5.50*", "50.0"],
        }

    def test_names_are_broken_where_they_have_parts(self) -> None:
        run = run_of(
            {**steady(2.0), "python/nanobind~method": [9.0] * ROUNDS},
            cases={"sum": {**steady(2.0), "python/nanobind~method": [9.0] * ROUNDS}},
        )
        assert grid_of(run).headings[-1].lines == ("python/", "nanobind", "~method")
        assert grid_of(run).headings[-1].text == "python/nanobind~method"

    def test_points_of_a_contestant_stand_below_each_other(self) -> None:
        for place in range(1, 5):
            column = [line.cells[place] for line in grid_of(several()).lines()]
            assert len({text.index(".") for text in column}) == 1
            assert len({len(text) for text in column}) == 1

    def test_net_is_less_by_the_empty_loop(self) -> None:
        grid = grid_of(several(), net=True)
        assert cells(grid)["echo text"] == ["9.00", "9.00", "19.0", "14.0*"]
        assert "net of the empty loop" in grid.caption

    def test_a_ratio_stands_only_where_the_reference_takes_over_10_ns(self) -> None:
        others = {"ten": steady(10.0, a=45.0, b=9.0), "eleven": steady(11.0, a=55.0, b=5.5)}
        grid = grid_of(run_of(steady(2.0, a=37.4, b=2.0), cases=others), ratio=True)
        assert grid.headings[1].lines == ("c", " ns/op")
        found = cells(grid)
        assert found["send"] == ["2.00", "0.0 ns", "0.0 ns*", "+35.4 ns"]
        assert found["ten"] == ["10.0", "0.0 ns", "-1.0 ns*", "+35.0 ns"]
        assert found["eleven"] == ["11.0", "1.00x", "0.50x*", "5.00x"]

    def test_any_contestant_may_be_the_reference(self) -> None:
        grid = grid_of(several(), reference="python/b")
        assert [heading.text for heading in grid.headings] == ["case", "python/b ns/op", "c", "control", "python/a"]
        assert cells(grid) == {
            "send": ["30.0", "0.0667x", "0.0667x", "0.67x*"],
            "echo text": ["15.0*", "0.67x", "0.67x", "1.33x"],
            "sum": ["50.0", "0.100x", "0.100x", "0.11x*"],
        }
        assert grid.caption.startswith("Ratio to python/b in each case")

    def test_a_ratio_to_another_is_the_median_of_paired_rounds(self) -> None:
        slow = [20.0, 40.0, 60.0, 20.0, 40.0, 60.0, 30.0]
        times = {**steady(2.0, 7), "python/a": slow, "python/b": [2 * each for each in slow[:-1]] + [15.0]}
        grid = grid_of(run_of(times, cases={"sum": times}), reference="python/a")
        assert (
            cells(grid)["send"][-1] == "2.00x*"
        )  # one round of seven is otherwise, so that neither is significantly faster

    def test_net_ratios_are_of_net_times_and_where_there_is_none_the_overhead(self) -> None:
        run = run_of({**steady(21.0, a=41.0), "python/b": [1.0] * ROUNDS}, cases={"sum": steady(21.0, a=41.0, b=2.0)})
        found = cells(grid_of(run, net=True, ratio=True))
        assert found["send"] == ["20.0", "1.00x", "-20.0 ns*", "2.00x"]  # a net of 0 is no divisor, nor divided
        assert found["sum"] == ["20.0", "1.00x", "0.0500x*", "2.00x"]

    def test_after_few_rounds_ratios_are_a_first_look(self) -> None:
        grid = grid_of(several(rounds=3), ratio=True)
        assert cells(grid)["sum"] == ["5.00", "(0.0 ns)", "(+0.5 ns)", "(+45.0 ns)"]
        assert "first look" in dict(grid.notes)["( )"]
        assert "( )" not in dict(grid_of(several(rounds=3)).notes)


class TestPlaces:
    def test_blocks_stand_side_by_side_and_the_nearest_to_the_fastest_first(self) -> None:
        run = with_locks(
            run_of(
                steady(2.0, a=90.0, b=20.0, d=70.0, e=60.0), cases={"sum": steady(2.0, a=99.0, b=25.0, d=9.0, e=8.0)}
            ),
            {"python/d": "released", "python/e": "released"},
        )
        grid = grid_of(run)
        heads = [(heading.text, heading.group) for heading in grid.headings[1:]]
        assert heads == [
            *(("c", ""), ("control", "")),
            *(("python/b", "lock held"), ("python/a", "lock held")),
            *(("python/e", "lock released"), ("python/d", "lock released")),
        ]
        assert "Each block is ranked by itself." in grid.caption
        # The fastest of each block is marked, though another block is faster.
        assert cells(grid)["sum"] == ["2.00", "2.00", "25.0*", "99.0", "8.00*", "9.00"]

    def test_cases_stand_in_their_groups_in_the_order_of_the_experiment(self) -> None:
        grid = grid_of(in_groups(several(), ["calls", "data", "calls"]))
        named = [(block.name, [line.cells[0] for line in block.lines]) for block in grid.blocks]
        assert named == [("calls", ["send", "sum"]), ("data", ["echo text"])]

    def test_without_groups_there_is_no_heading(self) -> None:
        assert [block.name for block in grid_of(several()).blocks] == [""]


class TestMarks:
    def test_two_that_do_not_differ_significantly_are_both_marked(self) -> None:
        close = {**steady(2.0, 20, a=20.0), "python/b": [20.1, 19.9] * 10}
        run = run_of(close, cases={"sum": steady(2.0, 20, a=20.0, b=20.1)})
        assert [row[2:] for row in cells(grid_of(run)).values()] == [["20.0*", "20.0*"], ["20.0*", "20.1"]]

    def test_the_adjustment_is_over_the_whole_grid(self) -> None:
        """Six rounds carry a difference of one pair, not of one pair in each of two cases."""
        one, two = steady(2.0, 6, a=20.0, b=30.0), steady(2.0, 6, a=20.0)
        alone = run_of(one, cases={"sum": {**two, "python/b": [20.0] * 6}})
        assert "*" in dict(grid_of(alone).notes)
        assert dict(grid_of(alone).notes)["*"].endswith(
            "the 2 pairs of cells that are compared need 7 rounds, and there are 6."
        )
        assert not any("*" in cell for row in cells(grid_of(alone)).values() for cell in row)

    def test_with_enough_rounds_the_note_says_over_how_many_pairs(self) -> None:
        assert dict(grid_of(several(7)).notes)["*"] == (
            "No other of its block is significantly faster in this case (Holm over all 3 pairs of cells)."
        )

    def test_one_that_is_alone_in_its_block_is_not_marked(self) -> None:
        run = run_of(steady(2.0, a=20.0), cases={"sum": steady(2.0, a=20.0)})
        assert not any("*" in cell for row in cells(grid_of(run)).values() for cell in row)
        assert "*" not in dict(grid_of(run).notes)


class TestShades:
    def test_a_cell_is_shaded_by_its_time_over_the_fastest_of_its_block(self) -> None:
        run = run_of(
            steady(2.0, a=10.0, b=12.4, d=19.9, e=39.0, f=79.0, g=81.0),
            cases={"sum": steady(2.0, a=30.0, b=30.0, d=30.0, e=30.0, f=30.0, g=30.0)},
        )
        grid = grid_of(run)
        assert shades(grid) == {"send": ["", "", "0", "0", "1", "2", "3", "4"], "sum": ["", "", *["0"] * 6]}
        assert grid.steps == ("under 1.25x", "1.25x to 2x", "2x to 4x", "4x to 8x", "8x and over")

    def test_a_cell_whose_interval_lies_in_two_steps_says_so(self) -> None:
        around = {**steady(2.0, a=10.0), "python/b": [19.0, 20.5, 21.0] * 4}
        grid = grid_of(run_of(around, cases={"sum": steady(2.0, a=10.0, b=20.5)}))
        assert shades(grid) == {"send": ["", "", "0", "2/"], "sum": ["", "", "0", "2"]}

    def test_without_intervals_there_are_no_shades(self) -> None:
        grid = grid_of(several(rounds=5))
        assert {step for steps in shades(grid).values() for step in steps} == {""}
        assert grid.steps == ()
        assert dict(grid.notes)["shade"] == "None is shaded: an interval takes 6 rounds."


class TestOptions:
    def test_an_unknown_reference_is_told_with_the_nearest_names(self) -> None:
        with pytest.raises(FfibenchError, match="--reference python/aa: no such contestant in this run") as caught:
            grid_of(several(), reference="python/aa")
        assert "did you mean python/a" in str(caught.value)
        assert caught.value.fix == "use one of c, control, python/a, python/b"
        with pytest.raises(FfibenchError, match="no such contestant"):
            check_grid(several().plan, GridOptions(reference="python/aa"))
        check_grid(several().plan, GridOptions(reference="python/a"))

    def test_a_role_without_a_row_of_the_baseline_has_its_first_contestant_first(self) -> None:
        names, _ = row_names([row for row in compare(several()).rows if row.contestant == "python/b"])
        assert reference_of(names, "") == ("python/b", "CPython 3.11.7")
        with pytest.raises(FfibenchError, match="--reference c: no such contestant"):
            reference_of(names, "c")

    def test_a_name_that_several_interpreters_run_is_not_one(self) -> None:
        rows = compare(several()).rows
        again = tuple(replace(row, interpreter="CPython 3.13.0") for row in rows if row.contestant == "python/a")
        names, _ = row_names((*rows, *again))
        with pytest.raises(FfibenchError, match="that is several in this run") as caught:
            reference_of(names, "python/a")
        assert caught.value.fix == "use one of python/a @3.11.7, python/a @3.13.0"
        assert reference_of(names, "python/a @3.13.0") == ("python/a", "CPython 3.13.0")

    @pytest.mark.parametrize("options", [GridOptions(net=True), GridOptions(ratio=True), GridOptions(reference="c")])
    def test_a_run_without_a_grid_has_no_use_for_them(self, options: GridOptions) -> None:
        run = run_of(steady(2.0, a=20.0))
        for asked in (lambda: check_grid(run.plan, options), lambda: report_of(run, **asdict(options))):
            with pytest.raises(FfibenchError, match="this run has no grid") as caught:
                asked()
            assert str(caught.value).startswith(" ".join(options.given))


def test_full_tables_of_many_cases_stand_behind_the_name_of_one(render: Render) -> None:
    run = several()
    assert "overhead  " not in render(drawn_report(report_of(run)))
    assert len(report_of(run).details) == 3
    chosen = report_of(run, cases=("s*",))
    assert [table.title.rpartition(", ")[2] for table in chosen.details] == ["send", "sum"]
    assert render(drawn_report(chosen)).count("overhead  ") == 2
    cut = report_of(several(), cases=("echo",))  # "echo text", after its first word
    assert [table.title.rpartition(", ")[2] for table in cut.details] == ["echo text"]
    assert report_of(run_of(steady(2.0, a=20.0)), cases=("*",)).details == ()  # it is the table itself
    many = run_of(steady(2.0, a=20.0), cases={f"case{number}": steady(2.0, a=20.0) for number in range(5)})
    assert report_of(many).details == ()
    assert len(report_of(many, verbose=True).details) == 6
    assert dict(grid_of(many).notes)["--case NAME"].startswith("Shows one case in full")


def test_a_case_that_is_not_there_is_named_with_those_that_are() -> None:
    with pytest.raises(FfibenchError, match=r"--case ech: no such case in this run") as caught:
        report_of(several(), cases=("ech",))
    assert "send, echo text, sum" in str(caught.value)


def test_roles_of_one_case_each_keep_their_tables() -> None:
    run = run_of(steady(2.0, a=20.0))
    rows = compare(run).rows
    other = [replace(row, role="subscriber") for row in rows]
    report = make_report(run, replace(compare(run), rows=(*rows, *other)))
    assert len(report.tables) == 2
    assert report.details == ()
