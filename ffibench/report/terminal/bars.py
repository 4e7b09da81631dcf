"""A bar a row: the ratio to the baseline on a logarithmic scale, its interval as a whisker.

One scale for the whole table, with 1x at the left edge: equal lengths are equal factors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from rich.text import Text

from ffibench.report.table import Line, Span

WIDTH_MIN = 16
"""In less room the whiskers of a usual run are no more than a point."""
WIDTH_MAX = 44

TITLE = "ratio, log scale"
TICKS = (1, 1.5, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 200, 500, 1000, 2000, 5000, 10_000)


@dataclass(frozen=True)
class _Signs:
    """What a bar is drawn with."""

    body: str
    low: str
    between: str
    high: str
    point: str


SIGNS = _Signs(
    body="\N{BOX DRAWINGS HEAVY HORIZONTAL}",
    low="\N{BOX DRAWINGS LIGHT VERTICAL AND RIGHT}",
    between="\N{BOX DRAWINGS LIGHT HORIZONTAL}",
    high="\N{BOX DRAWINGS LIGHT VERTICAL AND LEFT}",
    point="\N{BLACK CIRCLE}",
)
PLAIN = _Signs(body="=", low="|", between="-", high="|", point="o")


@dataclass(frozen=True)
class Scale:
    """From ratios to columns of the terminal: 1x, and what is less, in the first, `top` in the last."""

    top: float
    width: int

    def place(self, ratio: float) -> int:
        """Give the column of a ratio, from 0."""
        share = log(max(ratio, 1.0)) / log(self.top)
        return min(self.width - 1, round(share * (self.width - 1)))

    def ticks(self) -> str:
        """Write round ratios at their columns, as many as have room."""
        text = ""
        for tick in TICKS:
            label = f"{tick:g}x"
            start = self.place(tick) - (len(label) - 1 if tick > 1 else 0)
            if tick <= self.top and (not text or start > len(text) + 1):
                text = f"{text:<{start}}{label}"
        return text


def scale_of(lines: Sequence[Line], room: int) -> Scale | None:
    """Choose the scale of a table's bars; None where there is nothing to draw or no room for it."""
    tops = [line.span.high for line in lines if line.span is not None]
    if room < WIDTH_MIN or len(tops) < 2 or max(tops) <= 1.05:
        return None
    return Scale(top=max(tops), width=min(room, WIDTH_MAX))


def bar(span: Span | None, scale: Scale, style: str, *, ascii_only: bool) -> Text:
    """Draw one bar: its body up to the interval, the interval around the estimate."""
    text = Text(no_wrap=True)
    if span is None:
        return text
    signs = PLAIN if ascii_only else SIGNS
    low, point, high = (scale.place(ratio) for ratio in (span.low, span.ratio, span.high))
    whisker = [signs.between] * (high - low + 1)
    whisker[0], whisker[-1] = signs.low, signs.high
    whisker[point - low] = signs.point
    text.append(signs.body * low, style=style or "dim")
    text.append("".join(whisker), style=style)
    return text
