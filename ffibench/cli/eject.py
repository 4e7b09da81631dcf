"""`ffibench eject EXPERIMENT CONTESTANT DIR`: a contestant as files, to edit and run beside ffibench's own."""

from __future__ import annotations

import shlex
from typing import Any

import click

from ffibench.cli import _options
from ffibench.cli._help import GroupedCommand


@click.command(cls=GroupedCommand, short_help="Write a contestant's loop, binding and build, to edit and run.")
@click.argument("experiment")
@click.argument("contestant")
@click.argument("folder", metavar="DIR")
@_options.library
@_options.kinds
@_options.measured_calls
@_options.parameters
def command(experiment: str, contestant: str, folder: str, **options: Any) -> None:  # noqa: ANN401 (as options say)
    """Write CONTESTANT of EXPERIMENT into DIR: its loop, its binding's source and build, to edit.

    DIR is an experiment: `ffibench run DIR` measures the original contestants, and the one in DIR as `~mine` beside
    them. Before it is edited the two do the same.
    """
    from ffibench.cli._folders import run_command
    from ffibench.workflow.eject import eject

    written = eject(experiment, contestant, folder, _options.contestant_options(options))
    click.echo(f"{folder}: {written.contestant}, to be edited:")
    for name in written.files:
        click.echo(f"  {name}")
    both = " ".join(f"-c {shlex.quote(name)}" for name in (written.original, written.contestant))
    click.echo(f"Measure both: {run_command(folder)} {both}")
