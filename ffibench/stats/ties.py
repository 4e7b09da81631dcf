"""Which rows of a block differ significantly, and the smallest difference that could be detected.

Every pair of rows is tested on its own paired ratio. Comparing neighbours only would be wrong: a chain of ties
from neighbour to neighbour would tie its two ends, which may differ clearly.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations, islice
from statistics import median

from ffibench.stats.intervals import logs, median_interval, sign_patterns, subtract
from ffibench.stats.letters import letters

LEVEL = 0.05
"""The chance that any two equal rows of a block are called significantly different."""


def rounds_needed(rows: int, level: float = LEVEL) -> int:
    """Return the number of rounds from which two of `rows` rows can be significantly different at all.

    All rounds on one side give the sign test p = 2**(1 - rounds), and Holm's first step requires `level`
    divided by the number of pairs: eight rows, 28 pairs, 11 rounds.
    """
    return rounds_for_pairs(math.comb(rows, 2), level)


def rounds_for_pairs(pairs: int, level: float = LEVEL) -> int:
    """Return the number of rounds from which one of so many pairs can be significantly different at all.

    A grid of 25 cases and 30 contestants that are all ranked together has 10,875 pairs, which need 19 rounds.
    """
    rounds = 1
    while pairs * 2 / 2**rounds > level:
        rounds += 1
    return rounds


def ties(times: Sequence[Sequence[float]], level: float = LEVEL) -> list[str] | None:
    """Return the letters of each row: two rows share one exactly where they are not significantly different.

    `times[i][r]` is row i's time in round r; all rows have the same rounds and the same unit. All pairs are
    tested by the sign test on ln(t_i / t_j), with Holm's adjustment over the pairs, so that the chance of
    calling any two equal rows different stays under `level` for the whole block. Pass the rows fastest
    first, as a table shows them, and the fastest has "a".

    None where there are too few rounds for any pair to differ significantly, whatever the times: eight rows need 11
    rounds. A single row is compared with nothing, so it gets no letter: `[""]`.

    Raises ValueError for rows of unequal length, for a time that is not positive and finite, for a level that
    is not between 0 and 1, and where the block would need more than 52 letters.
    """
    rows = _logs(times, level)
    if len(rows) < 2:
        return [""] * len(rows)
    if len(times[0]) < rounds_needed(len(times), level):
        return None
    pairs = list(combinations(range(len(rows)), 2))
    adjusted = holm([sign_test(subtract(rows[i], rows[j])) for i, j in pairs])
    different = {pair for pair, p in zip(pairs, adjusted, strict=True) if p <= level}
    return letters(different, len(times))


def resolution(times: Sequence[Sequence[float]], level: float = LEVEL) -> float | None:
    """Estimate the smallest relative difference that this block's data could detect: 0.03 means 3 %.

    `times` and `level` as for `ties`. For each pair the half-width of its own paired interval is taken at the
    confidence that the first step of Holm requires, 1 - level / pairs (Bonferroni): a pair differs significantly about
    when its difference is larger than that. The result is the median over the pairs.

    None where there is no pair, and where there are too few rounds for `ties`.

    Raises ValueError as `ties` does, except for the number of letters.
    """
    rows = _logs(times, level)
    if len(rows) < 2:
        return None
    confidence = 1 - level / math.comb(len(rows), 2)
    half_widths = []
    for one, other in combinations(rows, 2):
        interval = median_interval(subtract(one, other), confidence)
        if interval is None:  # every pair has the same number of rounds, so the first decides for all
            return None
        half_widths.append(interval.half_width)
    return math.expm1(median(half_widths))


def sign_test(differences: Sequence[float]) -> float:
    """Compute the exact two-sided p-value of "the median difference is 0", from the signs alone.

    Differences of 0 say nothing about direction and are dropped; where none is left p is 1. Conover,
    Practical Nonparametric Statistics, 3rd ed. (1999), section 3.4.

    Raises ValueError where a difference is not a number.
    """
    if any(math.isnan(difference) for difference in differences):
        raise ValueError("a difference is not a number, so it has no sign")
    above = sum(difference > 0 for difference in differences)
    below = sum(difference < 0 for difference in differences)
    signs = above + below
    rarer = min(above, below)
    as_uneven = next(islice(sign_patterns(signs), rarer, None))
    # Both tails count the pattern of equal halves, hence the cap.
    return min(1.0, 2 * as_uneven / (1 << signs))


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust p-values for multiple tests; in the order given, at most 1, and in the same ranking.

    A hypothesis is rejected at a level where its adjusted p is not above it; the chance of even one false
    rejection then stays under that level, however the tests depend on each other. Holm, A simple sequentially
    rejective multiple test procedure, Scandinavian Journal of Statistics 6 (1979) 65-70.
    """
    adjusted = [1.0] * len(p_values)
    reached = 0.0
    smallest_first = sorted(range(len(p_values)), key=p_values.__getitem__)
    for step, position in enumerate(smallest_first):
        # Once one hypothesis is kept all weaker ones are, so an adjusted p never falls below the one before it.
        reached = max(reached, p_values[position] * (len(p_values) - step))
        adjusted[position] = min(1.0, reached)
    return adjusted


def _logs(times: Sequence[Sequence[float]], level: float) -> list[list[float]]:
    """The logs of each row's times; ValueError as `ties` says."""
    if not 0 < level < 1:
        raise ValueError(f"level {level} is not between 0 and 1")
    lengths = {len(row) for row in times}
    if len(lengths) > 1:
        raise ValueError(f"rows of {sorted(lengths)} rounds: every row needs the same rounds")
    return [logs(row) for row in times]
