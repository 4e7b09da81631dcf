"""The promise: two rows share a letter exactly where they do not differ, and no letter is wasted."""

from itertools import combinations
from random import Random
from string import ascii_letters, ascii_lowercase

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ffibench.stats import letters

Pairs = frozenset[tuple[int, int]]

# A busy machine must not fail a test of arithmetic.
unhurried = settings(deadline=None)


@st.composite
def blocks(draw: st.DrawFn) -> tuple[Pairs, int]:
    count = draw(st.integers(0, 8))
    pairs = list(combinations(range(count), 2))
    return draw(st.frozensets(st.sampled_from(pairs))) if pairs else frozenset(), count


def untied(rows: list[str]) -> Pairs:
    return frozenset((i, j) for i, j in combinations(range(len(rows)), 2) if set(rows[i]).isdisjoint(rows[j]))


@unhurried
@given(block=blocks())
def test_two_rows_share_a_letter_exactly_where_they_do_not_differ(block: tuple[Pairs, int]) -> None:
    different, count = block
    rows = letters(different, count)
    assert len(rows) == count
    assert all(rows)
    assert untied(rows) == different


@unhurried
@given(block=blocks())
def test_letters_appear_in_the_order_of_the_alphabet(block: tuple[Pairs, int]) -> None:
    rows = letters(*block)
    seen = "".join(dict.fromkeys("".join(rows)))
    assert seen == ascii_lowercase[: len(seen)]
    assert all(list(row) == sorted(set(row)) for row in rows)


@unhurried
@given(block=blocks())
def test_no_letter_could_be_dropped(block: tuple[Pairs, int]) -> None:
    different, count = block
    rows = letters(different, count)
    for position, row in enumerate(rows):
        for letter in row:
            fewer = [*rows[:position], row.replace(letter, ""), *rows[position + 1 :]]
            assert untied(fewer) != different or not fewer[position]


@unhurried
@given(block=blocks(), shuffle=st.randoms())
def test_the_order_of_the_pairs_does_not_matter(block: tuple[Pairs, int], shuffle: Random) -> None:
    different, count = block
    shuffled = list(different)
    shuffle.shuffle(shuffled)
    assert letters(shuffled, count) == letters(different, count)


@pytest.mark.parametrize(
    ("different", "rows"),
    [
        pytest.param([], ["a"], id="one row"),
        pytest.param([], ["a", "a", "a"], id="no difference"),
        pytest.param([(0, 1), (0, 2), (1, 2)], ["a", "b", "c"], id="all different"),
        pytest.param([(0, 2)], ["a", "ab", "b"], id="a chain whose ends are apart"),
        pytest.param([(0, 2), (0, 3), (1, 3)], ["a", "ab", "bc", "c"], id="a longer chain"),
        pytest.param([(0, 2), (0, 3), (1, 2), (1, 3)], ["a", "a", "b", "b"], id="two groups"),
        # The example of R's multcompLetters: of A, B and C only B and C differ.
        pytest.param([(1, 2)], ["ab", "a", "b"], id="multcompView"),
    ],
)
def test_known_displays(different: list[tuple[int, int]], rows: list[str]) -> None:
    assert letters(different, len(rows)) == rows


def test_the_sweep_drops_what_absorption_alone_would_keep() -> None:
    # Rows 0, 1, 2 are tied to each other and each two of them to one row more: absorption alone also keeps
    # the column of 0, 1 and 2, whose three ties the other columns show already.
    tied = {(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (1, 4), (2, 4), (0, 5), (2, 5)}
    rows = letters(set(combinations(range(6), 2)) - tied, 6)
    assert len(set("".join(rows))) == 3
    assert rows == ["ab", "ac", "bc", "a", "c", "b"]


def test_after_z_comes_capital_a() -> None:
    assert letters(list(combinations(range(52), 2)), 52) == list(ascii_letters)


def test_more_than_52_letters_are_refused() -> None:
    with pytest.raises(ValueError, match="53 letters"):
        letters(list(combinations(range(53), 2)), 53)


@pytest.mark.parametrize("pair", [(1, 0), (1, 1), (0, 3), (-1, 2)])
def test_a_pair_is_two_of_the_rows_in_order(pair: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="ascending pair"):
        letters([pair], 3)
