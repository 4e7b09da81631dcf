"""Throughput over the values of a parameter as a small chart of characters, drawn by plotext, without colours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.columns import Columns
from rich.console import ConsoleOptions, Group, RenderableType
from rich.text import Text

from ffibench.model import BASELINE, CONTROL, Row, Run
from ffibench.report.names import row_names
from ffibench.report.sweep import Sweep, sweep_title, sweeps
from ffibench.report.table import one_line
from ffibench.report.terminal.axis import axis_of
from ffibench.report.terminal.layout import Fitted
from ffibench.results.scaling import Point, Scaling

MARKS = "ox*+#%@&"
"""One for each line: more lines than these cannot be told apart."""
BETWEEN = "\N{MIDDLE DOT}"
"""Joins the points of a line."""

FEW = 5
"""So many contestants are all drawn."""

WIDTH_MAX = 80
WIDTH_MIN = 40
"""On a narrower terminal there is no chart."""
HEIGHT = 14
TICKS_MAX = 9
"""Values of the parameter that are written under the chart."""

PLAIN = str.maketrans("\N{MIDDLE DOT}\u2502\u2500\u2524\u2514\u252c", ".|-++-")
"""What plotext draws with, for an encoding without lines."""

Line = tuple[str, Scaling]
"""What the legend calls it, and its points."""


def sweep_charts(run: Run, rows: Sequence[Row]) -> list[RenderableType]:
    """Draw for each role the baseline's series, and the contestants in the series that most of them run."""
    names, _ = row_names(rows)
    several_roles = len({row.role for row in rows}) > 1
    charts: list[RenderableType] = []
    for sweep in sweeps(run, rows):
        title = sweep_title(run, sweep, several_roles)
        drawn = [each for each in sweep.scalings if _drawable(each) and each.contestant != CONTROL]
        own = [(one_line(each.series), each) for each in drawn if each.contestant == BASELINE]
        if len(own) > 1:
            charts.append(_shown(f"{title}: {BASELINE}", sweep, own))
        by_series = [[each for each in drawn if each.series == line.series] for _, line in own]
        most = max(by_series, key=len, default=[])
        if len(most) > 1 or len(own) == 1:
            lines = [(names[each.contestant, each.interpreter], each) for each in most]
            several = f": {one_line(most[0].series)}" if len(own) > 1 else ""
            few = lines if len(lines) <= FEW else _fastest(lines)
            said = ["the fastest of each block and interpreter"] if len(few) < len(lines) else []
            charts.append(_shown(f"{title}{several}", sweep, few, said))
    return charts


def _drawable(scaling: Scaling) -> bool:
    return sum(point.ns is not None for point in scaling.points) > 1


def _shown(title: str, sweep: Sweep, lines: Sequence[Line], said: Sequence[str] = ()) -> Fitted:
    chosen = sorted(lines, key=_last_ns)[: len(MARKS)]
    parts = [f"{sweep.words} a second", *said]
    if axis_of([rate for _, line in chosen for point in line.points if (rate := sweep.rate(point))]).logarithmic:
        parts.append("on a logarithmic scale")
    if len(chosen) < len(lines):
        parts.append(f"{len(chosen)} of {len(lines)} lines")

    def build(options: ConsoleOptions) -> RenderableType:
        if options.max_width < WIDTH_MIN:
            return Text("Left out for want of room: the chart.", style="dim")
        drawing = drawn(sweep, [line for _, line in chosen], min(options.max_width, WIDTH_MAX))
        return Group(
            Text(title, style="bold", overflow="fold"),
            Text(f"{', '.join(parts)}.", style="dim", overflow="fold"),
            Text(""),
            Text(drawing.translate(PLAIN) if options.ascii_only else drawing, no_wrap=True, overflow="crop"),
            Text(""),
            Columns([Text(f"{mark}  {name}") for mark, (name, _) in zip(MARKS, chosen, strict=False)], (0, 4)),
        )

    return Fitted(build)


def _fastest(lines: Iterable[Line]) -> list[Line]:
    """Choose the fastest of each block under each interpreter: more lines lie on each other."""
    best: dict[tuple[str, str], Line] = {}
    for line in sorted(lines, key=_last_ns):
        best.setdefault((line[1].block, line[1].interpreter), line)
    return list(best.values())


def _last_ns(line: Line) -> float:
    return next((point.ns for point in reversed(line[1].points) if point.ns is not None), 0.0)


def drawn(sweep: Sweep, scalings: Sequence[Scaling], width: int) -> str:
    """Draw lines over the points of a sweep, which stand at equal distances."""
    import plotext  # here, since no table needs it

    plotext.terminal.limit(False, False)  # the width is the console's, and a pipe has no height
    figure = plotext.figure
    figure.clear()
    figure.theme("colorless")
    figure.plot_size(width, HEIGHT)
    figure.axes(False, side=1)
    rates = [[sweep.rate(point) for point in _along(sweep, each)] for each in scalings]
    axis = axis_of([rate for line in rates for rate in line if rate is not None])
    for line in rates:  # first what joins the marks, so that the marks come over it
        for stretch in _stretches(line):
            places, heights = zip(*((place, axis.height(rate)) for place, rate in stretch), strict=True)
            figure.draw(figure.signal(places, heights, marker=BETWEEN).lines())
    for line, mark in reversed(list(zip(rates, MARKS, strict=False))):  # the first ones come over the last
        known = [(place, axis.height(rate)) for place, rate in enumerate(line) if rate is not None]
        figure.draw(figure.signal(*zip(*known, strict=True), marker=mark))
    written = _places(len(sweep.values))
    figure.ruler("x").lim(0, len(sweep.values) - 1)
    figure.ruler("x").ticks(written, [one_line(str(sweep.values[place])) for place in written])
    figure.ruler("y").lim(axis.height(axis.low), axis.height(axis.high))
    figure.ruler("y").ticks([axis.height(tick) for tick in axis.ticks], axis.labels())
    figure.label(one_line(sweep.parameter), "x")
    text: str = figure.build().string(colorless=True)
    return "\n".join(row.rstrip() for row in text.splitlines())


def _along(sweep: Sweep, scaling: Scaling) -> list[Point | None]:
    by_value = {point.value: point for point in scaling.points}
    return [by_value.get(value) for value in sweep.values]


def _stretches(line: Sequence[float | None]) -> Iterator[list[tuple[int, float]]]:
    """Split a line where it has no figure: what lies on both sides of a gap is not joined."""
    stretch: list[tuple[int, float]] = []
    for index, rate in enumerate(line):
        if rate is not None:
            stretch.append((index, rate))
        elif stretch:
            yield stretch
            stretch = []
    if stretch:
        yield stretch


def _places(count: int) -> list[int]:
    """Choose the points whose values are written: the first, the last, and others evenly between."""
    if count <= TICKS_MAX:
        return list(range(count))
    return [round(step * (count - 1) / (TICKS_MAX - 1)) for step in range(TICKS_MAX)]
