"""Two ways to do the same over a size, as a table: the ratio at each size, and the size from which they meet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ffibench.model import CONTROL, Row, Run
from ffibench.report.case_table import first_looks
from ffibench.report.names import Names, row_names
from ffibench.report.sweep import sweeps
from ffibench.report.sweep_table import POINTS_LEAST, chosen_points
from ffibench.report.table import Heading, Tabular, one_line, tabulated
from ffibench.results.alternatives import ALIKE, Alternative, alternatives
from ffibench.results.blocks import BASE_BLOCK
from ffibench.results.scaling import in_order
from ffibench.units import ABSENT, column, format_count


def alternative_tables(run: Run, rows: Sequence[Row]) -> list[Tabular]:
    """Build a table for each two ways that the cases of a sweep declare; none where they declare none."""
    names, _ = row_names(rows)
    tables = []
    for sweep in sweeps(run, rows):
        pairs: dict[tuple[str, str], list[Alternative]] = {}
        for each in alternatives(run, sweep.scalings):
            pairs.setdefault((each.one.series, each.other.series), []).append(each)
        tables += [_table(run, found, names) for found in pairs.values()]
    return tables


def _table(run: Run, found: Sequence[Alternative], names: Names) -> Tabular:
    one, other = found[0].one, found[0].other
    values = in_order(value for each in found for value in each.ratios)
    shown = [values[index] for index in chosen_points(len(values))]
    looks = [any(estimate.interval is None for estimate in each.ratios.values()) for each in found]
    columns = {
        Heading("contestant", ("contestant",), numeric=False): [
            names[each.one.contestant, each.one.interpreter] for each in found
        ]
    }
    for value in shown:
        over = one_line(one.parameter) if value == shown[0] else ""
        heading = Heading(f"point {value}", (over, one_line(str(value))), name=f"{one.parameter}={value}")
        ratios = [each.ratios[value].ratio if value in each.ratios else None for each in found]
        columns[heading] = first_looks(column(ratios), looks)
    meets = [ABSENT if each.meet is None else one_line(str(each.meet)) for each in found]
    columns[Heading("meet", ("they meet", "from"))] = meets
    headings, blocks = tabulated(
        columns,
        ["control" if each.one.contestant == CONTROL else "ranked" for each in found],
        Counter("" if each.one.block == BASE_BLOCK else each.one.block for each in found),
    )
    between = [f"point {value}" for value in shown[1:-1]]
    rounds = max(point.row.rounds for each in found for point in each.one.points)
    return Tabular(
        title=one_line(f"{run.plan.experiment}: {other.series} against {one.series}, over {one.parameter}"),
        caption=one_line(
            f"Times of {other.series} divided by those of {one.series} in the same processes, "
            f"{format_count(rounds)} round{'s'[: rounds != 1]}. "
            f"They meet from the {one.parameter} on from which neither takes more than {ALIKE} times the other; "
            f"{ABSENT} where they do not at {values[-1]}."
        ),
        headings=headings,
        blocks=blocks,
        dispensable=tuple([*between[::2], *between[1::2]][: max(0, len(shown) - POINTS_LEAST)]),
    )
