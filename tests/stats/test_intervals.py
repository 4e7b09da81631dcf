"""The promise: a ratio paired inside rounds, whose interval is exact and which a minority cannot move."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as oracle

from ffibench.stats import Interval, order_rank, paired_ratio, sign_test

# A busy machine must not fail a test of arithmetic.
unhurried = settings(deadline=None)

TIMES_NS = st.floats(min_value=1e-3, max_value=1e15)
PAIRS = st.lists(st.tuples(TIMES_NS, TIMES_NS), min_size=1, max_size=40)
CONFIDENCES = st.floats(min_value=0.5, max_value=0.9999)


def sides(pairs: list[tuple[float, float]]) -> tuple[list[float], list[float]]:
    return [left for left, _ in pairs], [right for _, right in pairs]


# What the interval covers


@pytest.mark.parametrize(
    ("rounds", "rank"), [(0, None), (5, None), (6, 1), (8, 1), (9, 2), (20, 6), (50, 18), (100, 40)]
)
def test_ranks_agree_with_the_printed_tables(rounds: int, rank: int | None) -> None:
    assert order_rank(rounds, 0.95) == rank


@unhurried
@given(n=st.integers(1, 1200), confidence=CONFIDENCES)
def test_the_rank_is_the_largest_that_covers(n: int, confidence: float) -> None:
    rank = order_rank(n, confidence)
    outside = (1 - confidence) / 2
    if rank is not None:
        assert oracle.binom.cdf(rank - 1, n, 0.5) <= outside * (1 + 1e-9)
    assert oracle.binom.cdf(rank or 0, n, 0.5) > outside * (1 - 1e-9)


def test_a_rank_that_covers_to_the_last_digit_counts() -> None:
    assert order_rank(5, 1 - 2 / 2**5) == 1
    assert order_rank(5, math.nextafter(1 - 2 / 2**5, 1)) is None


@unhurried
@given(pairs=PAIRS, confidence=st.sampled_from([0.8, 0.9, 0.95, 0.99]))
def test_the_interval_is_scipys(pairs: list[tuple[float, float]], confidence: float) -> None:
    times, baseline = sides(pairs)
    interval = paired_ratio(times, baseline, confidence).interval
    log_ratios = np.log(times) - np.log(baseline)
    low, high = np.asarray(oracle.quantile_test(log_ratios, q=0, p=0.5).confidence_interval(confidence))
    if interval is None:
        assert math.isnan(low)
        assert math.isnan(high)
    else:
        assert math.log(interval.low) == pytest.approx(low, rel=1e-9, abs=1e-12)
        assert math.log(interval.high) == pytest.approx(high, rel=1e-9, abs=1e-12)


@unhurried
@given(pairs=st.lists(st.tuples(st.integers(1, 10**9), st.integers(1, 10**9)), min_size=6, max_size=40))
def test_the_interval_excludes_1_exactly_where_the_sign_test_rejects(pairs: list[tuple[int, int]]) -> None:
    unequal = [(left, right) for left, right in pairs if left != right] or [(1, 2)]
    times, baseline = sides([(float(left), float(right)) for left, right in unequal])
    interval = paired_ratio(times, baseline).interval
    excludes_1 = interval is not None and not interval.low <= 1 <= interval.high
    assert excludes_1 == (sign_test([left - right for left, right in unequal]) <= 0.05)


def test_five_rounds_give_a_ratio_and_no_interval() -> None:
    estimate = paired_ratio([2.0] * 5, [1.0] * 5)
    assert estimate.ratio == pytest.approx(2)
    assert estimate.interval is None
    assert estimate.rounds == 5


def test_the_half_width_is_on_the_log_scale() -> None:
    assert Interval(low=0.5, high=2.0).half_width == pytest.approx(math.log(2))
    assert Interval(low=3.0, high=3.0).half_width == 0


# What the ratio means


@unhurried
@given(times=st.lists(TIMES_NS, min_size=6, max_size=40))
def test_a_row_against_itself_is_1(times: list[float]) -> None:
    estimate = paired_ratio(times, times)
    assert estimate.ratio == 1
    assert estimate.interval == Interval(1, 1)


@unhurried
@given(pairs=PAIRS)
def test_the_ratio_lies_in_its_interval(pairs: list[tuple[float, float]]) -> None:
    estimate = paired_ratio(*sides(pairs))
    assert estimate.rounds == len(pairs)
    if estimate.interval is not None:
        assert estimate.interval.low <= estimate.ratio <= estimate.interval.high


@unhurried
@given(pairs=PAIRS)
def test_swapping_the_sides_inverts_ratio_and_interval(pairs: list[tuple[float, float]]) -> None:
    times, baseline = sides(pairs)
    there, back = paired_ratio(times, baseline), paired_ratio(baseline, times)
    assert back.ratio == pytest.approx(1 / there.ratio, rel=1e-12)
    if there.interval is None:
        assert back.interval is None
    else:
        assert back.interval is not None
        assert back.interval.low == pytest.approx(1 / there.interval.high, rel=1e-12)
        assert back.interval.high == pytest.approx(1 / there.interval.low, rel=1e-12)


@unhurried
@given(pairs=PAIRS, scale=st.floats(min_value=1e-6, max_value=1e6))
def test_the_unit_cancels(pairs: list[tuple[float, float]], scale: float) -> None:
    times, baseline = sides(pairs)
    measured = paired_ratio(times, baseline)
    scaled = paired_ratio([time * scale for time in times], [time * scale for time in baseline])
    assert scaled.ratio == pytest.approx(measured.ratio, rel=1e-9)
    if measured.interval is not None:
        assert scaled.interval is not None
        assert scaled.interval.half_width == pytest.approx(measured.interval.half_width, abs=1e-9)


def test_a_round_that_was_slow_for_both_sides_changes_nothing() -> None:
    slow_rounds = [1.0, 1.0, 7.0, 1.0, 30.0, 1.0, 2.0, 1.0]
    times = [3 * slow for slow in slow_rounds]
    assert paired_ratio(times, slow_rounds).ratio == pytest.approx(3)


@unhurried
@given(data=st.data())
def test_outliers_in_a_minority_of_rounds_stay_inside_the_clean_range(data: st.DataObject) -> None:
    clean = data.draw(st.lists(st.floats(0.9, 1.1), min_size=1, max_size=30))
    wild = data.draw(st.lists(st.floats(1e-3, 1e15), max_size=len(clean) - 1))
    times = data.draw(st.permutations(clean + wild))
    ratio = paired_ratio(times, [1.0] * len(times)).ratio
    assert min(clean) * (1 - 1e-12) <= ratio <= max(clean) * (1 + 1e-12)


# What cannot be a ratio


@pytest.mark.parametrize(
    ("times", "baseline", "reason"),
    [
        ([], [], "no rounds"),
        ([1.0, 2.0], [1.0], "must have both"),
        ([1.0, 0.0], [1.0, 1.0], "position 1"),
        ([1.0], [-1.0], "not positive"),
        ([math.nan], [1.0], "finite"),
        ([1.0], [math.inf], "finite"),
    ],
)
def test_what_has_no_ratio_is_refused(times: list[float], baseline: list[float], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        paired_ratio(times, baseline)


@pytest.mark.parametrize("confidence", [0.0, 1.0, -0.5, 95.0, math.nan])
def test_a_confidence_is_a_probability(confidence: float) -> None:
    with pytest.raises(ValueError, match="confidence"):
        order_rank(10, confidence)


def test_a_count_is_not_negative() -> None:
    with pytest.raises(ValueError, match="negative"):
        order_rank(-1, 0.95)
