"""The promise: a ratio to a C of a few nanoseconds is not printed; the overhead is, with an interval of its own."""

from __future__ import annotations

import pytest
from support.runs import run_of

from ffibench.model import Run
from ffibench.report.report import make_report
from ffibench.report.table import Tabular
from ffibench.report.tables import tables
from ffibench.results.compare import compare

ROUNDS = 12


def run(c: float, a: list[float]) -> Run:
    return run_of({"c": [c] * ROUNDS, "control": [c] * ROUNDS, "python/a": a})


def table(of: Run) -> Tabular:
    (found,) = tables(of, compare(of).rows)
    return found


def headings(of: Run) -> list[str]:
    return [heading.text for heading in table(of).headings]


@pytest.mark.parametrize(("c", "ratio"), [(9.9, False), (10.1, True)])
def test_the_ratio_is_there_from_ten_nanoseconds_on(c: float, ratio: bool) -> None:
    found = headings(run(c, [30.0] * ROUNDS))
    assert ("ratio to C" in found, "95 % CI of overhead" in found) == (ratio, not ratio)


def test_the_interval_is_that_of_the_paired_differences() -> None:
    times = [20.0 + number for number in range(ROUNDS)]  # of 12 values the third lowest and highest bound the median
    (row,) = (each for each in compare(run(2.0, times)).rows if each.contestant == "python/a")
    assert (row.added_ns, row.added_low_ns, row.added_high_ns) == (23.5, 20.0, 27.0)
    (line,) = (each for each in table(run(2.0, times)).lines() if each.cells[0].startswith("python/a"))
    assert "20.0 to 27.0" in line.cells
    assert line.span is None  # a bar would be one of ratios


def test_the_summary_has_the_overhead_with_its_interval() -> None:
    of = run(2.0, [25.0] * ROUNDS)
    (fact,) = (each for each in make_report(of, compare(of)).summary if each.label == "lock held")
    assert fact.text == "python/a: 23.0 ns/op over C (23.0 to 23.0)"
