"""The live view: the table so far and how long the run may still take, drawn on a terminal between two rounds.

It is drawn only when it is told to, never by a thread or a timer: what the harness does while a worker runs, it does
on the worker's machine. So it does not follow a resize at once either; the next drawing takes that into account.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from ffibench.model import Progress
from ffibench.report.terminal.live_table import first_lines, lines_of

ERASE_LINE = "\x1b[2K"
CURSOR_UP = "\x1b[1A"


class LiveView:
    """Redraws itself in place on a console, and is erased by `close` or at the end of a `with` block.

    `title` is its heading; `rounds_max` is shown in the first round, where it is known. Nothing is drawn where the
    console is not a terminal, or is one without cursor control.
    """

    def __init__(self, console: Console, title: str = "", rounds_max: int | None = None) -> None:
        self._console = console
        self._title = title
        self._rounds_max = rounds_max
        # FORCE_COLOR makes rich take any file for a terminal; a file has no lines that could be drawn again.
        self._draws = console.is_interactive and console.file.isatty()
        self._drawn: list[int] = []
        """The width of each line that stands on the terminal. The cursor is on the empty line below them."""

    def __enter__(self) -> LiveView:
        """Open it."""
        self.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def open(self) -> None:
        """Show what the first round does, of which there are no figures yet."""
        self._draw(first_lines(self._title, self._rounds_max, self._console.options))

    def update(self, progress: Progress) -> None:
        """Show how far the run is. To be called between rounds."""
        self._draw(lines_of(progress, self._title, self._console.options))

    def close(self) -> None:
        """Erase what is drawn."""
        self._draw([])

    def _draw(self, lines: Sequence[Text]) -> None:
        """Replace what is drawn, in one write, so that nothing flickers."""
        if not self._draws:
            return
        try:
            with self._console.capture() as rendered:
                for line in lines:
                    self._console.print(line, no_wrap=True, overflow="ignore", crop=False)
            text = self._erasing() + rendered.get()
            self._drawn = [cell_len(line.plain) for line in lines]
            self._console.file.write(text)
            self._console.file.flush()
        except OSError:  # a terminal that was closed must not end a run that goes well
            self._draws = False

    def _erasing(self) -> str:
        """Return the codes that erase the drawn lines, and what was typed below them, such as `^C`.

        A terminal that became narrower has wrapped them.
        """
        width = self._console.width
        rows = sum(max(1, -(-cells // width)) for cells in self._drawn)
        return f"\r{ERASE_LINE}" + (CURSOR_UP + ERASE_LINE) * rows
