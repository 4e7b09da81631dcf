"""The options of `run` and `show` that say how a run is shown and where it is exported to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ffibench.cli import _options
from ffibench.report.exports import exports
from ffibench.workflow.output import STANDARD_OUTPUT
from ffibench.workflow.report import Showing


def report_options(command: Any) -> Any:  # noqa: ANN401 (as click decorates)
    """Add the options of a report, one for every export among them."""
    for export in reversed(list(exports().values())):
        command = click.option(
            f"--export-{export.name}",
            *export.aliases,
            f"export_{export.name}",
            metavar="FILE",
            help=f"Write {export.help}; - is standard output.",
        )(command)
    for option in (
        click.option(
            "--gate",
            "gates",
            multiple=True,
            type=_options.Threshold(),
            help="End with status 1 where the baseline's throughput at the most of a swept parameter is under FACTOR "
            "times that at the first value, in this series or any; CONTESTANT:SERIES=FACTOR is another's; repeatable.",
        ),
        click.option(
            "--verbose",
            "-v",
            is_flag=True,
            help="Print which native functions each contestant called, and what workers then say.",
        ),
        click.option("--shell", is_flag=True, help="Print real, user and system seconds of whole processes."),
        click.option("--matrix", is_flag=True, help="Print each row against each other, in percent."),
        click.option(
            "--rate", type=_options.Count(10**12), help="Add the share of a core that so many operations a second cost."
        ),
    ):
        command = option(command)
    return command


def read_showing(options: dict[str, Any]) -> Showing:
    """Take the options of a report out of a command's. Raises FfibenchError where a file cannot be written."""
    from ffibench.results.store import check_writable

    named = {name: options.pop(f"export_{name}") for name in exports()}
    files = {name: file for name, file in named.items() if file is not None}
    for file in files.values():
        if file != STANDARD_OUTPUT:
            check_writable(Path(file))
    return Showing(
        rate=options.pop("rate"),
        matrix=options.pop("matrix"),
        shell=options.pop("shell"),
        verbose=options.pop("verbose"),
        gates=options.pop("gates"),
        files=files,
    )
