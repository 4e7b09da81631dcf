"""`ffibench show FILE`: the table of a run file again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ffibench.cli._report import read_showing, report_options


@click.command(short_help="Print the table of a run file again.")
@click.argument("file", required=False)
@report_options
def command(file: str | None, **options: Any) -> None:  # noqa: ANN401 (click gives what the options above say)
    """Print the table of a run FILE again, also of one that was interrupted; without a FILE, of the last run."""
    from ffibench.results.compare import compare
    from ffibench.results.gate import require_gates
    from ffibench.results.store import last_run, load
    from ffibench.workflow.report import show

    showing = read_showing(options)
    run = load(last_run() if file is None else Path(file))
    require_gates(show(run, compare(run), showing))
