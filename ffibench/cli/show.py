"""`ffibench show FILE`: the table of a run file again."""

from __future__ import annotations

from typing import Any

import click

from ffibench.cli._report import read_output_options, report_options, show


@click.command(short_help="Print the table of a run file again.")
@click.argument("file", required=False)
@report_options
def command(file: str | None, **options: Any) -> None:  # noqa: ANN401 (click gives what the options above say)
    """Print the table of a run FILE again, also of one that was interrupted; without a FILE, of the last run."""
    from ffibench.results.gate import require_gates
    from ffibench.workflow.result import load

    shown = read_output_options(options)
    require_gates(show(load(file), shown))
