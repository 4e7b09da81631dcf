"""`ffibench source EXPERIMENT CONTESTANT`: all that a binding's maintainer needs to say "you used it wrong"."""

from __future__ import annotations

from typing import Any

import click

from ffibench.cli import _options
from ffibench.cli._help import SHOWN, GroupedCommand, option


@click.command(cls=GroupedCommand, short_help="Print a contestant's loop, binding, compiler flags and versions.")
@click.argument("experiment")
@click.argument("contestant")
@_options.library
@_options.runtimes
@_options.kinds
@_options.measured_calls
@_options.parameters
@option("--verbose", "-v", group=SHOWN, is_flag=True, help="Print the C that a generator makes of the binding, too.")
def command(experiment: str, contestant: str, verbose: bool, **options: Any) -> None:  # noqa: ANN401 (as options say)
    """Print the loop of CONTESTANT in EXPERIMENT, its generated binding, the compiler's commands and the versions.

    What a generator such as Cython or cffi makes of the binding, thousands of lines of C, is named only.
    """
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
            out.print(sources(candidate, artifact, prepared.library, verbose=verbose), soft_wrap=True)
