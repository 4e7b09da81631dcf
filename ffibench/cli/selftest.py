"""`ffibench selftest`: contestants whose cost is known, through the whole tool."""

from __future__ import annotations

import sys

import click

from ffibench.cli import _options
from ffibench.cli._help import EFFORT, GroupedCommand, option
from ffibench.cli._output import STANDARD_OUTPUT, check_json, write_json
from ffibench.interrupts import INTERRUPTS

RUNS_MAX = 1_000


@click.command(cls=GroupedCommand, short_help="Measure known costs, to check this tool.")
@option(
    "--aa",
    "runs",
    group=EFFORT,
    type=_options.Count(RUNS_MAX),
    help="Instead, do N whole runs of one C program against itself, and count the false differences.",
)
@_options.seed
@_options.json_file("all figures")
def command(runs: int | None, seed: int | None, file: str | None) -> None:
    """Measure contestants whose cost is known, with real processes, clocks and statistics, and compare.

    Takes about half a minute. The exit status is 1 if a known answer is contradicted, and 130 after Ctrl-C. A host that
    is too busy makes an answer inconclusive, which leaves the status 0.
    """
    check_json(file)
    sys.exit(_selftest(seed, file) if runs is None else _aa(runs, seed, file))


def _selftest(seed: int | None, file: str | None) -> int:
    """Carry the selftest out, print it, and return the exit status."""
    from ffibench.cli._progress import progress
    from ffibench.report.terminal.console import console
    from ffibench.report.terminal.selftest import selftest_report
    from ffibench.workflow.selftest import selftest

    with progress(console(stderr=True)) as observe:
        answers = selftest(seed, observe=observe)
    console(stderr=file == STANDARD_OUTPUT).print(selftest_report(answers))
    write_json(answers, file)
    return INTERRUPTS.status if answers.interrupted else int(answers.count("contradicted") > 0)


def _aa(runs: int, seed: int | None, file: str | None) -> int:
    """Carry the A/A runs out, print what they say together, and return the exit status."""
    from ffibench.cli._progress import progress
    from ffibench.report.terminal.aa import aa_report
    from ffibench.report.terminal.console import console
    from ffibench.selftest.aa import SECONDS_MAX
    from ffibench.units import format_seconds
    from ffibench.workflow.aa import aa

    errors = console(stderr=True)
    each = f"{runs} run{'s' if runs > 1 else ''} of at most {SECONDS_MAX:g} s"
    errors.print(f"{each}: {format_seconds(runs * SECONDS_MAX)} at the most, less where nothing else runs.")
    with progress(errors) as observe:
        summary = aa(runs, seed, observe=observe)
    console(stderr=file == STANDARD_OUTPUT).print(aa_report(summary))
    write_json(summary, file)
    if summary.interrupted:
        return INTERRUPTS.status
    return int(any(tally.verdict == "contradicted" for tally in summary.tallies))
