"""Checks the run of steady spins: units, divisions, ratios, ties, resolution. A pure function of a run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from statistics import median

from ffibench.model import BASELINE, CONTROL, Comparison, Run
from ffibench.selftest.drifting import steady_check
from ffibench.selftest.evidence import Evidence
from ffibench.selftest.figures import ROUNDING, contract_check, figure_check, ratio_check
from ffibench.selftest.spins import COST_NS, EMPTY_NS, ITERATIONS
from ffibench.selftest.verdict import CONFIDENCE, FEW, MARGIN, WIDE, Agreement, Bounds, Check, Known
from ffibench.stats import CONFIDENCE as TABLE_CONFIDENCE
from ffibench.stats import paired_ratio
from ffibench.units import format_seconds, format_share

ONCE, AGAIN, SLOWER, TWICE = "spin/once", "spin/once-more", "spin/slower", "spin/twice"
SLOWER_RATIO = 1.03
BLOCK = (ONCE, AGAIN, SLOWER, TWICE)
"""The rows that are ranked together."""


def judge_steady(run: Run, comparison: Comparison) -> list[Check]:
    """Compare the figures of steady spins with their known costs."""
    contract = contract_check(run, comparison)
    if contract.verdict != "as known":
        return [contract]
    evidence = Evidence(run, comparison)
    return [
        contract,
        _gross(evidence),
        _net(evidence),
        _added(evidence),
        _process(evidence),
        ratio_check(evidence, "twice the baseline, ratio", TWICE, 2.0),
        ratio_check(evidence, "control, the baseline again, ratio", CONTROL, 1.0),
        _same(evidence),
        ratio_check(evidence, "3 % slower, ratio", SLOWER, SLOWER_RATIO),
        _apart(evidence),
        _resolution(evidence),
        steady_check(evidence, "rows that run at one speed", [BASELINE, CONTROL, *BLOCK]),
    ]


def _gross(evidence: Evidence) -> Check:
    stretched = Bounds(COST_NS, COST_NS * evidence.stretch(BASELINE))
    values = evidence.sample(BASELINE).gross_ns
    known = Known(COST_NS, stretched)
    return figure_check("a spin of 100 ns, gross", known, values, evidence.row(BASELINE).gross_ns, "ns")


def _net(evidence: Evidence) -> Check:
    stretched = Bounds(
        COST_NS - EMPTY_NS * evidence.stretch(BASELINE, "empty"), COST_NS * evidence.stretch(BASELINE) - EMPTY_NS
    )
    values = evidence.sample(BASELINE).net_ns
    known = Known(COST_NS - EMPTY_NS, stretched)
    return figure_check("net of its empty loop of 20 ns", known, values, evidence.row(BASELINE).net_ns, "ns")


def _added(evidence: Evidence) -> Check:
    twice, once = evidence.sample(TWICE).gross_ns, evidence.sample(BASELINE).gross_ns
    stretched = Bounds(
        2 * COST_NS - COST_NS * evidence.stretch(BASELINE), 2 * COST_NS * evidence.stretch(TWICE) - COST_NS
    )
    values = [x - c for x, c in zip(twice, once, strict=True)]
    known = Known(COST_NS, stretched)
    return figure_check("twice the baseline, added", known, values, evidence.row(TWICE).added_ns, "ns")


def _process(evidence: Evidence) -> Check:
    """Check the seconds of the whole process, measured by the harness: at least its spins, at most its round.

    At least its slices by its own clock, too: that detects a wrong unit of wall time that looks like a busy host.
    """
    plan, row = evidence.run.plan, evidence.row(BASELINE)
    known_s = ITERATIONS * (COST_NS * (plan.warmup + plan.slices) + EMPTY_NS * plan.slices) / 1e9
    spun_s = max(known_s, median(evidence.spun_s(BASELINE)))
    round_s = max(each.seconds for each in evidence.run.rounds)
    found = row.real_s
    agrees = found is not None and spun_s <= found <= round_s
    reason = f"It spun for {format_seconds(spun_s)}, and no round took more than {format_seconds(round_s)}."
    return Check(
        what="its whole process, seconds",
        expected=f"{format_seconds(known_s)} or more",
        found="no figure" if found is None else format_seconds(found),
        verdict="as known" if agrees else "contradicted",
        reason="" if agrees else reason,
    )


def _same(evidence: Evidence) -> Check:
    """Check the letters of two entries of one program.

    Where a table shows a difference after Holm's correction, the pair's own interval of the same level shows it too.
    The two may overrun their cost differently, so a difference below `MARGIN` contradicts nothing.
    """
    printed = evidence.row(ONCE).tie, evidence.row(AGAIN).tie
    wide = _excludes_1(evidence, AGAIN, CONFIDENCE, MARGIN)
    narrow = _excludes_1(evidence, AGAIN, TABLE_CONFIDENCE)
    verdict: Agreement = "as known"
    reason = ""
    if wide is None or None in printed:
        verdict, reason = "inconclusive", FEW
    elif wide:
        verdict, reason = "contradicted", "Two entries of one program are significantly different."
    elif not _share(*printed):
        verdict = "inconclusive" if narrow else "contradicted"
        how = "as happens in one run of 20" if narrow else "which their own interval does not confirm"
        reason = f"The table shows two entries of one program as significantly different, {how}."
    return Check(
        what="two identical rows", expected="share a letter", found=_letters(printed), verdict=verdict, reason=reason
    )


def _apart(evidence: Evidence) -> Check:
    """Check the letters of two rows 3 % apart: at the level of the checks a difference survives Holm's correction."""
    printed = evidence.row(ONCE).tie, evidence.row(SLOWER).tie
    seen = _excludes_1(evidence, SLOWER, CONFIDENCE)
    verdict: Agreement = "as known"
    reason = ""
    if seen is None or None in printed:
        verdict, reason = "inconclusive", FEW
    elif _share(*printed):
        verdict = "contradicted" if seen else "inconclusive"
        reason = "The table ties two rows whose own interval shows a difference." if seen else WIDE
    return Check(
        what="two rows 3 % apart", expected="share no letter", found=_letters(printed), verdict=verdict, reason=reason
    )


