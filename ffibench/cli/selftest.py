"""`ffibench selftest`: contestants whose cost is known, through the whole tool."""

from __future__ import annotations

import sys

import click

from ffibench.cli import _options
from ffibench.workflow.output import check_json

RUNS_MAX = 1_000


@click.command(short_help="Measure what is known, and say whether it comes out.")
@click.option(
    "--aa",
    "runs",
    type=_options.Count(RUNS_MAX),
    metavar="N",
    help="Instead, N whole runs of one C program against itself: how often it is told apart from itself.",
)
@click.option(
    "--seed", type=_options.Count(10**15, zero=True), help="Of the order of the contestants; drawn where not given."
)
@click.option("--json", "file", metavar="FILE", help="Write all figures as JSON; - is standard output.")
def command(runs: int | None, seed: int | None, file: str | None) -> None:
    """Measure contestants whose cost is known with real processes, clocks and statistics, and print what came out.

    Takes about half a minute. The exit status is 1 where an answer is contradicted, and 130 after an
    interrupt. A host that is too busy makes an answer inconclusive, which leaves the status 0.
    """
    check_json(file)
    if runs is not None:
        from ffibench.workflow.aa import aa

        sys.exit(aa(runs, seed, file))
    from ffibench.workflow.selftest import selftest

    sys.exit(selftest(seed, file))
