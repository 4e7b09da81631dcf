"""The summary: what a run found, in sentences, each with a label; under them nobody has to read the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ffibench.model import BASELINE, Comparison, Row, Run
from ffibench.noise.descriptions import listed
from ffibench.report.case_table import added_interval
from ffibench.report.collections import collection_facts
from ffibench.report.doubt import control_facts, host_fact, resolution_fact
from ffibench.report.facts import Fact
from ffibench.report.names import Names, row_names
from ffibench.report.size_columns import misfit
from ffibench.report.speeds import settled_facts, speed_facts
from ffibench.report.sweep import SMALL, Sweep, part_text, sweeps
from ffibench.report.table import one_line
from ffibench.results.fastest import Lead, Margin
from ffibench.results.grid import Grid
from ffibench.results.scaling import Scaling
from ffibench.results.sizes import fits
from ffibench.results.times import is_divided, key_of
from ffibench.results.validity import invalid_rows
from ffibench.results.verify import unjudged
from ffibench.stats import Interval, rounds_needed
from ffibench.units import EN_DASH, format_count, format_number


def summary_facts(run: Run, comparison: Comparison, leads: Sequence[Lead], grids: Iterable[Grid]) -> list[Fact]:
    """Give the sentences in the order in which they are shown; none before the first round."""
    if not comparison.rows:
        return []
    names, _ = row_names(comparison.rows)
    return [
        *_ranking(run, comparison.rows, leads, {each.role: each for each in grids}, names),
        _verified(run, comparison.rows),
        *speed_facts(comparison.rows),
        *settled_facts(comparison.rows),
        *collection_facts(run, comparison.rows),
        *host_fact(run, comparison),
        *control_facts(run, comparison),
        *resolution_fact(comparison),
    ]


def _ranking(
    run: Run, rows: Sequence[Row], leads: Sequence[Lead], grids: Mapping[str, Grid], names: Names
) -> Iterator[Fact]:
    """Say for each role who is the fastest: at the last point of a sweep, over several cases, or in its one case."""
    roles = list(dict.fromkeys(row.role for row in rows))
    swept = sweeps(run, rows)
    points = {case.name for case in run.plan.cases if case.point}
    for role in roles:
        single = [lead for lead in leads if lead.role == role and lead.case not in points]
        for block, group in _by_block(single).items():
            label = f"{role}, {block}" if len(roles) > 1 else block
            yield _over_cases(label, block, grids[role], names) if role in grids else _of_lead(label, group[0], names)
        for sweep in swept:
            if sweep.scalings[0].role == role:
                yield from _of_sweep(run, sweep, leads, names)


def _by_block(leads: Iterable[Lead]) -> Mapping[str, list[Lead]]:
    groups: dict[str, list[Lead]] = {}
    for lead in leads:
        groups.setdefault(lead.block, []).append(lead)
    return groups


def _of_lead(label: str, lead: Lead, names: Names, where: str = "") -> Fact:
    """Say who is the fastest of a block, where the rounds carry it, and how much faster than the next and the last."""
    best = lead.fastest[0] if lead.fastest else lead.rows[0]
    # Along a sweep the rate counts, of many threads too, and the ratio is one of rates.
    figures = f"{_ratio(best)}, {_overhead(best)}" if where else _figures(best)
    name = names[best.contestant, best.interpreter]
    if not lead.fastest:
        needed = rounds_needed(len(lead.rows))
        few = f"{_rounds(best.rounds)}, {len(lead.rows)} rows need {needed}" if best.rounds < needed else "no letters"
        return Fact(label, f"{where}{name} has the lowest time: {figures}; not ranked ({few})")
    fastest = [names[row.contestant, row.interpreter] for row in lead.fastest]
    margins = [_margin(margin, names) for margin in (lead.next, lead.slowest) if margin is not None]
    rest = f"; {', '.join(margins)}" if margins else ""
    if len(fastest) > 1:
        each = listed([_ratio(row) if where or is_divided(row) else _overhead(row) for row in lead.fastest])
        text = f"{listed(fastest)} are the fastest; the difference is not significant: {each}{rest}"
        return Fact(label, where + text, names=tuple(fastest))
    verb = " is the fastest" if len(lead.rows) > 1 else ""
    return Fact(label, f"{where}{name}{verb}: {figures}{rest}", names=(name,))


def _margin(margin: Margin, names: Names) -> str:
    row, estimate = margin.row, margin.ratio
    bounds = "" if estimate.interval is None else f" ({_bounds(estimate.interval)})"
    return f"{_times(estimate.ratio)} faster than {names[row.contestant, row.interpreter]}{bounds}"


def _over_cases(label: str, block: str, grid: Grid, names: Names) -> Fact:
    """Name the contestant that has most of the grid's marks in a block: none is significantly faster in these cases."""
    if grid.unbeaten is None:
        needed = f"the {format_count(grid.pairs)} pairs of cells need {grid.rounds_needed}"
        return Fact(label, f"not ranked over the cases ({_rounds(grid.rounds)}, {needed})")
    cases = [rows for (_, name), rows in grid.ranked.items() if name == block]
    wins: dict[tuple[str, str], list[Row]] = {}
    for row in (row for rows in cases for row in rows):
        if len(grid.ranked[row.case, block]) == 1 or key_of(row) in grid.unbeaten:
            wins.setdefault((row.contestant, row.interpreter), []).append(row)
    if not wins:
        return Fact(label, "each is significantly slower than another in every case")
    best = max(wins, key=lambda each: len(wins[each]))
    ratios = sorted(row.ratio for row in wins[best] if row.ratio is not None)
    text = f"{names[best]} is the fastest, or not significantly slower, in {len(wins[best])} of {len(cases)} cases"
    return Fact(label, f"{text}: {_times(ratios[0])} to {_times(ratios[-1])} C", names=(names[best],))


