"""Several cases at a glance: cases down in their groups, contestants across in their blocks.

The reference comes first, in nanoseconds an operation, and stands beside every page of a narrow terminal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from statistics import median

from ffibench.errors import FfibenchError
from ffibench.model import BASELINE, CONTROL, Row, Run
from ffibench.report.case_table import clock_of, has_figures
from ffibench.report.grid_cells import FASTEST, MISSING, STEPS, Cells, cells_of, shade_of
from ffibench.report.names import Names, row_names
from ffibench.report.notes import INTERVAL_ROUNDS, Notes, general_notes
from ffibench.report.options import GridOptions
from ffibench.report.table import Block, Heading, Line, Shade, Tabular, one_line
from ffibench.results.blocks import BASE_BLOCK, blocks
from ffibench.results.gate import nearest
from ffibench.results.grid import Grid
from ffibench.results.times import RATIO_FROM_NS, key_of
from ffibench.units import format_count

_Who = tuple[str, str]
"""Contestant and interpreter."""


def grid_table(run: Run, rows: Sequence[Row], grid: Grid, options: GridOptions, several_roles: bool) -> Tabular:
    """Build the grid of the cases of one role. Raises FfibenchError for a reference that is none of its contestants."""
    names, letters = row_names(rows)
    reference = reference_of(names, options.reference)
    by_place = {(row.contestant, row.interpreter, row.case): row for row in rows}
    cases = list(dict.fromkeys(row.case for row in rows))
    columns = _columns(rows, grid, reference)
    notes = Notes(grid.rounds)
    cells = cells_of(run, rows, reference, options)
    texts: dict[_Who, list[str]] = {}
    shades: dict[_Who, list[Shade | None]] = {}
    for who in columns:
        own = [by_place.get((*who, case)) for case in cases]
        texts[who] = cells.column(own, grid, notes, reference=who == reference)
        shades[who] = [shade_of(row, grid) for row in own]
    lines = {
        case: Line(
            (one_line(case), *(texts[who][place] for who in columns)),
            shades=(None, *(shades[who][place] for who in columns)),
        )
        for place, case in enumerate(cases)
    }
    groups: dict[str, list[Line]] = {}
    for case in cases:
        groups.setdefault(run.plan.by_name[case].group if case in run.plan.by_name else "", []).append(lines[case])
    role = f", {grid.role}" if several_roles else ""
    shaded = any(shade is not None for each in shades.values() for shade in each)
    missing = any(MISSING in each for each in texts.values())
    return Tabular(
        title=one_line(f"{run.plan.experiment}: {run.plan.title}{role}"),
        caption=_caption(rows, grid, cells, names[reference]),
        headings=(
            Heading("case", ("case",), numeric=False),
            *(_heading(who, block, names, cells, reference) for who, block in columns.items()),
        ),
        blocks=tuple(Block(one_line(group), tuple(each)) for group, each in groups.items()),
        notes=(
            *_signs(grid, cells, missing=missing, shaded=shaded),
            *notes.numbered(),
            *general_notes(rows if cells.ratios else [], letters, ""),
            ("--case NAME", "Shows one case in full: every row with its overhead, ratio, interval and ties."),
        ),
        heads=2,
        grid=True,
        steps=STEPS if shaded else (),
    )


def reference_of(names: Names, asked: str) -> _Who:
    """Find whom a name of `--reference` means. Raises FfibenchError where that is nobody, or not one alone."""
    wanted = asked or BASELINE
    found = [who for who, name in names.items() if wanted in {name, who[0]}]
    exact = [who for who in found if names[who] == wanted]
    if len(exact or found) == 1:
        return (exact or found)[0]
    if not (found or asked):  # a role of which the baseline has no row
        return next(iter(names))
    if found:
        raise FfibenchError(
            f"--reference {wanted}: that is several in this run",
            fix=f"use one of {', '.join(names[who] for who in found)}",
        )
    raise FfibenchError(
        f"--reference {wanted}: no such contestant in this run{nearest(wanted, names.values())}",
        fix=f"use one of {', '.join(dict.fromkeys(names.values()))}",
    )


def _columns(rows: Sequence[Row], grid: Grid, reference: _Who) -> dict[_Who, str]:
    """Give the contestants with their blocks in the order of the columns: the reference, then block by block.

    In a block those stand first that are nearest to its fastest over all their cases, and last those without a figure.
    """
    block_of: dict[_Who, str] = {}
    distances: dict[_Who, list[float]] = {}
    for row in rows:
        who = row.contestant, row.interpreter
        block_of.setdefault(who, row.block)
        distances.setdefault(who, [])
        if has_figures(row):
            estimate = grid.over_fastest.get(key_of(row))
            distances[who].append(1.0 if estimate is None else estimate.ratio)
    order = blocks(block_of.values())
    first = {BASELINE: 0, CONTROL: 1}

    def place(who: _Who) -> tuple[bool, int, int, bool, float]:
        own = distances[who]
        middle = median(own) if own else 0.0
        return who != reference, order.index(block_of[who]), first.get(who[0], 2), not own, middle

    return {who: block_of[who] for who in sorted(block_of, key=place)}


def _heading(who: _Who, block: str, names: Names, cells: Cells, reference: _Who) -> Heading:
    """Break a name over lines: `python/`, `nanobind`, `~nogil`; the first column says that it is nanoseconds."""
    name = names[who]
    lines = tuple(re.findall(r"[^/~ ]+/?|[~ ][^/~ ]*", name))
    of_its_own = who == reference and cells.ratios is not None
    return Heading(
        f"contestant {name}",
        (*lines, " ns/op") if of_its_own else lines,
        name=name,
        group="" if who == reference or block == BASE_BLOCK else block,
        joint="",
    )


def _caption(rows: Sequence[Row], grid: Grid, cells: Cells, reference: str) -> str:
    net = ", net of the empty loop" if cells.net else ""
    if cells.ratios is None:
        shown = f"ns/op in each case{net}."
    else:
        shown = (
            f"Ratio to {reference} in each case where it takes over {RATIO_FROM_NS:g} ns, else the overhead over it; "
            f"of {reference} itself ns/op{net}."
        )
    clocks = " and ".join(dict.fromkeys(clock_of(row) for row in rows))
    parts = [shown, f"{clocks}, {format_count(grid.rounds)} round{'s'[: grid.rounds != 1]}."]
    if len({block for _, block in grid.ranked}) > 1:
        parts.append("Each block is ranked by itself.")
    return " ".join(parts)


def _signs(grid: Grid, cells: Cells, *, missing: bool, shaded: bool) -> Iterator[tuple[str, str]]:
    """Say what star, shade and dash mean; where there is no star, how many rounds it takes."""
    pairs = f"{format_count(grid.pairs)} pair{'s'[: grid.pairs != 1]} of cells"
    if grid.unbeaten is not None and grid.pairs:
        yield FASTEST, f"No other of its block is significantly faster in this case (Holm over all {pairs})."
    elif grid.pairs:
        needed = f"the {pairs} that are compared need {grid.rounds_needed} rounds, and there are {grid.rounds}"
        yield FASTEST, f"None is marked as the fastest: {needed}."
    if grid.pairs and not shaded:
        yield "shade", f"None is shaded: an interval takes {INTERVAL_ROUNDS} rounds."
    if missing:
        yield MISSING, "Not among the contestants of this case."
