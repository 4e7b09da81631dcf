"""`ffibench kinds HEADER`: how each parameter of a header crosses, which bindings can, and what else it could be."""

from __future__ import annotations

import click

from ffibench.cli import _options
from ffibench.cli._help import CONTESTANTS, SHOWN, GroupedCommand, option


@click.command(cls=GroupedCommand, short_help="Show how the functions of a C header cross, and through which bindings.")
@click.argument("header")
@option(
    "--function",
    "functions",
    group=SHOWN,
    multiple=True,
    metavar="GLOB",
    help="Show only the functions of this name; repeatable.",
)
@option(
    "--library",
    group=CONTESTANTS,
    metavar="FILE",
    help="Name the functions that this library, a file or a name that the loader finds, does not export.",
)
@_options.kinds
def command(header: str, functions: tuple[str, ...], library: str | None, kinds: tuple[tuple[str, str], ...]) -> None:
    """Show for each function of HEADER how its parameters and its result cross the boundary.

    HEADER is a file, or a name that the compiler finds, such as zlib.h. Nothing is built. Functions that cannot be
    bound stand together at the end, with the reason and what helps.
    """
    from ffibench.report.terminal.console import console
    from ffibench.report.terminal.kinds import kinds_screen
    from ffibench.workflow.kinds import header_kinds

    console().print(kinds_screen(header_kinds(header, functions=functions, kinds=dict(kinds), library=library)))
