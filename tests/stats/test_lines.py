"""A line over sizes, in each round by Theil and Sen, and where two of them meet."""

from __future__ import annotations

from random import Random

import pytest
from scipy import stats as oracle

from ffibench.stats import Line, fitted, meeting, order_rank

SIZES = (1, 64, 1024, 16_384)


def along(fixed: float, slope: float, rounds: int = 12, noise: float = 0.0, seed: str = "") -> list[list[float]]:
    drawn = Random(seed)
    return [[(fixed + slope * size) * (1 + drawn.gauss(0, noise)) for _ in range(rounds)] for size in SIZES]


def line(fixed: float, slope: float, rounds: int = 12) -> Line:
    found = fitted(SIZES, along(fixed, slope, rounds))
    assert found is not None
    return found


def test_times_on_a_line_give_that_line() -> None:
    found = line(20.0, 0.05)
    assert found.fixed.value == pytest.approx(20.0)
    assert found.slope.value == pytest.approx(0.05)
    assert found.fixed.bounds == pytest.approx((20.0, 20.0))


def test_in_each_round_it_is_scipys_slope() -> None:
    times = along(20.0, 0.05, noise=0.1)
    found = fitted(SIZES, times)
    assert found is not None
    for number, each in enumerate(found.rounds):
        own = [row[number] for row in times]
        assert each.slope == pytest.approx(oracle.theilslopes(own, SIZES).slope)
        joint = oracle.theilslopes(own, SIZES, method="joint")  # type: ignore[call-overload]  # the stubs lack it
        assert each.fixed == pytest.approx(joint.intercept)


def test_one_size_that_is_otherwise_does_not_bend_it() -> None:
    times = along(20.0, 0.05)
    times[2] = [1000.0] * 12  # on the line it takes 71
    found = fitted(SIZES, times)
    assert found is not None
    assert found.slope.value == pytest.approx(0.05, rel=0.25)
    assert oracle.linregress(SIZES, [row[0] for row in times]).intercept > 200
    assert found.fixed.value == pytest.approx(20.0, abs=1)


def test_the_interval_runs_between_order_statistics_of_the_rounds() -> None:
    found = fitted(SIZES, along(20.0, 0.05, noise=0.02))
    assert found is not None
    rank = order_rank(12, 0.95)
    assert rank == 3
    slopes = sorted(each.slope for each in found.rounds)
    assert found.slope.bounds == (slopes[2], slopes[-3])
    few = fitted(SIZES, along(20.0, 0.05, rounds=5))
    assert few is not None
    assert few.slope.bounds is None


def test_intervals_cover_the_true_line_as_often_as_they_say() -> None:
    covered = 0
    for trial in range(200):
        found = fitted(SIZES, along(20.0, 0.05, rounds=12, noise=0.01, seed=str(trial)))
        assert found is not None
        assert found.slope.bounds is not None
        covered += found.slope.bounds[0] <= 0.05 <= found.slope.bounds[1]
    assert covered >= 180  # 96.1 % of 200 is 192, and 180 lies over four standard deviations below


def test_two_sizes_are_on_any_line() -> None:
    assert fitted(SIZES[:2], along(20.0, 0.05)[:2]) is None


def test_lines_meet_where_their_times_are_equal() -> None:
    met = meeting(line(20.0, 0.1), line(60.0, 0.05))
    assert met is not None
    assert met.value == pytest.approx(800)
    assert met.bounds == pytest.approx((800, 800))
    assert meeting(line(60.0, 0.05), line(20.0, 0.1)) == met


def test_parallel_lines_and_those_that_part_do_not_meet() -> None:
    assert meeting(line(20.0, 0.5), line(60.0, 0.5)) is None
    assert meeting(line(20.0, 0.05), line(60.0, 0.1)) is None


def test_what_is_no_row_a_size_is_refused() -> None:
    with pytest.raises(ValueError, match="3 rows of times over 4 different sizes of 4"):
        fitted(SIZES, along(1, 1)[:3])
    with pytest.raises(ValueError, match="different sizes"):
        fitted((1, 1, 2, 3), along(1, 1))
    with pytest.raises(ValueError, match="no rounds"):
        fitted(SIZES, [[], [], [], []])
