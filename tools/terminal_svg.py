"""Draw the report of a run as a terminal shows it: `terminal_svg.py RUN_FILE OUT.svg [COLUMNS [TITLE]]`."""

from __future__ import annotations

import io
import sys
from pathlib import Path

from rich.console import Console

from ffibench.errors import FfibenchError
from ffibench.model import Run
from ffibench.report.report import make_report
from ffibench.report.terminal.report import print_report
from ffibench.results.compare import compare
from ffibench.results.store import load

WIDTH = 110
"""Columns of the terminal where nothing else is asked for: enough for the bars."""


def picture(run: Run, width: int = WIDTH, title: str = "") -> str:
    """Return the report as SVG. The same run gives the same text, so that a diff shows what changed."""
    # Colours as in a terminal, whatever the environment of this process says about its own.
    console = Console(
        record=True,
        file=io.StringIO(),
        width=width,
        force_terminal=True,
        color_system="truecolor",
        no_color=False,
        highlight=False,
        markup=False,
        emoji=False,
    )
    print_report(console, make_report(run, compare(run)))
    experiment = run.plan.experiment
    return console.export_svg(title=title or f"ffibench run {experiment}", unique_id=f"ffibench-{experiment}")


def main(arguments: list[str]) -> int:
    """Read the run file, write the picture, return the exit status."""
    if not 2 <= len(arguments) <= 4 or not all(columns.isdecimal() for columns in arguments[2:3]):
        print("usage: python tools/terminal_svg.py RUN_FILE OUT.svg [COLUMNS [TITLE]]", file=sys.stderr)
        return 2
    source, target = map(Path, arguments[:2])
    width = int(arguments[2]) if arguments[2:] else WIDTH
    try:
        target.write_text(picture(load(source), width, "".join(arguments[3:])), encoding="utf-8")
    except (FfibenchError, OSError) as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
