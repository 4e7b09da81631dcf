"""The cells of a sweep: one `Tabular` for each role, with the values of the parameter across."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import takewhile

from ffibench.model import CONTROL, Row, Run, Value
from ffibench.report.case_table import (
    clock_of,
    finest_of,
    first_looks,
    has_figures,
    interval_of,
    span_of,
    word_of,
)
from ffibench.report.names import Names, row_names
from ffibench.report.notes import Notes, general_notes, is_first_look
from ffibench.report.size_columns import meeting_notes, misfit, size_columns, size_words
from ffibench.report.sweep import SMALL, Sweep, part_text, sweep_title, sweeps
from ffibench.report.table import Heading, State, Tabular, one_line, tabulated
from ffibench.report.ties import shown_letters, ties_sentence
from ffibench.results.blocks import BASE_BLOCK
from ffibench.results.scaling import Point, Scaling
from ffibench.results.sizes import Fit, fits, meetings
from ffibench.results.times import RowKey, key_of
from ffibench.results.validity import CANNOT
from ffibench.units import ABSENT, EN_DASH, column, format_count

POINTS_MAX = 8
"""More columns than this say no more: of a longer sweep the first, the last and some between are shown."""
POINTS_LEAST = 4
"""So many are kept before figures beside the points give way to them."""

_Fall = tuple[str, str, Value]
"""Block, series and the value at the peak."""


def sweep_tables(run: Run, rows: Sequence[Row], fastest: Collection[RowKey] = ()) -> list[Tabular]:
    """Build the tables of those rows that are points of a sweep, one for each role; none where nothing is swept.

    `fastest` are the rows that are the fastest of their blocks.
    """
    named = row_names(rows)
    several_roles = len({row.role for row in rows}) > 1
    return [_table(run, each, named, several_roles, fastest) for each in sweeps(run, rows)]


def _table(
    run: Run, sweep: Sweep, named: tuple[Names, dict[str, str]], several_roles: bool, fastest: Collection[RowKey]
) -> Tabular:
    names, letters = named
    found = sweep.scalings
    rows = [point.row for each in found for point in each.points]
    rounds = max(row.rounds for row in rows)
    notes = Notes(rounds)
    shown = chosen_points(len(sweep.values))
    several = len({each.series for each in found}) > 1
    cliffs = {} if sweep.sized else _cliffs(sweep)
    found_fits = fits(run, found) if sweep.sized else {}
    met = meetings(found, found_fits)
    lasts = [each.last.row for each in found]
    ties = shown_letters(lasts)
    columns = {
        Heading("contestant", ("contestant",), numeric=False): [
            line_name(names[each.contestant, each.interpreter], each, several) for each in found
        ],
        **_points(sweep, shown),
        **(size_columns(sweep, found_fits) if sweep.sized else _changes(sweep)),
        **_ratios(sweep),
        Heading("tie", ("tie" if ties else "note",), numeric=False): [
            f"{ties.get(key_of(each.last.row), '')} {_marks(sweep, each, notes, cliffs, found_fits)}".strip()
            for each in found
        ],
    }
    headings, blocks = tabulated(
        columns,
        [_state(each) for each in found],
        Counter(block_name(each, several) for each in found),
        spans=[span_of(row) for row in lasts],
        fastest=[key_of(row) in fastest for row in lasts],
    )
    return Tabular(
        title=sweep_title(run, sweep, several_roles),
        caption=_caption(run, sweep, rounds, len(shown), found_fits),
        headings=headings,
        blocks=blocks,
        notes=(
            *notes.numbered(),
            *meeting_notes(met, names, several=several),
            *general_notes(
                lasts,
                letters,
                ties_sentence(lasts, ties, names),
                f" at {sweep.at(sweep.values[-1])}",
                changes=any(each.factor is not None and each.factor.interval is None for each in found),
            ),
        ),
        dispensable=_dispensable(shown, sized=sweep.sized),
    )


def line_name(name: str, scaling: Scaling, several: bool) -> str:
    """Give the cell of a contestant: with its series in the baseline's block, which has no heading."""
    return f"{name} {one_line(scaling.series)}" if several and scaling.block == BASE_BLOCK else name


