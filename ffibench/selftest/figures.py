"""Checks that all runs of spins share: of the contract, and of a figure of a row."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from ffibench.model import BASELINE, Comparison, Run
from ffibench.selftest.evidence import Evidence
from ffibench.selftest.verdict import CONFIDENCE, Bounds, Check, Known, judge
from ffibench.stats import median_bounds
from ffibench.units import format_ns, format_number

ROUNDING = 1e-9
"""A printed figure and one that is computed again may differ by floating-point rounding."""


def contract_check(run: Run, comparison: Comparison) -> Check:
    """Check that every process kept to the contract: otherwise nothing else can be checked."""
    each = run.plan.warmup + run.plan.slices
    expected = len(run.rounds) * len(run.plan.workers) * each
    found = sum(row.receipts for row in comparison.rows)
    invalid = next((row for row in comparison.rows if not row.valid), None)
    reason = ""
    if not run.rounds:
        reason = "No round was finished."
    elif invalid is not None:
        reason = f"{invalid.contestant}: {invalid.reason}"
    elif found != expected:
        reason = "Receipts were lost or counted twice."
    return Check(
        what="receipts that equal the oracle's",
        expected=f"{expected:,}",
        found=f"{found:,}",
        verdict="contradicted" if reason else "as known",
        reason=reason,
    )


def figure_check(
    what: str,
    known: Known,
    values: Sequence[float],
    printed: float | None,
    unit: str = "",
) -> Check:
    """Compare a figure of a row with a known answer, by the interval of `values`, one per round.

    `printed` is the row's own figure, which must lie in that interval. `unit` is `ns` or empty.
    """
    found = median_bounds(values, CONFIDENCE)
    bounds = None if found is None else Bounds(*found)
    verdict, reason = judge(known, bounds)
    if printed is None or (bounds is not None and not bounds.widened(ROUNDING).meets(Bounds(printed, printed))):
        verdict, reason = "contradicted", "The row's figure does not follow from its own slices."
    formatted = format_ns if unit == "ns" else format_number
    return Check(
        what=what,
        expected=formatted(known.answer),
        found="no figure" if printed is None else _interval_text(printed, bounds, unit),
        verdict=verdict,
        reason=reason,
    )


def _interval_text(estimate: float, bounds: Bounds | None, unit: str = "") -> str:
    """Show an estimate with its interval, with two digits more than a table: spins are that accurate."""
    digits = 5
    middle = format_number(estimate, digits) + (f" {unit}" if unit else "")
    if bounds is None:
        return middle
    return f"{middle} ({format_number(bounds.low, digits)} to {format_number(bounds.high, digits)})"


def ratio_check(evidence: Evidence, what: str, name: str, answer: float) -> Check:
    """Check a row's ratio to the baseline, and that its interval follows from the row's own slices."""
    row = evidence.row(name)
    values = evidence.ratios(name)
    known = Known(answer, Bounds(answer / evidence.stretch(BASELINE), answer * evidence.stretch(name)))
    check = figure_check(what, known, values, row.ratio)
    bounds = median_bounds(values, CONFIDENCE)
    if check.verdict == "contradicted" or bounds is None or row.ratio is None:
        return check
    if row.ratio_low is not None and row.ratio_high is not None:
        ends = (bounds[0], row.ratio_low, row.ratio, row.ratio_high, bounds[1])
        if all(left <= right * (1 + ROUNDING) for left, right in pairwise(ends)):
            return check
    return replace(check, verdict="contradicted", reason="The row's interval does not follow from its own slices.")
