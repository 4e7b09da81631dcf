"""How a run is shown and where it is exported to: the options of `run` and `show`, and their carrying out."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from msgspec import Struct

from ffibench.cli import _options
from ffibench.cli._output import STANDARD_OUTPUT
from ffibench.errors import FfibenchError
from ffibench.model import Comparison, Run
from ffibench.report.exports import exports
from ffibench.report.options import ReportOptions
from ffibench.report.report import Report
from ffibench.results.gate import Gate, Judgement, judge_all


class Showing(Struct, frozen=True, kw_only=True):
    """What the user wants to see of a run, and the files that it is exported to, by format."""

    rate: int | None
    matrix: bool
    shell: bool
    verbose: bool
    cases: tuple[str, ...]
    gates: tuple[Gate, ...]
    files: Mapping[str, str]


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
        cases=(),
        gates=options.pop("gates"),
        files=files,
    )


def show(run: Run, comparison: Comparison, showing: Showing) -> list[Judgement]:
    """Print the report and write the exports; return what is said of the gates.

    The report gives way where an export takes standard output. Raises FfibenchError, before anything is printed, for
    a gate that the run can neither meet nor fail.
    """
    from ffibench.report.report import make_report
    from ffibench.report.terminal.console import console
    from ffibench.report.terminal.report import print_report

    judgements = judge_all(run, comparison, showing.gates)
    options = ReportOptions(
        rate=showing.rate, matrix=showing.matrix, shell=showing.shell, verbose=showing.verbose, cases=showing.cases
    )
    report = make_report(run, comparison, options, judgements)
    try:
        print_report(console(stderr=STANDARD_OUTPUT in showing.files.values()), report)
    finally:  # the files are written also where nobody reads the report to its end
        _export(report, showing)
    return judgements


def _export(report: Report, showing: Showing) -> None:
    from ffibench.results.store import write

    for name, file in showing.files.items():
        text = exports()[name].text(report)
        if file == STANDARD_OUTPUT:
            sys.stdout.write(text)
            continue
        try:
            write(text.encode(), Path(file))
        except OSError as error:
            raise FfibenchError(
                f"cannot write {file}: {error.strerror}",
                fix=f"`ffibench show --export-{name} FILE` writes it elsewhere",
            ) from None