def block_name(scaling: Scaling, several: bool) -> str:
    """Give the heading over those that are ranked together: of the baseline none, of others with their series."""
    if scaling.block == BASE_BLOCK:
        return ""
    return f"{scaling.block}, {one_line(scaling.series)}" if several else scaling.block


def chosen_points(count: int) -> list[int]:
    """Return which of so many points are shown: the first, the last, and others evenly between."""
    if count <= POINTS_MAX:
        return list(range(count))
    return [round(step * (count - 1) / (POINTS_MAX - 1)) for step in range(POINTS_MAX)]


def _dispensable(shown: Sequence[int], *, sized: bool) -> tuple[str, ...]:
    """Say which columns go first: what a reader can see from the others, then points between the first and the last."""
    between = list(shown[1:-1])
    first = [*between[::2], *between[1::2]]
    early = first[: max(0, len(shown) - POINTS_LEAST)]
    late = first[len(early) :]
    points = [[f"point {index}" for index in part] for part in (early, late)]
    if sized:
        return (*points[0], "byte interval", "fixed interval", "ratio interval", "ratio", *points[1], "byte", "fixed")
    return ("change interval", "peak", *points[0], "ratio interval", "ratio", *points[1])


def _caption(run: Run, sweep: Sweep, rounds: int, shown: int, fits: Mapping[RowKey, Fit]) -> str:
    cases = {point.row.case for each in sweep.scalings for point in each.points}
    operations = {case.operation for case in run.plan.cases if case.name in cases}
    operation = _in_common(operations)
    parts = [f"One operation: {one_line(operation).rstrip('.')}."] if operation else []
    parts.append(f"{clock_of(sweep.scalings[0].last.row)}, {format_count(rounds)} round{'s'[: rounds != 1]}.")
    parts.append(f"{sweep.shown_words}; the ratio is of times, at {sweep.at(sweep.values[-1])}.")
    parts += filter(None, [size_words(fits)])
    if shown < len(sweep.values):
        parts.append(f"{shown} of {len(sweep.values)} values of {one_line(sweep.parameter)} are shown.")
    return " ".join(parts)


def _in_common(operations: Collection[str]) -> str:
    """Give what several operations begin with, up to the last comma or semicolon before they differ, or nothing."""
    parts = zip(*(re.split("([,;])", operation) for operation in operations), strict=False)
    return "".join(same[0] for same in takewhile(lambda part: len(set(part)) == 1, parts)).rstrip(",;")


def _points(sweep: Sweep, shown: Sequence[int]) -> dict[Heading, list[str]]:
    """Build the throughput at each point, of a sweep over a size the time, with the parameter's name over the first."""
    columns: dict[Heading, list[str]] = {}
    for index in shown:
        value = sweep.values[index]
        points = [next((each for each in found.points if each.value == value), None) for found in sweep.scalings]
        over = one_line(sweep.parameter) if index == 0 else ""
        heading = Heading(f"point {index}", (over, one_line(str(value))), name=sweep.at(value))
        texts = column([None if point is None else sweep.shown(point.ns) for point in points])
        columns[heading] = ["invalid" if _wrong(point) else text for point, text in zip(points, texts, strict=True)]
    return columns


def _wrong(point: Point | None) -> bool:
    """Tell whether a point was measured and failed, as against one that cannot be measured."""
    if point is None or has_figures(point.row) or (point.row.reason or "").startswith(CANNOT):
        return False
    return word_of(point.row) == "invalid"


