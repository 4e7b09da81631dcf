"""The promise of honest doubt: rows are ranked only where this run can tell them apart."""

import math
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as oracle

from ffibench.stats import holm, resolution, sign_test, ties

# A busy machine must not fail a test of arithmetic.
unhurried = settings(deadline=None)

P_VALUES = st.lists(st.floats(min_value=0, max_value=1), max_size=20)


def noisy_block(random: Random, rows: int, rounds: int, noise: float = 0.02) -> list[list[float]]:
    """Rows that are equal but for their noise, in rounds that are slow or fast for all of them."""
    rounds_at = [math.exp(random.gauss(0, 0.1)) for _ in range(rounds)]
    return [[at * math.exp(random.gauss(0, noise)) for at in rounds_at] for _ in range(rows)]


def scaled(row: list[float], factor: float) -> list[float]:
    return [time * factor for time in row]


# The sign test


@unhurried
@given(above=st.integers(0, 600), below=st.integers(0, 600), equal=st.integers(0, 3))
def test_the_sign_test_is_scipys(above: int, below: int, equal: int) -> None:
    differences = [2.5] * above + [-1e-9] * below + [0.0] * equal
    expected = oracle.binomtest(above, above + below).pvalue if above + below else 1.0
    assert sign_test(differences) == pytest.approx(expected, rel=1e-9)


def test_nothing_but_ties_is_no_evidence() -> None:
    assert sign_test([]) == 1
    assert sign_test([0.0, -0.0]) == 1


def test_the_size_of_a_difference_is_not_evidence() -> None:
    assert sign_test([1e9, -1e-9]) == 1
    assert sign_test([math.inf] * 6) == 2 / 2**6


def test_what_is_not_a_number_has_no_sign() -> None:
    with pytest.raises(ValueError, match="not a number"):
        sign_test([1.0, math.nan])


# Holm's adjustment


def test_holm_by_hand() -> None:
    # 4 x 0.005, 3 x 0.01, 2 x 0.03, and 1 x 0.04 raised to the 0.06 before it.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.5]) == [1, 1]
    assert holm([0.3]) == [0.3]
    assert holm([]) == []


@unhurried
@given(p_values=P_VALUES, level=st.floats(min_value=0.001, max_value=0.5))
def test_holm_rejects_what_his_step_down_procedure_rejects(p_values: list[float], level: float) -> None:
    rejected = 0
    for p in sorted(p_values):
        if p * (len(p_values) - rejected) > level:
            break
        rejected += 1
    assert sum(p <= level for p in holm(p_values)) == rejected


