"""A sweep over a size shows time, bytes a second, a line and who meets; never a change of throughput."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from support.sweeps import fanout, payloads

from ffibench.model import Run
from ffibench.report.charts import charts_of
from ffibench.report.report import make_report
from ffibench.report.size_columns import MEETINGS_MAX
from ffibench.report.table import Tabular
from ffibench.report.tables import details
from ffibench.report.terminal.table import drawn_tables
from ffibench.results.compare import compare

Golden = Callable[[str, str], None]


def table_of(run: Run) -> Tabular:
    (table,) = make_report(run, compare(run)).tables
    return table


def column(table: Tabular, key: str) -> dict[str, str]:
    (place,) = (place for place, heading in enumerate(table.headings) if heading.key == key)
    return {line.cells[0]: line.cells[place].strip() for line in table.lines()}


@pytest.mark.parametrize("width", [120, 80])
def test_the_table_is_as_drawn(render: Callable[..., str], golden: Golden, width: int) -> None:
    run = payloads(a=(20, 0.1), b=(60, 0.05), d=(45, 0.2))
    golden(f"sweep-bytes-{width}.txt", render(drawn_tables([table_of(run)]), width))


def test_cells_are_ns_an_operation_and_the_last_size_in_gigabytes_a_second() -> None:
    table = table_of(payloads(values=(1, 1000, 100_000), a=(20, 0.1)))
    assert float(column(table, "point 0")["python/a"]) == pytest.approx(20.1, rel=0.01)
    assert float(column(table, "point 2")["python/a"].replace(",", "")) == pytest.approx(10_020, rel=0.01)
    assert float(column(table, "rate")["python/a"]) == pytest.approx(100_000 / 10_020, rel=0.01)
    assert "Nanoseconds an operation" in table.caption
    assert "Theil and Sen" in table.caption


def test_there_is_no_change_and_no_peak_and_no_fall() -> None:
    run = payloads(a=(20, 0.1))
    table = table_of(run)
    assert not {heading.key for heading in table.headings} & {"change", "change interval", "peak"}
    assert not any("falls" in text for _, text in table.notes)
    assert "change" in {heading.key for heading in table_of(fanout()).headings}


def test_a_line_without_intervals_is_a_first_look() -> None:
    table = table_of(payloads(rounds=3, a=(20, 0.1)))
    assert column(table, "byte")["python/a"].startswith("(0.1") or column(table, "byte")["python/a"].startswith("(0.09")
    assert "byte interval" not in {heading.key for heading in table.headings}


def test_two_sizes_have_no_line() -> None:
    table = table_of(payloads(values=(1, 64), a=(20, 0.1)))
    assert "fixed" not in {heading.key for heading in table.headings}
    assert "Theil" not in table.caption
    assert "rate" in {heading.key for heading in table.headings}


def test_who_meets_is_said_below_the_table_and_of_many_the_first() -> None:
    (note,) = (text for mark, text in table_of(payloads(a=(20, 0.1), b=(60, 0.05))).notes if mark == "meet")
    assert note.startswith("python/a and python/b at 80")
    assert note.endswith(": above that python/b is faster.")
    crowd = {f"a{number}": (20.0 + 10 * number, 0.1 / (1 + number)) for number in range(6)}
    notes = [text for mark, text in table_of(payloads(lines=crowd)).notes if mark == "meet"]
    assert len(notes) == MEETINGS_MAX + 1
    assert notes[-1] == "7 more pairs meet at larger sizes."


def test_the_chart_and_the_summary_are_in_gigabytes_a_second() -> None:
    run = payloads(a=(20, 0.1))
    (chart,) = charts_of(run, compare(run).rows)
    assert chart.caption[0] == "Gigabytes a second"
    (own,) = (each for each in chart.series if each.name == "c")
    assert own.rates[0] == pytest.approx(1 / 5.02, rel=0.01)
    (fact,) = (fact for fact in make_report(run, compare(run)).summary if fact.label == "c")
    assert fact.text.startswith("highest rate at size=16384: 49.")
    assert "; over all sizes 5.0" in fact.text
    assert "that at size=1" not in fact.text


def test_a_point_has_a_full_table_where_it_is_named_and_not_with_its_series() -> None:
    run = payloads(a=(20, 0.1))
    rows = compare(run).rows
    assert details(run, rows, cases=["copy"]) == []
    assert details(run, rows, cases=["c*"]) == []
    assert len(details(run, rows, cases=["copy size=64"])) == 1
    assert len(details(run, rows, cases=["copy size=*"])) == 4
