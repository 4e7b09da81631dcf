"""Throughput over the values of a parameter as a small chart of characters, drawn by plotext, without colours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.columns import Columns
from rich.console import ConsoleOptions, Group, RenderableType
from rich.text import Text

from ffibench.report.charts import Chart
from ffibench.report.terminal.axis import axis_of
from ffibench.report.terminal.layout import Fitted

MARKS = "ox*+#%@&"
"""One for each line: more lines than these cannot be told from each other."""
BETWEEN = "\N{MIDDLE DOT}"
"""Joins the points of a line."""

WIDTH_MAX = 80
WIDTH_MIN = 40
"""On a narrower terminal there is no chart."""
HEIGHT = 14
TICKS_MAX = 9
"""Values of the parameter that are written under the chart."""

PLAIN = str.maketrans("\N{MIDDLE DOT}\u2502\u2500\u2524\u2514\u252c", ".|-++-")
"""What plotext draws with, for an encoding without lines."""


def drawn_chart(chart: Chart) -> Fitted:
    """Draw a chart under its title, with a legend; as many lines as there are marks."""
    names = [each.name for each in chart.series[: len(MARKS)]]
    parts = [*chart.caption]
    if axis_of(chart.rates()).logarithmic:
        parts.append("on a logarithmic scale")
    if len(names) < len(chart.series):
        parts.append(f"{len(names)} of {len(chart.series)} lines")

    def build(options: ConsoleOptions) -> RenderableType:
        if options.max_width < WIDTH_MIN:
            return Text("hidden (terminal too narrow): the chart", style="dim", overflow="fold")
        drawing = drawn(chart, min(options.max_width, WIDTH_MAX))
        return Group(
            Text(chart.title, style="bold", overflow="fold"),
            Text(f"{', '.join(parts)}.", style="dim", overflow="fold"),
            Text(""),
            Text(drawing.translate(PLAIN) if options.ascii_only else drawing, no_wrap=True, overflow="crop"),
            Text(""),
            Columns([Text(f"{mark}  {name}") for mark, name in zip(MARKS, names, strict=False)], (0, 4)),
        )

    return Fitted(build)


def drawn(chart: Chart, width: int) -> str:
    """Draw lines over the points of a sweep, which stand at equal distances."""
    import plotext  # here, since no table needs it

    plotext.terminal.limit(False, False)  # the width is the console's, and a pipe has no height
    figure = plotext.figure
    figure.clear()
    figure.theme("colorless")
    figure.plot_size(width, HEIGHT)
    figure.axes(False, side=1)
    rates = [each.rates for each in chart.series[: len(MARKS)]]
    axis = axis_of([rate for line in rates for rate in line if rate is not None])
    for line in rates:  # first what joins the marks, so that the marks come over it
        for stretch in _stretches(line):
            places, heights = zip(*((place, axis.height(rate)) for place, rate in stretch), strict=True)
            figure.draw(figure.signal(places, heights, marker=BETWEEN).lines())
    for line, mark in reversed(list(zip(rates, MARKS, strict=False))):  # the first ones come over the last
        known = [(place, axis.height(rate)) for place, rate in enumerate(line) if rate is not None]
        figure.draw(figure.signal(*zip(*known, strict=True), marker=mark))
    written = _places(len(chart.values))
    figure.ruler("x").lim(0, len(chart.values) - 1)
    figure.ruler("x").ticks(written, [chart.values[place] for place in written])
    figure.ruler("y").lim(axis.height(axis.low), axis.height(axis.high))
    figure.ruler("y").ticks([axis.height(tick) for tick in axis.ticks], axis.labels())
    figure.label(chart.parameter, "x")
    text: str = figure.build().string(colorless=True)
    return "\n".join(row.rstrip() for row in text.splitlines())


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
