"""Which rows of a comparison are invalid, for any of the reasons that there are."""

from __future__ import annotations

from collections.abc import Iterable

from ffibench.model import Row

CANNOT = "It cannot run this case"
"""How the reason of a row begins whose contestant said, or of which was said, that it cannot run the case."""


def is_invalid(row: Row) -> bool:
    """Whether a row was measured or audited and something of it is wrong; not where it cannot run its case."""
    measured = bool(row.rounds) or row.audit == "invalid"
    return not row.valid and measured and not (row.reason or "").startswith(CANNOT)


def invalid_rows(rows: Iterable[Row]) -> list[Row]:
    """Return the rows that are invalid."""
    return [row for row in rows if is_invalid(row)]
