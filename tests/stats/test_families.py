"""Which cells of a whole grid are beaten by none: one adjustment over the pairs of all its families."""

from __future__ import annotations

from random import Random

import pytest

from ffibench.stats import holm, rounds_for_pairs, rounds_needed, sign_test, unbeaten


def steady(*times: float, rounds: int = 20) -> list[list[float]]:
    return [[time] * rounds for time in times]


def test_a_grid_of_25_cases_and_30_contestants_needs_19_rounds() -> None:
    assert rounds_for_pairs(25 * 435) == 19
    assert 25 * 435 * 2 / 2**19 <= 0.05 < 25 * 435 * 2 / 2**18
    assert rounds_for_pairs(28) == rounds_needed(8) == 11
    assert rounds_for_pairs(0) == 1


def test_rows_are_beaten_inside_their_family_alone() -> None:
    found = unbeaten([steady(3.0, 1.0, 2.0), steady(9.0, 8.0)])
    assert found.rows == ((False, True, False), (False, True))
    assert (found.pairs, found.rounds_needed) == (4, 8)  # 4 pairs * 2**-7 is 3.1 %, and 6.3 % a round before


def test_rows_that_do_not_differ_are_both_unbeaten_and_a_single_one_too() -> None:
    mixed = [1.0, 2.0] * 10
    assert unbeaten([[mixed, mixed[::-1]], steady(5.0)]).rows == ((True, True), (True,))


def test_equal_times_are_no_evidence_in_either_direction() -> None:
    slower = [2.0] * 9 + [1.0] * 11  # as fast in 11 rounds of 20, never faster
    found = unbeaten([[slower, [1.0] * 20]])
    assert found.rows == ((False, True),)


def test_after_too_few_rounds_nobody_can_be_beaten() -> None:
    families = [steady(1.0, 2.0, rounds=6)] * 2
    assert unbeaten(families[:1]).rows == ((True, False),)
    found = unbeaten(families)
    assert found.rows is None
    assert (found.pairs, found.rounds_needed) == (2, 7)


def test_it_is_the_sign_test_of_each_pair_with_holms_adjustment_over_all() -> None:
    drawn = Random(7)
    families = [[[drawn.gauss(middle, 1) for _ in range(15)] for middle in (5, 5.5, 7)] for _ in range(4)]
    pairs = [(f, i, j) for f in range(4) for i in range(3) for j in range(3) if i < j]
    p = holm([sign_test([a - b for a, b in zip(families[f][i], families[f][j], strict=True)]) for f, i, j in pairs])
    beaten = set()
    for (f, i, j), adjusted in zip(pairs, p, strict=True):
        if adjusted <= 0.05:
            above = sum(a > b for a, b in zip(families[f][i], families[f][j], strict=True))
            beaten.add((f, i if above > 7 else j))
    assert 0 < len(beaten) < 8
    assert unbeaten(families).rows == tuple(tuple((f, row) not in beaten for row in range(3)) for f in range(4))


def test_rounds_of_all_families_are_the_same() -> None:
    with pytest.raises(ValueError, match="every row needs the same rounds"):
        unbeaten([steady(1.0, rounds=3), steady(1.0, rounds=4)])
    with pytest.raises(ValueError, match="level 1 is not between"):
        unbeaten([], 1)
