"""The console that a report is printed to, and the whole report."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Sequence
from typing import TextIO

from rich.console import Console, RenderableType
from rich.text import Text

from ffibench.model import Comparison, Run
from ffibench.report.audit import audit_tables
from ffibench.report.matrix import matrix as matrix_tables
from ffibench.report.processes import shell_table
from ffibench.report.terminal.chart import sweep_charts
from ffibench.report.terminal.footer import footer
from ffibench.report.terminal.layout import WIDTH_MAX
from ffibench.report.terminal.table import stacked, summary_table
from ffibench.results.gate import Judgement

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


def print_report(
    console: Console,
    run: Run,
    comparison: Comparison,
    *,
    rate: int | None = None,
    matrix: bool = False,
    shell: bool = False,
    verbose: bool = False,
    judgements: Sequence[Judgement] = (),
) -> None:
    """Print the summary, the charts of a sweep, the tables asked for and the facts of a run.

    `rate`, in operations a second, adds the share of a core; `matrix` each row against each other;
    `shell` the figures of whole processes; `verbose` the native functions that each contestant called;
    `judgements` are what is said of the gates.
    """
    parts: list[RenderableType] = [Text("No round was finished: there is nothing to tabulate.")]
    if comparison.rows:
        parts = [summary_table(run, comparison.rows, rate), *sweep_charts(run, comparison.rows)]
    if matrix:
        parts += matrix_tables(run, comparison.rows)
    if shell and (processes := shell_table(run, comparison.rows)):
        parts.append(processes)
    if verbose and run.audits:
        parts.append(audit_tables(run.plan, run.audits))
    console.print(stacked([*parts, footer(run, comparison, judgements)]))


def _plain(error: UnicodeError) -> tuple[str, int]:
    """Replace what an encoding lacks, the dash by a hyphen, the unknown by `?`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(_PLAIN.get(char, "?") for char in lacking), error.end
