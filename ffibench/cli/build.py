"""`ffibench build`: all shims, ahead of a run."""

from __future__ import annotations

import sys
from typing import Any

import click

from ffibench.cli import _options


@click.command(short_help="Build the shims ahead of a run.")
@click.argument("experiments", nargs=-1, metavar="[EXPERIMENT]...")
@click.option("--force", is_flag=True, help="Build again what was built before.")
@_options.contestants
@_options.library
@_options.pythons
@_options.kinds
def command(experiments: tuple[str, ...], force: bool, **options: Any) -> None:  # noqa: ANN401 (as options say)
    """Build the shims of every EXPERIMENT, of all where none is named.

    Where one fails the others go on; the compiler's message is printed and the exit status is 1.
    """
    from ffibench.catalog import experiment_names
    from ffibench.cli._progress import progress
    from ffibench.report.terminal.console import console
    from ffibench.workflow.prepare import prepare

    out, errors = console(), console(stderr=True)
    contestants = _options.contestant_options(options)
    failed = False
    for name in experiments or experiment_names():
        with progress(errors) as observe:
            prepared = prepare(name, contestants, force=force, observe=observe)
        for candidate, artifact in prepared.chosen:
            if artifact is not None:
                out.print(f"{candidate.contestant.name}  {artifact}", soft_wrap=True)
        named = {name for failure in prepared.failures for name in failure.contestants}
        for unavailable in prepared.unavailable:
            if unavailable.contestant.name not in named:
                errors.print(f"{unavailable.contestant.name} cannot take part: {unavailable.reason}", soft_wrap=True)
        failed = failed or bool(prepared.unavailable)
    sys.exit(failed)
