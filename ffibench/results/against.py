"""Rows against any other contestant than the baseline, and net of the empty loop: paired anew inside the rounds."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median

from msgspec import Struct

from ffibench.model import BASELINE, Row, Run
from ffibench.results.times import RowKey, key_of
from ffibench.stats import CONFIDENCE, measured, order_rank, paired_ratio


class Against(Struct, frozen=True, kw_only=True):
    """A row against the reference of its case: times in nanoseconds an operation."""

    ratio: float | None
    """None where a net time is not over 0, so that nothing can be divided by it."""
    added_ns: float
    reference_ns: float
    bounded: bool
    """Whether there are enough rounds for an interval of the ratio."""


def against(run: Run, rows: Iterable[Row], contestant: str, interpreter: str, *, net: bool) -> dict[RowKey, Against]:
    """Return each row with figures against a contestant, where both have figures; `net` of the empty loop or not.

    Against the baseline with all of its loop that is what the row says already.
    """
    listed = [row for row in rows if row.valid and row.gross_ns is not None]
    references = {row.case: row for row in listed if (row.contestant, row.interpreter) == (contestant, interpreter)}
    if contestant == BASELINE and not net:
        return {
            key_of(row): Against(
                ratio=row.ratio,
                added_ns=row.added_ns,
                reference_ns=references[row.case].gross_ns or 0.0,
                bounded=row.ratio_low is not None or row.contestant == BASELINE,
            )
            for row in listed
            if row.case in references and row.added_ns is not None
        }
    found = measured(run.rounds)
    keys = {
        (each.contestant.name, each.contestant.interpreter, each.role, case.name): each.key
        for case in run.plan.cases
        for each in run.plan.rows_of(case)
    }
    pairs: dict[RowKey, Against] = {}
    for row in listed:
        case, reference = run.plan.by_name[row.case], references.get(row.case)
        if reference is None:
            continue
        own, other = keys[key_of(row)], keys[key_of(reference)]
        sample, beside = found.sample(own, case), found.beside(own, other, case)
        if sample is None or beside is None:
            continue
        mine, theirs = (sample.net_ns, beside.net_ns) if net else (sample.gross_ns, beside.gross_ns)
        estimate = paired_ratio(mine, theirs) if min(*mine, *theirs) > 0 else None
        pairs[key_of(row)] = Against(
            ratio=None if estimate is None else estimate.ratio,
            added_ns=median(one - two for one, two in zip(mine, theirs, strict=True)),
            reference_ns=median(theirs),
            bounded=row is reference or order_rank(len(mine), CONFIDENCE) is not None,
        )
    return pairs