def _excludes_1(evidence: Evidence, name: str, confidence: float, margin: float = 0.0) -> bool | None:
    """Whether the interval of a row's ratio to the first of the block excludes 1, give or take a margin.

    None where there is no interval.
    """
    times = evidence.sample(name).gross_ns, evidence.sample(ONCE).gross_ns
    interval = paired_ratio(*times, confidence).interval
    return None if interval is None else not Bounds(interval.low, interval.high).meets(Bounds(1 - margin, 1 + margin))


def _letters(printed: Sequence[str | None]) -> str:
    return " and ".join(each or "none" for each in printed)


def _share(left: str | None, right: str | None) -> bool:
    return bool(set(left or "") & set(right or ""))


def _resolution(evidence: Evidence) -> Check:
    """Check that the resolution is of the size of the pairs' own intervals, and not above 3 %."""
    wanted = SLOWER_RATIO - 1
    found = evidence.comparison.resolution.get(evidence.run.plan.cases[0].name)
    finest, coarsest = _half_widths(evidence, TABLE_CONFIDENCE), _half_widths(evidence, CONFIDENCE)
    verdict: Agreement = "as known"
    reason = ""
    if found is None or finest is None or coarsest is None:
        verdict, reason = "inconclusive", FEW
    elif not math.expm1(min(finest)) * (1 - ROUNDING) <= found <= math.expm1(max(coarsest)) * (1 + ROUNDING):
        verdict, reason = "contradicted", "It is not of the size of the intervals that it is computed from."
    elif found > wanted:
        verdict, reason = "inconclusive", WIDE
    return Check(
        what="smallest detectable difference",
        expected=f"{format_share(wanted)} or less",
        found="no figure" if found is None else format_share(found),
        verdict=verdict,
        reason=reason,
    )


def _half_widths(evidence: Evidence, confidence: float) -> list[float] | None:
    """Return the half-widths of the paired intervals of all rows that are ranked together."""
    pairs = [(BASELINE, CONTROL), *combinations(BLOCK, 2)]
    times = {name: evidence.sample(name).gross_ns for pair in pairs for name in pair}
    intervals = [paired_ratio(times[left], times[right], confidence).interval for left, right in pairs]
    return None if None in intervals else [each.half_width for each in intervals if each is not None]
