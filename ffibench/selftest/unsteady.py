"""Checks the runs of spins that do not run at one speed. Pure functions of a run."""

from __future__ import annotations

from statistics import median

from ffibench.model import BASELINE, Comparison, Run
from ffibench.selftest.drifting import drifting_check, steady_check
from ffibench.selftest.evidence import Evidence, lengthened
from ffibench.selftest.figures import contract_check, figure_check
from ffibench.selftest.spins import COST_NS, SLICES
from ffibench.selftest.verdict import FEW, MARGIN, Agreement, Bounds, Check, Known, judge
from ffibench.units import format_number

DRIFTING, MODES, WARMING = "spin/drifting", "spin/modes", "spin/warming"
DRIFT = 0.05
MODES_RATIO = 1.1
WARMING_SLICES = 4
"""Half of the timed slices: without warm-up they fill the first half."""
WARMING_NS = 150.0

DRIFTING_NS = tuple(COST_NS * (1 + DRIFT * (WARMING_SLICES + number)) for number in range(SLICES))
"""The costs of the drifting spin's timed slices, after as many of warm-up."""
COLD_NS = tuple(WARMING_NS if number < WARMING_SLICES else COST_NS for number in range(SLICES))
"""The costs of the warming spin's timed slices without any warm-up."""


def judge_unsteady(run: Run, comparison: Comparison) -> list[Check]:
    """Compare the run of spins that drift, differ by process or warm up with their known costs."""
    contract = contract_check(run, comparison)
    if contract.verdict != "as known":
        return [contract]
    evidence = Evidence(run, comparison)
    level = Known(COST_NS, Bounds(COST_NS, COST_NS * evidence.stretch(WARMING)))
    warming = evidence.sample(WARMING).gross_ns
    return [
        contract,
        drifting_check(evidence, "each slice 5 % slower", DRIFTING, DRIFTING_NS),
        _middle(evidence),
        *_modes(evidence),
        steady_check(evidence, "warm-up counted", [WARMING]),
        figure_check("warm-up counted, gross", level, warming, evidence.row(WARMING).gross_ns, "ns"),
    ]


def judge_cold(run: Run, comparison: Comparison) -> list[Check]:
    """Check the run of a spin that warms up in its timed slices."""
    contract = contract_check(run, comparison)
    if contract.verdict != "as known":
        return [contract]
    evidence = Evidence(run, comparison)
    return [contract, drifting_check(evidence, "a spin that warms up", WARMING, COLD_NS)]


def _middle(evidence: Evidence) -> Check:
    """Check that a process counts by the median of its slices, not by the fastest or the first of them."""
    answer = median(DRIFTING_NS)
    # Slices of different costs: a slice that the host lengthens may overtake others, so each is stretched by itself.
    most = median(lengthened(slices, DRIFTING_NS) for slices in evidence.timed(DRIFTING))
    known = Known(answer, Bounds(answer, most))
    values = evidence.sample(DRIFTING).gross_ns
    return figure_check("its middle slice, gross", known, values, evidence.row(DRIFTING).gross_ns, "ns")


def _modes(evidence: Evidence) -> list[Check]:
    """Check that the interval of a row with two modes spans both, and that its estimate lies inside.

    Half of the processes are of either mode, so that the interval of the sign test spans both in every run.
    """
    row = evidence.row(MODES)
    # These are order statistics far from the median, so that a single busy round may decide them.
    up, down = max(evidence.stretches(MODES)), max(evidence.stretches(BASELINE))
    if row.ratio is None or row.ratio_low is None or row.ratio_high is None:
        return [_modes_check("two costs by process, estimate", "no figure", "inconclusive", FEW)]
    ends = []
    for answer, found in ((1.0, row.ratio_low), (MODES_RATIO, row.ratio_high)):
        known = Known(answer, Bounds(answer / down, answer * up))
        ends.append(judge(known, Bounds(found, found)))
    verdict, reason = max(ends, key=lambda end: ("as known", "inconclusive", "contradicted").index(end[0]))
    inside = row.ratio_low <= row.ratio <= row.ratio_high
    between = Bounds(1.0 / down, MODES_RATIO * up).widened(MARGIN).meets(Bounds(row.ratio, row.ratio))
    agrees = inside and between
    return [
        _modes_check(
            "two costs by process, estimate",
            format_number(row.ratio, 4),
            "as known" if agrees else "contradicted",
            "" if agrees else "The estimate does not lie between the two costs.",
        ),
        _modes_check(
            "two costs by process, interval",
            f"{format_number(row.ratio_low, 4)} to {format_number(row.ratio_high, 4)}",
            verdict,
            reason,
        ),
    ]


def _modes_check(what: str, found: str, verdict: Agreement, reason: str) -> Check:
    return Check(what=what, expected=f"1.00 to {MODES_RATIO:.2f}", found=found, verdict=verdict, reason=reason)
