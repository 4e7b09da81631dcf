"""The compact letter display: from the pairs of rows that differ to a few letters per row.

Insert and absorb, then sweep: Piepho, An algorithm for a letter-based representation of all-pairwise
comparisons, Journal of Computational and Graphical Statistics 13 (2004) 456-466.
"""

from __future__ import annotations

import string
from collections.abc import Collection

ALPHABET = string.ascii_lowercase + string.ascii_uppercase


def letters(different: Collection[tuple[int, int]], count: int) -> list[str]:
    """Give each of `count` rows its letters: two rows share one exactly where they do not differ.

    `different` has the pairs (i, j) of rows, i < j, counted from 0, that differ. Rows are sorted fastest first,
    so the first row has "a"; the other letters, "b" to "z" and then "A" to "Z", follow in the order of
    the first row that has them. No letter could be dropped from any row without untying a pair.

    Raises ValueError for a pair that is not two of the rows in ascending order, and where the rows need more
    than 52 letters.
    """
    for i, j in different:
        if not 0 <= i < j < count:
            raise ValueError(f"({i}, {j}) is not an ascending pair of {count} rows")
    columns = _sweep(_insert_and_absorb(different, count))
    if len(columns) > len(ALPHABET):
        raise ValueError(f"{count} rows need {len(columns)} letters, and there are {len(ALPHABET)}")
    return [
        "".join(letter for letter, column in zip(ALPHABET, columns, strict=False) if row in column)
        for row in range(count)
    ]


def _insert_and_absorb(different: Collection[tuple[int, int]], count: int) -> set[frozenset[int]]:
    """Find a column of rows for each letter: all the largest sets of rows in which no two differ."""
    columns = {frozenset(range(count))} if count else set()
    # Sorted, so that few columns are open at a time: 50 rows in a ladder take 30 ms instead of minutes.
    for pair in sorted(different):
        split = {column for column in columns if column.issuperset(pair)}
        halves = {column - {row} for column in split for row in pair}
        inserted = (columns - split) | halves
        # A column inside another ties no pair that the other does not.
        columns = {column for column in inserted if not any(column < other for other in inserted)}
    return columns


def _sweep(columns: set[frozenset[int]]) -> list[list[int]]:
    """Drop the letters that other columns make redundant; return the columns, and the rows in them, in order.

    Where ties are far from a plain ladder, absorption alone leaves rows with dozens of letters: simulated
    blocks of 25 rows had up to 36 on one row, and 9 after the sweep. One pass is enough: a letter that was
    needed stays needed as others go.
    """
    # Sorted, so that the same rows get the same letters in every process.
    remaining = [set(column) for column in sorted(columns, key=sorted)]
    for column in reversed(remaining):
        for row in sorted(column, reverse=True):
            elsewhere = [other for other in remaining if other is not column and row in other]
            # `row` itself is among the mates, so that a row tied to none keeps its only letter.
            if all(any(mate in other for other in elsewhere) for mate in column):
                column.remove(row)
    return sorted(sorted(column) for column in remaining if column)
