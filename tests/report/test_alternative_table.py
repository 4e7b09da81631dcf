"""The table of two ways over a size: ratios across, and from where the two cost as much."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from support.sweeps import payloads, ways

from ffibench.report.alternative_table import alternative_tables
from ffibench.report.report import make_report
from ffibench.report.table import Tabular
from ffibench.report.terminal.table import drawn_tables
from ffibench.results.compare import compare


def table_of(rounds: int = 12) -> Tabular:
    run = ways(rounds)
    (table,) = alternative_tables(run, compare(run).rows)
    return table


@pytest.mark.parametrize("width", [100, 80])
def test_the_table_is_as_drawn(render: Callable[..., str], golden: Callable[[str, str], None], width: int) -> None:
    golden(f"alternative-{width}.txt", render(drawn_tables([table_of()]), width))


def test_it_stands_behind_the_table_of_the_sweep() -> None:
    run = ways()
    tables = make_report(run, compare(run)).tables
    assert [each.title for each in tables][1:] == [table_of().title]


def test_its_rows_are_the_contestants_in_their_blocks() -> None:
    assert [block.name for block in table_of().blocks] == ["", "lock held"]
    cells = {line.cells[0]: line.cells[1:] for line in table_of().lines()}
    assert [each.strip() for each in cells["c"]] == ["4.00", "2.00", "1.20", "1.05", "100000"]
    assert [each.strip() for each in cells["python/capi"]] == ["2.00", "2.00", "2.00", "2.00", "\N{EN DASH}"]


def test_few_rounds_are_a_first_look() -> None:
    cells = {line.cells[0]: line.cells[1] for line in table_of(rounds=3).lines()}
    assert cells["c"].strip() == "(4.00)"


def test_its_words_say_what_is_divided_and_when_two_meet() -> None:
    assert table_of().title.endswith("message against packed, over size")
    assert "Times of message divided by those of packed in the same processes, 12 rounds." in table_of().caption
    assert "neither takes more than 1.1 times the other" in table_of().caption


def test_a_sweep_without_two_ways_has_no_such_table() -> None:
    run = payloads(a=(20, 0.1))
    assert alternative_tables(run, compare(run).rows) == []
