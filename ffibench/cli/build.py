"""`ffibench build`: all bindings, ahead of a run."""

from __future__ import annotations

import sys
from typing import Any

import click

from ffibench.cli import _options
from ffibench.cli._help import GroupedCommand, option


@click.command(cls=GroupedCommand, short_help="Build the bindings ahead of a run.")
@click.argument("experiments", nargs=-1, metavar="[EXPERIMENT]...")
@_options.contestants
@_options.library
@_options.runtimes
@_options.kinds
@option("--force", is_flag=True, help="Build again what the cache has.")
def command(experiments: tuple[str, ...], force: bool, **options: Any) -> None:  # noqa: ANN401 (as options say)
    """Build the bindings of every EXPERIMENT, of all experiments if none is named, and print where they are.

    If a build fails the others go on; what the compiler said is printed once, and the exit status is 1. An experiment
    that nobody named is left out where its packages are not here, which an extra of ffibench brings.
    """
    from ffibench.catalog import experiment_names
    from ffibench.cli._progress import progress
    from ffibench.errors import MissingExtraError
    from ffibench.report.terminal.console import console
    from ffibench.workflow.prepare import prepare

    out, errors = console(), console(stderr=True)
    contestants = _options.contestant_options(options)
    failed = False
    for name in experiments or experiment_names():
        try:
            with progress(errors) as observe:
                prepared = prepare(name, contestants, force=force, observe=observe)
        except MissingExtraError as error:
            if experiments:
                raise
            errors.print(f"{name} is left out: {error}", soft_wrap=True)
            continue
        built = [(candidate.contestant.name, path) for candidate, path in prepared.chosen if path is not None]
        width = max((len(contestant) for contestant, _ in built), default=0)
        for contestant, path in built:
            out.print(f"{contestant:<{width}}  {path}", soft_wrap=True)
        named = {name for failure in prepared.failures for name in failure.contestants}
        for unavailable in prepared.unavailable:
            if unavailable.contestant.name not in named:
                errors.print(f"{unavailable.contestant.name} cannot take part: {unavailable.reason}", soft_wrap=True)
        failed = failed or bool(prepared.unavailable)
    sys.exit(failed)