@unhurried
@given(p_values=P_VALUES)
def test_holm_keeps_the_order_and_lies_between_plain_and_bonferroni(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    assert sorted(adjusted) == [after for _, after in sorted(zip(p_values, adjusted, strict=True))]
    for before, after in zip(p_values, adjusted, strict=True):
        assert before <= after <= min(1, before * len(p_values))


# Ties


def test_rows_clearly_apart_share_no_letter() -> None:
    block = [[float(level)] * 20 for level in (1, 2, 3)]
    assert ties(block) == ["a", "b", "c"]


def test_a_row_between_two_that_are_apart_carries_both_letters() -> None:
    low, high = [1.0] * 20, [2.0] * 20
    between = [0.9, 2.1] * 10
    assert ties([low, between, high]) == ["a", "ab", "b"]


def test_a_ratio_that_holds_in_every_round_shows_through_rounds_that_differ() -> None:
    rounds_at = [1.0, 9.0, 2.0, 30.0, 4.0, 1.5, 7.0, 11.0]
    assert ties([rounds_at, scaled(rounds_at, 1.001)]) == ["a", "b"]


@pytest.mark.parametrize(("rows", "rounds"), [(2, 6), (3, 7), (8, 11), (18, 13)])
def test_how_many_rounds_a_block_needs(rows: int, rounds: int) -> None:
    def apart(rounds: int) -> list[list[float]]:
        return [[float(row)] * rounds for row in range(1, rows + 1)]

    assert ties(apart(rounds - 1)) is None
    assert resolution(apart(rounds - 1)) is None
    assert ties(apart(rounds)) == list("abcdefghijklmnopqr"[:rows])
    assert resolution(apart(rounds)) == pytest.approx(0)


def test_a_level_reached_exactly_is_reached() -> None:
    assert ties([[1.0] * 5, [2.0] * 5], level=2 / 2**5) == ["a", "b"]
    assert ties([[1.0] * 5, [2.0] * 5], level=math.nextafter(2 / 2**5, 0)) is None


def test_a_row_alone_is_compared_with_nothing() -> None:
    assert ties([[1.0, 2.0]]) == [""]
    assert ties([]) == []
    assert resolution([[1.0, 2.0]]) is None


def test_equal_rows_are_rarely_told_apart() -> None:
    # At most 5 % of whole blocks: of 300, 15 on average, and 27 with a probability of 0.003.
    random = Random(1979)
    blocks = [noisy_block(random, rows=5, rounds=15) for _ in range(300)]
    assert sum(ties(block) != ["a"] * 5 for block in blocks) < 27


# Resolution


def test_the_resolution_of_two_rows_is_that_of_their_own_interval() -> None:
    # Six rounds, one pair: the interval is the whole range, from 0.98 to 1.03.
    block = [[1.0, 0.98, 1.01, 1.03, 0.99, 1.02], [1.0] * 6]
    assert resolution(block) == pytest.approx(math.sqrt(1.03 / 0.98) - 1)


def test_one_noisy_row_among_many_does_not_stand_for_the_block() -> None:
    # Of the ten pairs of five rows it is in four, so that the middle of them is between quiet ones.
    quiet = [[float(level)] * 12 for level in (1, 2, 3, 4)]
    noisy = [5.0, 9.0] * 6
    assert resolution([*quiet, noisy]) == 0
    assert resolution([quiet[0], noisy]) == pytest.approx(math.sqrt(9 / 5) - 1)


@unhurried
@given(factors=st.lists(st.floats(0.01, 100), min_size=4, max_size=4))
def test_the_resolution_does_not_depend_on_how_far_the_rows_are_apart(factors: list[float]) -> None:
    block = noisy_block(Random(4), rows=4, rounds=20)
    moved = [scaled(row, factor) for row, factor in zip(block, factors, strict=True)]
    assert resolution(moved) == pytest.approx(resolution(block), rel=1e-9)


def test_more_than_the_resolution_is_told_apart_and_much_less_is_not() -> None:
    random = Random(2004)
    seen_far = seen_near = 0
    for _ in range(100):
        block = noisy_block(random, rows=4, rounds=24)
        resolved = resolution(block)
        assert resolved is not None
        far, near = (1 + resolved) ** 2.5, (1 + resolved) ** 0.1
        apart = ties([*block[:3], scaled(block[3], far)])
        together = ties([*block[:3], scaled(block[3], near)])
        assert apart is not None
        assert together is not None
        seen_far += all(set(apart[3]).isdisjoint(letters) for letters in apart[:3])
        seen_near += any(set(together[3]).isdisjoint(letters) for letters in together[:3])
    assert seen_far >= 95
    assert seen_near <= 8


# What cannot be a block


@pytest.mark.parametrize("judge", [ties, resolution])
def test_what_is_not_a_block_is_refused(judge: object) -> None:
    assert callable(judge)
    with pytest.raises(ValueError, match="same rounds"):
        judge([[1.0, 2.0], [1.0]])
    with pytest.raises(ValueError, match="position 1"):
        judge([[1.0, 0.0], [1.0, 1.0]])
    with pytest.raises(ValueError, match="level"):
        judge([[1.0], [1.0]], level=5)
