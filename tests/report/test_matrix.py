"""The matrix is `cmpthese`: slowest first, and each cell is the mirror of the one across the diagonal."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ffibench.model import Row, Run
from ffibench.report.matrix import matrix_cells, matrix_tables, percent
from ffibench.report.terminal.bands import bands
from ffibench.report.terminal.layout import GAP
from ffibench.report.terminal.table import drawn_tables

TIMES_NS = st.floats(0.1, 1e7)


@given(TIMES_NS, TIMES_NS)
def test_a_cell_and_its_mirror_undo_each_other(one_ns: float, other_ns: float) -> None:
    ahead = percent(one_ns, other_ns) / 100
    behind = percent(other_ns, one_ns) / 100
    assert behind == pytest.approx(1 / (1 + ahead) - 1, rel=1e-6, abs=1e-9)


@given(st.lists(TIMES_NS, min_size=1, max_size=8))
def test_the_diagonal_is_blank_and_signs_follow_the_order(times_ns: list[float]) -> None:
    cells = matrix_cells(sorted(times_ns, reverse=True))
    for i, row in enumerate(cells):
        assert row[i] == "--"
        assert all(cell.endswith("%") and not cell.startswith("-") for cell in row[:i])
        assert all(cell.startswith(("-", "0")) for cell in row[i:])


def test_percentages_of_the_manual() -> None:
    # perldoc Benchmark: b at 2831802/s, a at 5930530/s
    assert matrix_cells([1e9 / 2831802, 1e9 / 5930530]) == [["--", "-52%"], ["109%", "--"]]


@given(st.integers(1, 30), st.integers(10, 120))
def test_the_bands_hold_every_column_once(rows: int, width: int) -> None:
    split = bands(20, [len("-100%")] * rows, width)
    assert [column for band in split for column in band] == list(range(rows))


@pytest.mark.parametrize("width", [100, 80])
def test_the_matrix_is_as_drawn(
    run: Run,
    doubtful_rows: list[Row],
    render: Callable[..., str],
    golden: Callable[[str, str], None],
    width: int,
) -> None:
    text = render(drawn_tables(matrix_tables(run, doubtful_rows)), width)
    golden(f"matrix-{width}.txt", text)
    assert all(len(line) <= width for line in text.splitlines())
    assert "python/capi " not in text


def test_a_run_without_valid_rows_has_no_matrix(run: Run) -> None:
    assert matrix_tables(run, []) == []


@given(st.lists(st.integers(1, 9), min_size=1, max_size=20), st.integers(30, 90))
def test_a_band_is_as_wide_as_fits_and_no_wider(sizes: list[int], width: int) -> None:
    beside = len("10") + len("python/x") + len("1.00M/s") + 2 * GAP

    def taken(columns: range) -> int:
        return beside + sum(GAP + sizes[column] for column in columns)

    found = bands(beside, sizes, width)
    assert all(taken(band) <= width or len(band) == 1 for band in found)
    assert all(taken(range(band.start, band.stop + 1)) > width for band in found[:-1])


def test_the_slowest_comes_first(run: Run, rows: list[Row]) -> None:
    (matrix,) = matrix_tables(run, rows[:3])
    assert [line.cells[:2] for line in matrix.lines()] == [("1", "python/cython"), ("2", "control"), ("3", "c")]
