"""How small a difference between two rows of a block a run could see, and of how many rows that is said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ffibench.model import Comparison, Row, Run
from ffibench.report.case_table import has_figures
from ffibench.stats import rounds_needed
from ffibench.units import format_count, format_share

LISTED_MAX = 4
"""So many cases are listed one by one; of more than these the range is given."""

SMALLEST = "smallest difference that this run could see"


def resolution_text(comparison: Comparison) -> str:
    """Say it over all cases of which it is known; empty where it is of none."""
    known = sorted(comparison.resolution.values())
    if not known:
        return ""
    ends = dict.fromkeys(map(format_share, (known[0], known[-1])))
    by_case = ", by case" if len(ends) > 1 else ""
    return f"{SMALLEST}: {' to '.join(ends)}{by_case}{_counted(comparison, comparison.resolution)}"


def resolution_texts(run: Run, comparison: Comparison) -> list[str]:
    """Say it for each case, the same words for all at once, and where it is not known why.

    The points of a sweep are taken together, by the coarsest; of many cases that differ the range is given.
    """
    known: dict[str, list[float | None]] = {}
    names: dict[str, list[str]] = {}
    for case in run.plan.cases:
        series = case.series if case.point and case.series else case.name
        known.setdefault(series, []).append(comparison.resolution.get(case.name))
        names.setdefault(series, []).append(case.name)
    coarsest = {
        series: max(each for each in values if each is not None)
        for series, values in known.items()
        if any(value is not None for value in values)
    }
    ranked = _ranked(comparison.rows)
    texts: dict[str, list[str]] = {}
    for series in known:
        smallest = coarsest.get(series)
        rows = [row for name in names[series] for row in ranked.get(name, ())]
        text = _not_known(rows) if smallest is None else f"{SMALLEST}: {format_share(smallest)}"
        if text:
            texts.setdefault(text, []).append(series)
    if len(texts) > LISTED_MAX and len(coarsest) > 1:
        finest, coarse = (pick(coarsest, key=coarsest.__getitem__) for pick in (min, max))
        ends = f"{format_share(coarsest[finest])} ({finest}) to {format_share(coarsest[coarse])} ({coarse})"
        return [f"{SMALLEST}: {ends}{_counted(comparison, comparison.resolution)}"]
    several = len(known) > 1
    said = []
    for text, listed in texts.items():
        cases = [name for series in listed for name in names[series] if name in comparison.resolution]
        said.append(f"{', '.join(listed)}: {text}" if several else text)
        if text.startswith(SMALLEST):
            said[-1] += _counted(comparison, cases)
    return said


def _counted(comparison: Comparison, cases: Iterable[str]) -> str:
    """Say of how many rows it is said: those that are ranked in these cases, with another of their block at least."""
    ranked = _ranked(comparison.rows)
    rows = [row for case in cases for row in ranked.get(case, ())]
    blocks = _blocks(rows)
    count = sum(blocks[row.case, row.block, row.role] > 1 for row in rows)
    word = "cells" if len({row.case for row in rows}) > 1 else "rows"
    return f", of {format_count(count)} {word}" if count else ""


def _ranked(rows: Iterable[Row]) -> Mapping[str, Sequence[Row]]:
    """Give by case the rows that are ranked: those that have figures, and no reason to stand aside."""
    ranked: dict[str, list[Row]] = {}
    for row in rows:
        if has_figures(row) and row.reason is None:
            ranked.setdefault(row.case, []).append(row)
    return ranked


def _blocks(rows: Iterable[Row]) -> Counter[tuple[str, str, str]]:
    return Counter((row.case, row.block, row.role) for row in rows)


def _not_known(rows: Sequence[Row]) -> str:
    """Say how many rounds the largest block needs; empty where no block has two rows."""
    largest = max(_blocks(rows).values(), default=0)
    if largest < 2:
        return ""
    needed = rounds_needed(largest)
    if max(row.rounds for row in rows) >= needed:
        return "not known"
    return f"too few rounds to rank rows ({largest} rows need {needed})"
