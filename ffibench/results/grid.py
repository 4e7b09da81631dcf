"""What the cells of a grid say beside their figures: who is beaten by none in a case, and how far off the others are.

Rows are ranked together only inside a block, as everywhere. A grid is read as a whole, so that one adjustment holds for
all of its pairs: `ffibench.stats.unbeaten`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from ffibench.model import Row, Run
from ffibench.results.blocks import BASE_BLOCK
from ffibench.results.times import RowKey, key_of, times_ns
from ffibench.stats import Estimate, paired_ratio, unbeaten


class Grid(Struct, frozen=True, kw_only=True):
    """The ranking of all cells of one role."""

    role: str
    ranked: Mapping[tuple[str, str], tuple[Row, ...]]
    """By case and block, the rows that are compared with each other."""
    unbeaten: frozenset[RowKey] | None
    """Those that no other of their block is significantly faster than in their case; None after too few rounds."""
    over_fastest: Mapping[RowKey, Estimate]
    """The time of a row over that of the fastest of its block in its case, where there are two or more."""
    pairs: int
    """So many pairs of cells were compared."""
    rounds: int
    rounds_needed: int
    """With fewer no two of the cells can differ significantly."""


def grids(run: Run, rows: Iterable[Row]) -> tuple[Grid, ...]:
    """Return the grid of each role that has several cases; points of a sweep are none of it."""
    by_role: dict[str, list[Row]] = {}
    for row in rows:
        if not row.point:
            by_role.setdefault(row.role, []).append(row)
    several = {role: group for role, group in by_role.items() if len({row.case for row in group}) > 1}
    times = times_ns(run, run.plan.cases) if several else {}
    return tuple(_grid(role, group, times) for role, group in several.items())


def _grid(role: str, rows: Iterable[Row], times: Mapping[RowKey, Sequence[float]]) -> Grid:
    ranked: dict[tuple[str, str], list[Row]] = {}
    most = 0
    for row in rows:
        most = max(most, row.rounds)
        if row.block != BASE_BLOCK and row.valid and row.reason is None and key_of(row) in times:
            ranked.setdefault((row.case, row.block), []).append(row)
    found = unbeaten([[times[key_of(row)] for row in group] for group in ranked.values()])
    keys = None
    if found.rows is not None:
        families = zip(ranked.values(), found.rows, strict=True)
        keys = frozenset(
            key_of(row)
            for group, family in families
            if len(group) > 1
            for row, best in zip(group, family, strict=True)
            if best
        )
    return Grid(
        role=role,
        ranked={place: tuple(group) for place, group in ranked.items()},
        unbeaten=keys,
        over_fastest={key: each for group in ranked.values() for key, each in _over_fastest(group, times)},
        pairs=found.pairs,
        rounds=most,
        rounds_needed=found.rounds_needed,
    )


def _over_fastest(rows: list[Row], times: Mapping[RowKey, Sequence[float]]) -> Iterable[tuple[RowKey, Estimate]]:
    if len(rows) < 2:
        return
    fastest = times[key_of(min(rows, key=lambda row: row.gross_ns or 0.0))]
    for row in rows:
        yield key_of(row), paired_ratio(times[key_of(row)], fastest)
