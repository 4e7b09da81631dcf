"""Whole processes: one row a worker, however many cases it ran."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from ffibench.model import Row, Run
from ffibench.report.processes import process_table
from ffibench.report.terminal.table import drawn_table


def test_the_table_is_as_drawn(
    run: Run, doubtful_rows: list[Row], render: Callable[..., str], golden: Callable[[str, str], None]
) -> None:
    table = process_table(run, doubtful_rows)
    assert table is not None
    golden("shell-100.txt", render(drawn_table(table)))


def test_a_process_is_told_once_from_a_case_that_it_could_run(run: Run, rows: list[Row]) -> None:
    unavailable = [replace(row, case="other", gross_ns=None, reason="unsupported") for row in rows]
    table = process_table(run, [*unavailable, *rows])
    assert table is not None
    assert len(table.lines()) == len(rows)
    assert not any("unavailable" in line.cells for line in table.lines())


def test_ratios_are_of_real_time_to_the_baseline(run: Run, rows: list[Row]) -> None:
    three = [replace(row, real_s=seconds) for row, seconds in zip(rows[:3], (0.5, 0.5, 1.25), strict=True)]
    table = process_table(run, three)
    assert table is not None
    ratio = [heading.key for heading in table.headings].index("ratio")
    assert [line.cells[ratio] for line in table.lines()] == ["1.00", "1.00", "2.50"]


def test_no_table_where_no_process_was_measured(run: Run, rows: list[Row]) -> None:
    assert process_table(run, [replace(row, real_s=None) for row in rows]) is None


def test_a_process_is_held_against_the_baseline_s_of_the_same_kind(run: Run, rows: list[Row]) -> None:
    """The baseline may have others, for what it alone runs: their seconds are of other work."""
    baseline, other = rows[0], next(row for row in rows if row.contestant.startswith("python/"))
    four = [
        replace(baseline, process="threads=2 only c", real_s=8.0, case="lock"),
        replace(baseline, process="threads=2", real_s=0.5),
        replace(other, process="threads=2", real_s=1.0),
    ]
    table = process_table(run, four)
    assert table is not None
    ratio = [heading.key for heading in table.headings].index("ratio")
    found = {line.cells[0]: line.cells[ratio].strip() for line in table.lines()}
    assert found == {"c threads=2 only c": "1.00", "c threads=2": "1.00", f"{other.contestant} threads=2": "2.00"}
