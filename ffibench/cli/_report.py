"""How a run is shown and where it is exported to: the options of `run` and `show`, and the printing."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ffibench.cli import _options
from ffibench.cli._help import CHECKS, FILES, SHOWN, option
from ffibench.cli._output import STANDARD_OUTPUT
from ffibench.cli._streams import require_output
from ffibench.errors import FfibenchError
from ffibench.report.exports import exports

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ffibench.report.report import Report
    from ffibench.results.gate import Judgement
    from ffibench.workflow.options import OutputOptions
    from ffibench.workflow.result import Result


def report_options(command: Any) -> Any:  # noqa: ANN401 (as click decorates)
    """Add the options of a report, one for every export among them."""
    for export in reversed(list(exports().values())):
        command = option(
            f"--export-{export.name}",
            *export.aliases,
            f"export_{export.name}",
            group=FILES,
            metavar="FILE",
            help=f"Write {export.help}; - is standard output.",
        )(command)
    for each in (
        option(
            "--gate",
            "gates",
            group=CHECKS,
            multiple=True,
            type=_options.Threshold(),
            help="Exit with status 1 unless the throughput of C at the last value of a sweep is FACTOR times that at "
            "the first, in SERIES or in all; CONTESTANT:SERIES=FACTOR checks another contestant; repeatable.",
        ),
        option(
            "--verbose",
            "-v",
            group=SHOWN,
            is_flag=True,
            help="Print all facts and tables, the native functions called, and what workers write to standard error.",
        ),
        option("--shell", group=SHOWN, is_flag=True, help="Print real, user and system seconds of whole processes."),
        option("--matrix", group=SHOWN, is_flag=True, help="Print each row compared with each other row, in percent."),
        option(
            "--net", group=SHOWN, is_flag=True, help="In a grid of several cases, print ns/op net of the empty loop."
        ),
        option(
            "--ratio",
            group=SHOWN,
            is_flag=True,
            help="In a grid, print the ratio to C; where C takes 10 ns or less, the overhead.",
        ),
        option(
            "--reference",
            group=SHOWN,
            default="",
            show_default=False,
            metavar="NAME",
            help="In a grid, print the ratio to this contestant, whose own is 1.00.",
        ),
        option(
            "--rate",
            group=SHOWN,
            type=_options.Count(10**12),
            help="Print the share of a core that N operations a second cost.",
        ),
    ):
        command = each(command)
    return command


def read_output_options(given: dict[str, Any]) -> OutputOptions:
    """Take the options of a report out of a command's. Raises FfibenchError where there is no place to write it."""
    from ffibench.report.options import ReportOptions
    from ffibench.results.store import check_writable
    from ffibench.workflow.options import OutputOptions

    require_output()
    named = {name: given.pop(f"export_{name}") for name in exports()}
    files = {name: file for name, file in named.items() if file is not None}
    for file in files.values():
        if file != STANDARD_OUTPUT:
            check_writable(Path(file))
    names = ("rate", "matrix", "shell", "verbose", "cases", "net", "ratio", "reference")
    report = ReportOptions(**{name: given.pop(name) for name in names})
    return OutputOptions(report=report, gates=given.pop("gates"), files=files)


def show(result: Result, options: OutputOptions) -> list[Judgement]:
    """Print the report and write the exports; return what is said of the gates.

    The report goes to standard error where an export takes standard output. Raises FfibenchError, before anything is
    printed, for a gate that the run can neither meet nor fail.
    """
    from ffibench.report.terminal.console import console
    from ffibench.report.terminal.report import print_report
    from ffibench.results.gate import judge_all

    judgements = judge_all(result.run, result.comparison, options.gates)
    report = result.report(options.report, judgements)
    try:
        print_report(console(stderr=STANDARD_OUTPUT in options.files.values()), report)
    finally:  # the files are written also where nobody reads the report to its end
        _export(report, options.files)
    return judgements


def _export(report: Report, files: Mapping[str, str]) -> None:
    from ffibench.results.store import write

    for name, file in files.items():
        text = exports()[name].text(report)
        if file == STANDARD_OUTPUT:
            sys.stdout.write(text)
            continue
        try:
            write(text.encode(), Path(file))
        except OSError as error:
            raise FfibenchError(
                f"cannot write {file}: {error.strerror}",
                fix=f"use `ffibench show --export-{name} FILE` to write it elsewhere",
            ) from None