def _changes(sweep: Sweep) -> dict[Heading, list[str]]:
    """Build the factor from the first point to the last with its interval, and the peak."""
    factors = [each.factor for each in sweep.scalings]
    ends = f"{sweep.values[0]} to {sweep.values[-1]}"
    peaks = [each.peak for each in sweep.scalings]
    changes = [None if factor is None else factor.ratio for factor in factors]
    looks = [factor is not None and factor.interval is None for factor in factors]
    tops = first_looks(column([None if peak is None else peak.factor for peak in peaks], finest=2), looks)
    where = ["" if peak is None else one_line(str(peak.value)) for peak in peaks]
    width = max(map(len, where))
    finest = finest_of(changes)
    small = any(change is not None and change < SMALL for change in changes)
    texts = column(changes, finest=finest)
    if small:  # not aligned by a point, which a part has not
        texts = [ABSENT if change is None else part_text(change, finest) for change in changes]
    return {
        Heading("change", ("change", one_line(ends))): first_looks(texts, looks),
        Heading("change interval", ("95 % CI",), name="95 % CI of the change"): [
            ""
            if factor is None or factor.interval is None
            else f"{part_text(factor.interval.low, finest)}{EN_DASH}{part_text(factor.interval.high, finest)}"
            for factor in factors
        ],
        Heading("peak", ("peak",)): [
            f"{top} at {value:<{width}}" if value else f"{top}{'':{width + 4}}"
            for top, value in zip(tops, where, strict=True)
        ],
    }


def _ratios(sweep: Sweep) -> dict[Heading, list[str]]:
    """Build the ratio to the baseline of the same series at the last point, with its interval."""
    rows = [each.last.row for each in sweep.scalings]
    ratios = [row.ratio if has_figures(row) else None for row in rows]
    finest = finest_of(ratios)
    return {
        Heading("ratio", ("ratio", "to C")): first_looks(
            column(ratios, finest=finest), [has_figures(row) and is_first_look(row) for row in rows]
        ),
        Heading("ratio interval", ("95 % CI",), name="95 % CI of the ratio"): [
            interval_of(row, finest) if has_figures(row) else "" for row in rows
        ],
    }


def _marks(
    sweep: Sweep, scaling: Scaling, notes: Notes, cliffs: Mapping[_Fall, str], fits: Mapping[RowKey, Fit]
) -> str:
    """Give the marks of all points, of which the text says where it holds."""
    places: dict[str, list[Value]] = {}
    for point in scaling.points:
        for text in notes.texts(point.row):
            places.setdefault(text, []).append(point.value)
    texts = [
        text if len(values) == len(scaling.points) or text.startswith(CANNOT) else f"{_at(sweep, values)}: {text}"
        for text, values in places.items()
    ]
    texts += misfit(sweep, fits.get(key_of(scaling.last.row)))
    if scaling.cliff is not None and cliffs:
        texts.append(cliffs[scaling.block, scaling.series, scaling.cliff.peak])
    return notes.marked(texts)


def _cliffs(sweep: Sweep) -> dict[_Fall, str]:
    """Say how much is lost beyond the peak, the same words for those of a block and series with theirs at one point."""
    falls: dict[_Fall, list[float]] = {}
    for each in sweep.scalings:
        if each.cliff is not None:
            falls.setdefault((each.block, each.series, each.cliff.peak), []).append(100 * (1 - each.cliff.share))
    said = {fall: list(dict.fromkeys([f"{min(shares):.0f}", f"{max(shares):.0f}"])) for fall, shares in falls.items()}
    return {
        fall: f"It falls by {' to '.join(ends)} % from its peak at {sweep.at(fall[2])}." for fall, ends in said.items()
    }


def _at(sweep: Sweep, values: Sequence[Value]) -> str:
    return f"At {sweep.at(', '.join(map(str, values)))}"


def _state(scaling: Scaling) -> State:
    rows = [point.row for point in scaling.points]
    if not any(map(has_figures, rows)):
        return "invalid"
    if scaling.contestant == CONTROL:
        return "control"
    return "marked" if any(row.reason for row in rows) else "ranked"
