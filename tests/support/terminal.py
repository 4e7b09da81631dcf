"""A terminal on a page: it keeps what a stream of text and control codes leaves on its screen."""

from __future__ import annotations

import io
import re
import time

from rich.console import Console, ConsoleDimensions

TOKEN = re.compile(r"\x1b\[(?P<count>[0-9;?]*)(?P<code>[A-Za-z])|(?P<char>.)", re.DOTALL)


class Screen(io.StringIO):
    """A terminal of `width` by `height`; what scrolls off its top is in `scrolled`."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__()
        self.width, self.height = width, height
        self.console: Console | None = None
        self.scrolled: list[str] = []
        self._rows = [""]
        self._continued = [False]
        self._row = self._column = 0
        self.written: list[tuple[int, str]] = []
        """Each write with its time on the monotonic clock, in nanoseconds."""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if text:  # rich writes empty texts too, which draw nothing
            self.written.append((time.monotonic_ns(), text))
        for match in TOKEN.finditer(text):
            self._take(match)
        return len(text)

    @property
    def shown(self) -> list[str]:
        """The lines of the screen, without the empty ones at its end."""
        lines = [row.rstrip() for row in self._rows]
        while lines and not lines[-1]:
            lines.pop()
        return lines

    def resize(self, width: int, height: int) -> None:
        """Wrap and unwrap the lines, as most terminals do; the cursor stays in its line."""
        assert not any(self._rows[self._row + 1 :]), "the cursor has to be in the last line"
        del self._rows[self._row + 1 :], self._continued[self._row + 1 :]
        lines: list[str] = []
        for row, continued in zip(self._rows, self._continued, strict=True):
            if continued:
                lines[-1] += row
            else:
                lines.append(row)
        self.width, self.height = width, height
        if self.console is not None:
            self.console.size = ConsoleDimensions(width, height)
        self._rows, self._continued = [], []
        for line in lines:
            pieces = [line[start : start + width] for start in range(0, len(line), width)] or [""]
            self._rows += pieces
            self._continued += [False, *[True] * (len(pieces) - 1)]
        self._row, self._column = len(self._rows) - 1, len(lines[-1]) % width
        self._scroll()

    def _take(self, match: re.Match[str]) -> None:
        char = match["char"]
        if char == "\n":
            self._row, self._column = self._row + 1, 0
            if self._row == len(self._rows):
                self._add(continued=False)
        elif char == "\r":
            self._column = 0
        elif char is not None:
            self._put(char)
        elif match["count"] == "?25":
            pass  # the cursor is shown or hidden
        elif match["code"] == "A":
            self._row = max(0, self._row - int(match["count"] or 1))
        elif match["code"] == "K":
            assert match["count"] == "2"
            self._rows[self._row], self._continued[self._row] = "", False
        else:
            assert match["code"] == "m", f"{match[0]!r} is not known"

    def _put(self, char: str) -> None:
        if self._column == self.width:
            self._row, self._column = self._row + 1, 0
            if self._row == len(self._rows):
                self._add(continued=True)
        row = self._rows[self._row].ljust(self._column)
        self._rows[self._row] = row[: self._column] + char + row[self._column + 1 :]
        self._column += 1

    def _add(self, *, continued: bool) -> None:
        self._rows.append("")
        self._continued.append(continued)
        self._scroll()

    def _scroll(self) -> None:
        while len(self._rows) > self.height:
            self.scrolled.append(self._rows.pop(0))
            self._continued.pop(0)
            self._row -= 1


def console_on(screen: Screen, *, no_color: bool = False) -> Console:
    """A console that draws on a screen and follows its size."""
    screen.console = Console(
        file=screen,
        force_terminal=True,
        width=screen.width,
        height=screen.height,
        highlight=False,
        markup=False,
        color_system="standard",
        no_color=no_color,
    )
    return screen.console
