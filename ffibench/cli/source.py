"""`ffibench source EXPERIMENT CONTESTANT`: all that a binding's maintainer needs to say "you used it wrong"."""

from __future__ import annotations

from typing import Any

import click

from ffibench.cli import _options


@click.command(short_help="Show a contestant's loop, shim, flags and versions.")
@click.argument("experiment")
@click.argument("contestant")
@_options.library
@_options.pythons
@_options.kinds
def command(experiment: str, contestant: str, **options: Any) -> None:  # noqa: ANN401 (as options say)
    """Show the loop of CONTESTANT in EXPERIMENT, its shim as generated, the compiler's commands and the versions."""
    from ffibench.cli._progress import progress
    from ffibench.report.terminal.console import console
    from ffibench.report.terminal.source import sources
    from ffibench.workflow.prepare import prepare

    with progress(console(stderr=True)) as observe:
        prepared = prepare(experiment, _options.contestant_options(options, contestants=(contestant,)), observe=observe)
    for failure in prepared.failures:
        raise failure.error
    out = console()
    for candidate, artifact in prepared.chosen:
        if candidate.contestant.name == contestant:
            out.print(sources(candidate, artifact, prepared.library), soft_wrap=True)
