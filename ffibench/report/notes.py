"""Notes under a table: why a row is invalid or not ranked, numbered in the order of the rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ffibench.model import BASELINE, Row
from ffibench.report.table import one_line

INTERVAL_ROUNDS = 6
"""The exact sign test needs six rounds for an interval of 95 %: two sides of 2**-6 are 3.1 %."""

UNSETTLED = "Still drifting: the second half of its slices differs from the first."


def too_few(rounds: int) -> tuple[str, str]:
    """Say what figures in parentheses are worth."""
    said = f"{rounds} round{'s'[: rounds != 1]}: too few for an interval, which takes {INTERVAL_ROUNDS}"
    return "( )", f"{said}; ratios are a first look."


def is_first_look(row: Row) -> bool:
    """Tell whether a row's ratio has no interval because of its few rounds."""
    return row.contestant != BASELINE and row.ratio is not None and row.ratio_low is None


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


def general_notes(
    rows: Sequence[Row], letters: Mapping[str, str], ties: str, where: str = "", *, changes: bool = False
) -> list[tuple[str, str]]:
    """Say what the signs in the table's cells mean, where they occur.

    `ties` names the rows that share a letter; `where` says at which point of a sweep, `changes` that
    changes along it are in parentheses too.
    """
    notes = [(letter, one_line(interpreter)) for letter, interpreter in letters.items()]
    if ties:
        notes.append(("tie", f"Not significantly different{where}: {ties}."))
    few = [row.rounds for row in rows if row.valid and row.gross_ns is not None and (changes or is_first_look(row))]
    if few:
        notes.append(too_few(max(few)))
    return notes
