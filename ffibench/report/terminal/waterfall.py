"""Bars that begin where the one above ended, on one linear scale from 0."""

from __future__ import annotations

from dataclasses import dataclass

from rich.text import Text

FULL = "\N{FULL BLOCK}"
PLAIN = "="
LESS = "\N{BOX DRAWINGS LIGHT HORIZONTAL}"
"""Of a part that takes something off: drawn thin, from its end back to where the one above ended."""
PLAIN_LESS = "-"
POINT = "\N{BOX DRAWINGS LIGHT VERTICAL}"
PLAIN_POINT = "|"


@dataclass(frozen=True)
class Step:
    """One bar, from `start` to `end`, in the unit of the scale; `end` may be the smaller one."""

    start: float
    end: float
    style: str

    @property
    def high(self) -> float:
        """The larger of its two ends."""
        return max(self.start, self.end)


@dataclass(frozen=True)
class Waterfall:
    """From values to columns of the terminal: 0 at the left edge, `top` at the right."""

    top: float
    width: int
    ascii_only: bool = False

    def bar(self, step: Step) -> Text:
        """Draw one bar, of one column at the least."""
        scale = self.width / self.top if self.top > 0 else 0.0
        low, high = sorted((max(step.start, 0.0) * scale, max(step.end, 0.0) * scale))
        columns = round(high) - round(low)
        text = Text(" " * min(round(low), self.width - 1), no_wrap=True)
        if columns < 1:
            body = PLAIN_POINT if self.ascii_only else POINT
        elif step.end < step.start:
            body = (PLAIN_LESS if self.ascii_only else LESS) * columns
        elif self.ascii_only:
            body = PLAIN * columns
        else:
            body = FULL * columns
        text.append(body, style=step.style)
        return text
