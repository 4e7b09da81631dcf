"""Which rows are beaten by none, over many cases at once: pairs are tested inside a family, adjusted over all.

A family has the rows of one block in one case. A table of many families is read as a whole, so that the chance of even
one false difference has to stay under the level in all of it: Holm's adjustment over the pairs of all families.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from ffibench.stats.intervals import subtract
from ffibench.stats.ties import LEVEL, holm, rounds_for_pairs, sign_test


@dataclass(frozen=True)
class Unbeaten:
    """Which rows of each family no other of it is significantly faster than; `rows` is None after too few rounds."""

    rows: tuple[tuple[bool, ...], ...] | None
    pairs: int
    """So many were tested."""
    rounds_needed: int
    """With fewer rounds no pair can differ, whatever the times."""


def unbeaten(families: Sequence[Sequence[Sequence[float]]], level: float = LEVEL) -> Unbeaten:
    """Find the rows of each family that no other row of it is significantly faster than.

    `families[f][i][r]` is the time of row i of family f in round r; all have the same rounds, and a family one unit.
    Each pair of a family is tested by the exact sign test on its own differences, with Holm's adjustment over the pairs
    of all families. A row that is alone in its family is beaten by none.

    Raises ValueError for rows of unequal length, for a time that is not a number, and for a level that is not between
    0 and 1.
    """
    if not 0 < level < 1:
        raise ValueError(f"level {level} is not between 0 and 1")
    lengths = {len(row) for family in families for row in family}
    if len(lengths) > 1:
        raise ValueError(f"rows of {sorted(lengths)} rounds: every row needs the same rounds")
    pairs = sum(math.comb(len(family), 2) for family in families)
    needed = rounds_for_pairs(pairs, level)
    if pairs and min(lengths) < needed:
        return Unbeaten(None, pairs, needed)
    tested: list[tuple[int, int]] = []
    p_values: list[float] = []
    for number, family in enumerate(families):
        for one, other in combinations(range(len(family)), 2):
            differences = subtract(family[one], family[other])
            above = sum(each > 0 for each in differences)
            below = sum(each < 0 for each in differences)
            tested.append((number, one if above > below else other))
            p_values.append(sign_test(differences))
    beaten = {slower for slower, p in zip(tested, holm(p_values), strict=True) if p <= level}
    rows = tuple(
        tuple((number, row) not in beaten for row in range(len(family))) for number, family in enumerate(families)
    )
    return Unbeaten(rows, pairs, needed)
