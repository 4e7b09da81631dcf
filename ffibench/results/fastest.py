"""Who is the fastest of each block, and how much faster than the others. Arithmetic alone.

Whether two rows differ stands in their letters, which `ffibench.stats.ties` gave them; by how much follows from their
own paired rounds. The quotient of two ratios to the baseline would know less: each carries the noise of the baseline.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from ffibench.model import Row, Run
from ffibench.results.blocks import BASE_BLOCK
from ffibench.results.times import RowKey, key_of, times_ns
from ffibench.stats import Estimate, paired_ratio


class Margin(Struct, frozen=True, kw_only=True):
    """A slower row, with how many times as long as the fastest it took."""

    row: Row
    ratio: Estimate


class Lead(Struct, frozen=True, kw_only=True):
    """The ranking of one block in one case."""

    case: str
    role: str
    block: str
    rows: tuple[Row, ...]
    """All that are ranked, in the order of the table."""
    fastest: tuple[Row, ...]
    """Those that no other is significantly faster than; these do not differ significantly from each other.

    Empty where there are too few rounds for any two of the block to differ.
    """
    next: Margin | None = None
    """The first row that is not among the fastest."""
    slowest: Margin | None = None
    """The last one; None where that is `next`."""


def leads(run: Run, rows: Iterable[Row]) -> tuple[Lead, ...]:
    """Return the ranking of every block but the baseline's, by case and role, in the order of the rows."""
    times = times_ns(run, run.plan.cases)
    groups: dict[tuple[str, str, str], list[Row]] = {}
    for row in rows:
        if row.block != BASE_BLOCK and row.valid and row.reason is None and key_of(row) in times:
            groups.setdefault((row.case, row.role, row.block), []).append(row)
    return tuple(_lead(*names, group, times) for names, group in groups.items())


def tied(one: Row, other: Row) -> bool:
    """Tell whether two rows of a block share a letter, so that they do not differ significantly."""
    return bool(set(one.tie or "") & set(other.tie or ""))


def _lead(case: str, role: str, block: str, rows: Sequence[Row], times: Mapping[RowKey, Sequence[float]]) -> Lead:
    if len(rows) > 1 and any(row.tie is None for row in rows):
        return Lead(case=case, role=role, block=block, rows=tuple(rows), fastest=())

    def ratio(slower: Row, faster: Row) -> Estimate:
        return paired_ratio(times[key_of(slower)], times[key_of(faster)])

    def beaten(row: Row) -> bool:
        others = (other for other in rows if other is not row and not tied(row, other))
        return any(ratio(row, other).ratio > 1 for other in others)

    fastest = tuple(row for row in rows if not beaten(row))
    margins = [Margin(row=row, ratio=ratio(row, fastest[0])) for row in rows if fastest and row not in fastest]
    return Lead(
        case=case,
        role=role,
        block=block,
        rows=tuple(rows),
        fastest=fastest,
        next=margins[0] if margins else None,
        slowest=margins[-1] if len(margins) > 1 else None,
    )