def _of_sweep(run: Run, sweep: Sweep, leads: Sequence[Lead], names: Names) -> Iterator[Fact]:
    """Say which series of the baseline has the highest rate at the last point, and who is the fastest there."""
    last = sweep.values[-1]
    own = [each for each in sweep.scalings if each.contestant == BASELINE and each.last.ns and each.last.value == last]
    if own:
        best = min(own, key=lambda each: each.last.ns or 0.0)
        rate = f"{format_number(sweep.rate(best.last) or 0.0)} {sweep.unit}"
        series = f"{one_line(best.series)}, " if len(own) > 1 else ""
        change = _line(run, sweep, best) if sweep.sized else ""
        if not sweep.sized and best.factor is not None and best.factor.interval is not None:
            first = sweep.at(best.first.value)
            factor, bounds = best.factor.ratio, best.factor.interval
            if factor < SMALL:
                part, span = part_text(factor), f"{part_text(bounds.low)}{EN_DASH}{part_text(bounds.high)}"
                change = f", {part} of that at {first} ({span})"
            else:
                change = f", {_times(factor)} that at {first} ({_bounds(bounds)})"
        yield Fact(BASELINE, f"highest rate at {sweep.at(last)}: {series}{rate}{change}")
    ends = {each.last.row.case: each.series for each in sweep.scalings if each.last.value == last}
    several = len(set(ends.values())) > 1
    for lead in leads:
        if lead.case in ends:
            series = f"{one_line(ends[lead.case])} " if several else ""
            yield _of_lead(lead.block, lead, names, where=f"{series}at {sweep.at(last)}, ")


def _line(run: Run, sweep: Sweep, scaling: Scaling) -> str:
    """Say what an operation costs at any size and what each byte adds, where there are sizes enough."""
    fit = fits(run, [scaling]).get(key_of(scaling.last.row))
    if fit is None or misfit(sweep, fit):
        return ""
    fixed, slope = fit.line.fixed.value, fit.line.slope.value
    return f"; over all sizes {format_number(fixed)} ns and {format_number(slope)} ns for each byte"


def _verified(run: Run, rows: Sequence[Row]) -> Fact:
    """Say whether all slices and audits match, or what of the first invalid row does not."""
    measured = [row for row in rows if row.rounds or row.audit is not None]
    invalid = invalid_rows(measured)
    if invalid:
        reason = one_line(invalid[0].reason or "").rstrip(".")
        word = "cells" if any(row.point for row in rows) else "rows"
        text = f"{len(invalid)} of {len(measured)} {word} invalid: {invalid[0].contestant}: {reason}"
        return Fact("not verified", text, bad=True)
    slices = f"{format_count(sum(row.receipts for row in rows))} slices"
    rest = "".join(f"; {each}" for each in _unverified(run))
    if not run.plan.audited:
        return Fact("verified", f"all {slices} match; native calls were not counted (--no-audit){rest}")
    accepted = sum(audit.verdict == "accepted" for audit in run.audits)
    again = sum(audit.verdict == "accepted" for audit in run.counted_again)
    twice = f", {again} of them again among the rounds" if again else ""
    return Fact("verified", f"all {slices}{f' and {accepted} audits' if accepted else ''} match{twice}{rest}")


def _unverified(run: Run) -> Iterator[str]:
    """Say what nobody could judge, neither in the run nor now."""
    other = sum(audit.verdict != "accepted" for audit in run.audits)
    peers, files = len(unjudged(run)), sum(file.after is None for file in run.files)
    if other:
        yield f"{other} audit{'s'[: other != 1]} without a verdict"
    if peers:
        yield f"what {peers} peer{'s'[: peers != 1]} received is not judged: the file lacks what was expected"
    if files:
        yield f"{files} of {len(run.files)} files of workers could not be looked at again after the last round"


def _ratio(row: Row) -> str:
    """Give a ratio to C with its interval; in parentheses where there is none."""
    if row.ratio is None:
        return "no ratio to C"
    if row.ratio_low is None or row.ratio_high is None:
        return f"({_times(row.ratio)} C)"
    return f"{_times(row.ratio)} C ({_bounds(Interval(row.ratio_low, row.ratio_high))})"


def _figures(row: Row) -> str:
    """Give the ratio to C and the overhead; over a short C the overhead alone, with its interval."""
    if is_divided(row):
        return f"{_ratio(row)}, {_overhead(row)}"
    bounds = added_interval(row)
    return f"{_overhead(row)} ({bounds})" if bounds else _overhead(row)


def _overhead(row: Row) -> str:
    if row.added_ns is None:
        return "overhead not known"
    return f"{format_number(abs(row.added_ns))} ns/op {'over' if row.added_ns >= 0 else 'under'} C"


def _rounds(count: int) -> str:
    return f"{format_count(count)} round{'s'[: count != 1]}"


def _times(ratio: float) -> str:
    return f"{format_number(ratio, 3, 2 if ratio >= 0.1 else None)}x"


def _bounds(interval: Interval) -> str:
    finest = 2 if interval.low >= 0.1 else None
    return f"{format_number(interval.low, 3, finest)}{EN_DASH}{format_number(interval.high, 3, finest)}"
