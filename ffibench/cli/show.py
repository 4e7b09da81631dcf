"""`ffibench show FILE`: the table of a run file again."""

from __future__ import annotations

import sys
from typing import Any

import click

from ffibench.cli import _options
from ffibench.cli._help import SHOWN, GroupedCommand
from ffibench.cli._report import read_output_options, report_options, show


@click.command(cls=GroupedCommand, short_help="Print the table of a run file again.")
@click.argument("file", required=False)
@_options.chosen_cases(SHOWN, "Print the full tables of these cases")
@report_options
def command(file: str | None, **options: Any) -> None:  # noqa: ANN401 (click gives what the options above say)
    """Print the table of a run FILE again, also of an interrupted run; without a FILE, of the last run.

    Receipts, libraries and native calls are judged again from what was measured, whatever the file says of them.

    The exit status is 1 if a row is not valid or a --gate fails.
    """
    from ffibench.results.gate import require_gates
    from ffibench.workflow.result import load

    output = read_output_options(options)
    result = load(file)
    require_gates(show(result, output))
    sys.exit(0 if result.valid else 1)
