"""The promise: a cell without a figure, or with one that needs words, has a mark, and the note below says why, once."""

from __future__ import annotations

from msgspec.structs import replace
from support.grids import cells, grid_of, several
from support.runs import changed

from ffibench.model import Run, Slice


class TestCellsThatCannotBe:
    def test_each_reason_has_one_number(self) -> None:
        def lacking(run: Run, name: str, case: str, reason: str) -> Run:
            workers = [
                replace(worker, cannot={**worker.cannot, case: reason}) if worker.contestant.name == name else worker
                for worker in run.plan.workers
            ]
            run = replace(run, plan=replace(run.plan, workers=tuple(workers)))
            return changed(
                run,
                name,
                lambda record: replace(record, slices=tuple(each for each in record.slices if each.case != case)),
            )

        run = several()
        for name, case, reason in (
            *(("python/a", "sum", "no arrays"), ("python/b", "sum", "no arrays")),
            ("python/b", "echo text", "no text"),
        ):
            run = lacking(run, name, case, reason)
        grid = grid_of(run)
        assert cells(grid) == {
            "send": ["2.00", "2.00", "20.0*", "30.0"],
            "echo text": ["10.0", "10.0", "20.0", "[2]"],
            "sum": ["5.00", "5.00", "[1]", "[1]"],
        }
        notes = dict(grid.notes)
        assert notes["[1]"] == "It cannot run this case: no arrays."
        assert notes["[2]"] == "It cannot run this case: no text."

    def test_an_invalid_one_is_called_so(self) -> None:
        run = changed(several(), "python/b", lambda record: replace(record, failure="reported 7, expected 9"))
        grid = grid_of(run)
        assert [row[3] for row in cells(grid).values()] == ["[1]"] * 3
        assert dict(grid.notes)["[1]"] == "Invalid: it reported 7, expected 9."

    def test_who_is_none_of_a_case_leaves_a_dash(self) -> None:
        run = several()
        workers = [
            replace(worker, cases=("send", "sum")) if worker.contestant.name == "python/b" else worker
            for worker in run.plan.workers
        ]
        run = changed(
            replace(run, plan=replace(run.plan, workers=tuple(workers))),
            "python/b",
            lambda record: replace(record, slices=tuple(each for each in record.slices if each.case != "echo text")),
        )
        grid = grid_of(run)
        assert cells(grid)["echo text"] == ["10.0", "10.0", "20.0", "\N{EN DASH}"]
        assert dict(grid.notes)["\N{EN DASH}"] == "Not among the contestants of this case."

    def test_what_has_to_be_said_of_a_figure_stands_behind_it(self) -> None:
        run = changed(
            several(),
            "python/a",
            lambda record: replace(record, slices=tuple(_drifting(each) for each in record.slices)),
        )
        grid = grid_of(run)
        assert cells(grid)["sum"][2].endswith(" [1]")
        column = [line.cells[3] for line in grid.lines()]
        # Its figures stand below each other, whichever of them has a mark.
        assert len({cell.index(".") for cell in column}) == 1
        assert len({len(cell) for cell in column}) == 1
        assert "drifting" in dict(grid.notes)["[1]"]


def _drifting(each: Slice) -> Slice:
    """The later slices of a process take half as long again."""
    wall = each.wall_ns if each.kind != "timed" or each.slice == 0 else each.wall_ns * 3 // 2
    return replace(each, wall_ns=wall, cpu_ns=wall)
