"""The console that a report is printed to."""

from __future__ import annotations

import codecs
import sys
from typing import TextIO

from rich.console import Console

from ffibench.report.terminal.layout import WIDTH_MAX

_PLAIN = {
    "\N{EN DASH}": "-",
    "\N{EM DASH}": "-",
    "\N{MINUS SIGN}": "-",
    "\N{BOX DRAWINGS LIGHT HORIZONTAL}": "-",
    "\N{HORIZONTAL ELLIPSIS}": "...",
    "\N{GREATER-THAN OR EQUAL TO}": ">=",
    "\N{LESS-THAN OR EQUAL TO}": "<=",
    "\N{PLUS-MINUS SIGN}": "+-",
    "\N{MULTIPLICATION SIGN}": "x",
    "\N{MICRO SIGN}": "u",
    "\N{RIGHT SINGLE QUOTATION MARK}": "'",
}
_ERRORS = "ffibench.report.plain"


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leave it to the command to end; rich would do so with status 1, in the middle of a report."""
        raise  # noqa: PLE0704 (rich calls this where it has caught the error)


def console(stderr: bool = False, file: TextIO | None = None) -> Console:
    """Give a console as wide as its terminal, or 100 columns wide where it is none.

    rich leaves out colours and control characters where there is no terminal, and honours NO_COLOR.
    What the stream's encoding lacks is written in plain characters.
    """
    stream = file or (sys.stderr if stderr else sys.stdout)
    codecs.register_error(_ERRORS, _plain)
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None and getattr(stream, "errors", None) == "strict":
        reconfigure(errors=_ERRORS)
    width = None if stream.isatty() else WIDTH_MAX
    return _Console(stderr=stderr, file=file, width=width, highlight=False, markup=False, emoji=False)


def _plain(error: UnicodeError) -> tuple[str, int]:
    """Replace what an encoding lacks, the dash by a hyphen, the unknown by `?`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(_PLAIN.get(char, "?") for char in lacking), error.end
