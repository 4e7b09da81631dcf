"""`ffibench new FOLDER HEADER`: an experiment of a header, to run, to edit and to keep."""

from __future__ import annotations

from typing import Any

import click

from ffibench.cli import _options
from ffibench.cli._help import GroupedCommand


@click.command(cls=GroupedCommand, short_help="Write an experiment's folder of a header, a library and calls.")
@click.argument("folder")
@click.argument("header")
@_options.library
@_options.kinds
@_options.measured_calls
@_options.parameters
def command(folder: str, header: str, **options: Any) -> None:  # noqa: ANN401 (click gives what the options above say)
    """Write into FOLDER the experiment that HEADER, its --library and calls are; `ffibench run` takes the folder.

    HEADER is a file, or a name that the compiler finds, such as zlib.h; it stays where it is. Without --call a few
    functions are chosen that take numbers and texts alone and answer each time alike.
    """
    from ffibench.cli._folders import run_command
    from ffibench.workflow.new import new_folder

    written = new_folder(folder, header, _options.contestant_options(options))
    for expression, reason in written.left_out.items():
        click.echo(f"Left out: {expression}: {reason}", err=True)
    count = len(written.calls)
    click.echo(f"{folder}: an experiment of {count} call{'s'[: count != 1]} of {header}:")
    for call in written.calls:
        click.echo(f"  {call.expression}")
    click.echo(f"Measure it: {run_command(folder)}")
