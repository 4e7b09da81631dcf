"""Which rows share a letter, for the eye: letters only where rows tie, and the sentence that names them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ffibench.model import Row
from ffibench.noise.descriptions import listed
from ffibench.report.names import Names
from ffibench.results.blocks import BASE_BLOCK
from ffibench.results.times import RowKey, key_of
from ffibench.stats.letters import ALPHABET


def shown_letters(rows: Sequence[Row]) -> dict[RowKey, str]:
    """Give the letters of the rows that tie with another of their block, from "a" on in each block.

    A row that differs from all others has none: a letter of its own would say nothing. The baseline's block is no
    ranking: where `control` differs from `c`, the summary says so.
    """
    blocks: dict[tuple[str, str, str], list[Row]] = {}
    for row in rows:
        if row.tie and row.block != BASE_BLOCK and row.valid and row.reason is None and row.gross_ns is not None:
            blocks.setdefault((row.case, row.role, row.block), []).append(row)
    return {key: letters for block in blocks.values() for key, letters in _of_block(block).items()}


def _of_block(rows: Sequence[Row]) -> dict[RowKey, str]:
    carried = "".join(row.tie or "" for row in rows)
    shared = [letter for letter in dict.fromkeys(carried) if carried.count(letter) > 1]
    again = dict(zip(shared, ALPHABET, strict=False))
    letters = {key_of(row): "".join(again.get(letter, "") for letter in row.tie or "") for row in rows}
    return {key: each for key, each in letters.items() if each}


def ties_sentence(rows: Sequence[Row], letters: Mapping[RowKey, str], names: Names) -> str:
    """Say which rows are not significantly different, set by set; empty where no two tie."""
    sets: dict[tuple[str, str, str, str], list[str]] = {}
    for row in rows:
        for letter in letters.get(key_of(row), ""):
            sets.setdefault((row.case, row.role, row.block, letter), []).append(names[row.contestant, row.interpreter])
    return "; ".join(listed(members) for members in sets.values())
