"""How a run is shown and where it is exported to."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from ffibench.errors import FfibenchError
from ffibench.model import Comparison, Run
from ffibench.report.exports import exports
from ffibench.results.gate import Gate, Judgement, judge_all
from ffibench.workflow.output import STANDARD_OUTPUT


class Showing(Struct, frozen=True, kw_only=True):
    """What the user wants to see of a run, and the files that it is exported to, by format."""

    rate: int | None
    matrix: bool
    shell: bool
    verbose: bool
    gates: tuple[Gate, ...]
    files: Mapping[str, str]


def show(run: Run, comparison: Comparison, showing: Showing) -> list[Judgement]:
    """Print the report and write the exports; return what is said of the gates.

    The report gives way where an export takes standard output. Raises FfibenchError, before anything is printed, for
    a gate that the run can neither meet nor fail.
    """
    from ffibench.report.terminal.console import console, print_report

    judgements = judge_all(run, comparison, showing.gates)
    try:
        print_report(
            console(stderr=STANDARD_OUTPUT in showing.files.values()),
            run,
            comparison,
            rate=showing.rate,
            matrix=showing.matrix,
            shell=showing.shell,
            verbose=showing.verbose,
            judgements=judgements,
        )
    finally:  # the files are written also where nobody reads the report to its end
        _export(run, comparison, showing)
    return judgements


def _export(run: Run, comparison: Comparison, showing: Showing) -> None:
    from ffibench.results.store import write

    for name, file in showing.files.items():
        text = exports()[name].text(run, comparison, showing.rate)
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
