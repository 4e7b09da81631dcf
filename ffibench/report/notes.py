"""Notes under a table: why a row is invalid or not ranked, numbered in the order of the rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ffibench.model import BASELINE, Row
from ffibench.report.table import one_line
from ffibench.units import ABSENT

INTERVAL_ROUNDS = 6
"""The exact sign test needs six rounds for an interval of 95 %: two sides of 2**-6 are 3.1 %."""

FEW_ROUNDS = (ABSENT, f"too few rounds for an interval ({INTERVAL_ROUNDS} needed)")

UNSETTLED = "It had not settled: the second half of its slices differs from the first."


class Notes:
    """Numbers the notes as rows ask for them; the same text keeps its number."""

    def __init__(self, rounds: int) -> None:
        self._rounds = rounds
        self._numbers: dict[str, int] = {}

    def marks(self, row: Row) -> str:
        """Give the marks of a row, `[1]` or `[1] [2]`, or an empty string."""
        return self.marked(self.texts(row))

    def texts(self, row: Row) -> list[str]:
        """Give what has to be said of a row, without a number yet."""
        texts = [one_line(row.reason)] if row.reason else []
        if row.valid and row.gross_ns is not None:
            if not row.settled:
                texts.append(UNSETTLED)
            if row.rounds < self._rounds:
                texts.append(f"Measured in {row.rounds:,} of {self._rounds:,} rounds.")
        return texts

    def marked(self, texts: Iterable[str]) -> str:
        """Give the marks of texts, each with its number."""
        return " ".join(f"[{self._numbers.setdefault(text, len(self._numbers) + 1)}]" for text in texts)

    def numbered(self) -> list[tuple[str, str]]:
        """Give the notes in the order of their numbers, each with its mark."""
        return [(f"[{number}]", text) for text, number in self._numbers.items()]


def general_notes(rows: Sequence[Row], letters: Mapping[str, str]) -> list[tuple[str, str]]:
    """Say what the signs in the table's cells mean, where they occur."""
    notes = [(letter, one_line(interpreter)) for letter, interpreter in letters.items()]
    if any(row.tie for row in rows):
        notes.append(("tie", "Rows of a block that share a letter were not told apart by this run."))
    measured = [row for row in rows if row.valid and row.gross_ns is not None and row.contestant != BASELINE]
    if any(row.ratio_low is None and row.rounds < INTERVAL_ROUNDS for row in measured):
        notes.append(FEW_ROUNDS)
    return notes
