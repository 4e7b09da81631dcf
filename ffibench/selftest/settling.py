"""Checks of whether a row is said to have settled: rows that run at one speed, and rows that do not."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median
from typing import TypeVar

from ffibench.selftest.evidence import Evidence, lengthened, stretch
from ffibench.selftest.verdict import BUSY, LEVEL, Agreement, Check
from ffibench.stats import settled, sign_test
from ffibench.stats.stability import DRIFT

TABLE_LEVEL = 0.01
"""The level at which a table says that a row is still drifting."""

T = TypeVar("T")

NOT_ITS_OWN = "That is not what the row's own slices say."


def settled_check(evidence: Evidence, what: str, names: Sequence[str]) -> Check:
    """Check that rows which run at one speed are said to have settled."""
    unsettled = [name for name in names if not evidence.row(name).settled]
    verdict: Agreement = "as known"
    reason = ""
    if any(evidence.row(name).settled != _says_settled(evidence, name, TABLE_LEVEL) for name in names):
        verdict, reason = "contradicted", NOT_ITS_OWN
    elif any(not _may_have_drifted(evidence, name) for name in unsettled):
        verdict, reason = "contradicted", "A row that ran at one speed is said not to have settled."
    elif any(not _says_settled(evidence, name, LEVEL) for name in unsettled):
        verdict, reason = "inconclusive", BUSY
    elif unsettled:
        verdict, reason = "inconclusive", f"{unsettled[0]} seems to drift, as a steady row may in one run of 100."
    found = f"{len(names) - len(unsettled)} of {len(names)} had settled"
    return Check(what=what, expected="had settled", found=found, verdict=verdict, reason=reason)


def unsettled_check(evidence: Evidence, what: str, name: str, costs: Sequence[float]) -> Check:
    """Check that a row is said not to have settled, whose timed slices cost what `costs` says, in any one unit."""
    found = evidence.row(name).settled
    verdict: Agreement = "as known"
    reason = ""
    if found != _says_settled(evidence, name, TABLE_LEVEL):
        verdict, reason = "contradicted", NOT_ITS_OWN
    elif found and _drifted_for_sure(evidence, name, costs):
        verdict, reason = "contradicted", "The second half of its slices does not cost what the first does."
    elif found:
        verdict, reason = "inconclusive", BUSY
    return Check(
        what=what,
        expected="still drifting",
        found="steady" if found else "still drifting",
        verdict=verdict,
        reason=reason,
    )


def _says_settled(evidence: Evidence, name: str, level: float) -> bool:
    return settled([[each.wall_ns for each in slices] for slices in evidence.timed(name)], level)


def _may_have_drifted(evidence: Evidence, name: str) -> bool:
    """Whether the host took so much of either half of a steady row's slices that it can seem to drift."""
    halves = [_halves(slices) for slices in evidence.timed(name)]
    return any(math.log(median(stretch(half[which]) for half in halves)) > DRIFT for which in (0, 1))


def _drifted_for_sure(evidence: Evidence, name: str, costs: Sequence[float]) -> bool:
    """Whether in so many rounds the drift outweighs what the host may have hidden of it that no test can miss it.

    The host lengthens either half, never shortens it: of a row that slows down it hides by the first.
    """
    first_cost, second_cost = map(median, _halves(costs))
    cheaper = 0 if first_cost < second_cost else 1
    visible = []
    for slices in evidence.timed(name):
        left = max(first_cost, second_cost) / lengthened(_halves(slices)[cheaper], _halves(costs)[cheaper])
        visible.append(math.log(left) > DRIFT)
    signs = [1.0 if each else -1.0 for each in visible]
    return sum(visible) * 2 > len(visible) and sign_test(signs) < TABLE_LEVEL


def _halves(slices: Sequence[T]) -> tuple[Sequence[T], Sequence[T]]:
    """Part slices as `stats.settled` does: the middle one of an odd number belongs to neither half."""
    half = len(slices) // 2
    return slices[:half], slices[-half:]
