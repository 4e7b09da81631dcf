"""Throughput over the values of a parameter, as the series of a chart: which lines, and their values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ffibench.model import BASELINE, CONTROL, Row, Run
from ffibench.report.names import row_names
from ffibench.report.sweep import Sweep, sweep_title, sweeps
from ffibench.report.table import Heading, Tabular, one_line, tabulated
from ffibench.results.scaling import Scaling
from ffibench.units import column

FEW = 5
"""So many contestants are all drawn."""

_Named = tuple[str, Scaling]
"""What the legend calls it, and its points."""


@dataclass(frozen=True)
class Series:
    """A line of a chart: a rate for each of its values, in its unit; None where nothing was measured."""

    name: str
    rates: tuple[float | None, ...]


@dataclass(frozen=True)
class Chart:
    """Rates over the values of a parameter, the series with the highest last rate first."""

    title: str
    caption: tuple[str, ...]
    """The unit in words, and which lines were chosen; a drawing may add to it."""
    parameter: str
    values: tuple[str, ...]
    series: tuple[Series, ...]

    def rates(self) -> list[float]:
        """Give all rates that there are."""
        return [rate for each in self.series for rate in each.rates if rate is not None]

    def table(self) -> Tabular:
        """Give the same as a table, a row a value of the parameter, for a format that cannot draw."""
        headings, blocks = tabulated(
            {
                Heading("value", (self.parameter,)): list(self.values),
                **{
                    Heading(f"series {number}", (each.name,)): column(each.rates)
                    for number, each in enumerate(self.series)
                },
            },
            ["ranked"] * len(self.values),
            {"": len(self.values)},
        )
        return Tabular(title=self.title, caption=f"{', '.join(self.caption)}.", headings=headings, blocks=blocks)


def charts_of(run: Run, rows: Sequence[Row]) -> list[Chart]:
    """Give for each role a chart of the baseline's series, and one of the series that most contestants run."""
    names, _ = row_names(rows)
    several_roles = len({row.role for row in rows}) > 1
    charts: list[Chart] = []
    for sweep in sweeps(run, rows):
        title = sweep_title(run, sweep, several_roles)
        drawn = [each for each in sweep.scalings if _drawable(each) and each.contestant != CONTROL]
        own = [(one_line(each.series), each) for each in drawn if each.contestant == BASELINE]
        if len(own) > 1:
            charts.append(_chart(f"{title}: {BASELINE}", sweep, own))
        by_series = [[each for each in drawn if each.series == line.series] for _, line in own]
        most = max(by_series, key=len, default=[])
        if len(most) > 1 or len(own) == 1:
            lines = [(names[each.contestant, each.interpreter], each) for each in most]
            several = f": {one_line(most[0].series)}" if len(own) > 1 else ""
            few = lines if len(lines) <= FEW else _fastest(lines)
            said = ["the fastest of each block and interpreter"] if len(few) < len(lines) else []
            charts.append(_chart(f"{title}{several}", sweep, few, said))
    return charts


def _drawable(scaling: Scaling) -> bool:
    return sum(point.ns is not None for point in scaling.points) > 1


def _chart(title: str, sweep: Sweep, lines: Sequence[_Named], said: Sequence[str] = ()) -> Chart:
    return Chart(
        title=title,
        caption=(f"{sweep.words} a second", *said),
        parameter=one_line(sweep.parameter),
        values=tuple(one_line(str(value)) for value in sweep.values),
        series=tuple(Series(name, _rates(sweep, scaling)) for name, scaling in sorted(lines, key=_last_ns)),
    )


def _rates(sweep: Sweep, scaling: Scaling) -> tuple[float | None, ...]:
    by_value = {point.value: point for point in scaling.points}
    return tuple(sweep.rate(by_value.get(value)) for value in sweep.values)


def _fastest(lines: Iterable[_Named]) -> list[_Named]:
    """Choose the fastest of each block under each interpreter: more lines lie on each other."""
    best: dict[tuple[str, str], _Named] = {}
    for line in sorted(lines, key=_last_ns):
        best.setdefault((line[1].block, line[1].interpreter), line)
    return list(best.values())


def _last_ns(line: _Named) -> float:
    return next((point.ns for point in reversed(line[1].points) if point.ns is not None), 0.0)
