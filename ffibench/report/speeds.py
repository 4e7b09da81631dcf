"""Tables of the other speed: where the processes of a figure fall into two groups, what the smaller one took."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from ffibench.model import BASELINE, CONTROL, Row, Run
from ffibench.report.case_table import grouped, has_figures, title_of
from ffibench.report.facts import Fact
from ffibench.report.names import Names, row_names
from ffibench.report.sweep import Sweep, sweep_title, sweeps
from ffibench.report.sweep_table import block_name, line_name
from ffibench.report.table import Heading, Tabular, one_line, tabulated
from ffibench.results.blocks import BASE_BLOCK
from ffibench.results.scaling import swept
from ffibench.units import column, format_number

CAPTION = (
    "Where processes ran at two speeds, the table above has that of the larger group. Here is the other, with its "
    "share of the processes."
)

LATE_MAX = 3
"""Rows that did not settle in all processes and are named."""


def speed_tables(run: Run, rows: Sequence[Row]) -> list[Tabular]:
    """Build one table a sweep and one a case, of those rows that have two speeds; none where no row has."""
    names, _ = row_names(rows)
    several_roles = len({row.role for row in rows}) > 1
    single = [group for group in grouped(row for row in rows if not swept(row)) if any(map(_other, group))]
    tables = [_of_case(title_of(run, group[0], several_roles), group, names) for group in single]
    over = [
        each for each in sweeps(run, rows) if any(_other(point.row) for one in each.scalings for point in one.points)
    ]
    return [*tables, *(_of_sweep(sweep_title(run, each, several_roles), each, names) for each in over)]


def speed_facts(rows: Sequence[Row]) -> list[Fact]:
    """Say how many figures have two speeds, how far apart, and that a machine with two shows them in many rows."""
    known = [row for row in rows if has_figures(row)]
    two = [row for row in known if row.speeds]
    if not two:
        return []
    factors = sorted(max(larger, other) / min(larger, other) for larger, other in map(_both, two))
    ends = list(dict.fromkeys(format_number(factor, 2) for factor in (factors[0], factors[-1])))
    what = "figure" if len(known) == 1 else "figures"
    own = any(row.contestant in {BASELINE, CONTROL} for row in two)
    whose = "; so did C itself, so look at the machine first" if own else ""
    return [
        Fact(
            "two speeds",
            f"the processes of {len(two)} of {len(known)} {what} ran at two speeds, {' to '.join(ends)} times apart"
            f"{whose}",
        )
    ]


def settled_facts(rows: Sequence[Row]) -> list[Fact]:
    """Say in how many of their processes those rows settled whose languages compile while they run."""
    names, _ = row_names(rows)
    known = [(row, row.settled_processes) for row in rows if has_figures(row) and row.settled_processes is not None]
    late = [(row, count) for row, count in known if count < row.rounds]
    if not known:
        return []
    rows_said = f"{len(known) - len(late)} of {len(known)} row{'s'[: len(known) != 1]}"
    text = f"{rows_said} whose languages compile while they run settled in every process"
    said = [f"{names[row.contestant, row.interpreter]} in {count} of {row.rounds}" for row, count in late[:LATE_MAX]]
    more = f" and {len(late) - LATE_MAX} more" if len(late) > LATE_MAX else ""
    return [Fact("warm-up", f"{text}{'; ' * bool(said)}{', '.join(said)}{more}")]


def _both(row: Row) -> tuple[float, float]:
    larger, other = row.speeds
    return larger.gross_ns, other.gross_ns


def _other(row: Row) -> float | None:
    """Give the time of the smaller group, where there is one and the row's figures may be shown."""
    return row.speeds[1].gross_ns if row.speeds and has_figures(row) else None


def _share(row: Row | None) -> str:
    """Give the share of the smaller group, in the width of two digits."""
    if row is None or _other(row) is None:
        return ""
    larger, other = row.speeds
    return f" {100 * other.processes / (larger.processes + other.processes):2.0f} %"


def _of_case(title: str, rows: Sequence[Row], names: Names) -> Tabular:
    found = [row for row in rows if _other(row) is not None]
    columns = {
        Heading("contestant", ("contestant",), numeric=False): [
            names[row.contestant, row.interpreter] for row in found
        ],
        Heading("larger", ("ns/op",)): column([row.speeds[0].gross_ns for row in found]),
        Heading("other", ("other speed",)): column([_other(row) for row in found]),
        Heading("share", ("share",)): [_share(row).strip() for row in found],
    }
    return _tabular(title, columns, ["" if row.block == BASE_BLOCK else row.block for row in found])


def _of_sweep(title: str, sweep: Sweep, names: Names) -> Tabular:
    found = [each for each in sweep.scalings if any(_other(point.row) for point in each.points)]
    several = len({each.series for each in sweep.scalings}) > 1
    columns: dict[Heading, Sequence[str]] = {
        Heading("contestant", ("contestant",), numeric=False): [
            line_name(names[each.contestant, each.interpreter], each, several) for each in found
        ]
    }
    for index, value in enumerate(sweep.values):
        rows = [next((point.row for point in each.points if point.value == value), None) for each in found]
        times = [None if row is None else _other(row) for row in rows]
        rates = column([sweep.shown(time) for time in times])
        over = one_line(sweep.parameter) if index == 0 else ""
        columns[Heading(f"point {index}", (over, one_line(str(value))), name=sweep.at(value))] = [
            f"{rate}{_share(row) or '     '}" if any(times) else "" for rate, row in zip(rates, rows, strict=True)
        ]
    return _tabular(title, columns, [block_name(each, several) for each in found], f"{sweep.shown_words}.")


def _tabular(title: str, columns: Mapping[Heading, Sequence[str]], blocks: Sequence[str], unit: str = "") -> Tabular:
    headings, tabulated_blocks = tabulated(columns, ["ranked"] * len(blocks), Counter(blocks))
    return Tabular(
        title=f"{title}: the other speed",
        caption=f"{CAPTION} {unit}".strip(),
        headings=headings,
        blocks=tabulated_blocks,
    )
