"""`ffibench shims HEADER --binding NAME DIR`: a binding of a header to take home."""

from __future__ import annotations

import click

from ffibench.cli import _options
from ffibench.cli._help import CONTESTANTS, GroupedCommand, option


@click.command(cls=GroupedCommand, short_help="Write a binding of a C header to take home: source, build, README.")
@click.argument("header")
@click.argument("folder", metavar="DIR")
@option(
    "--binding",
    group=CONTESTANTS,
    required=True,
    metavar="NAME",
    help="The binding: nanobind, 'pybind11~nogil', cffi-api, xs; `ffibench list xsub` shows all.",
)
@option(
    "--function",
    "functions",
    group=CONTESTANTS,
    multiple=True,
    metavar="GLOB",
    help="Bind only the functions of this name; repeatable.",
)
@_options.library
@_options.kinds
def command(
    header: str,
    folder: str,
    binding: str,
    functions: tuple[str, ...],
    library: str | None,
    kinds: tuple[tuple[str, str], ...],
) -> None:
    """Write into DIR the binding that ffibench makes of HEADER, to install and to go on from.

    It has all functions that can be bound; the others are named with the reason, here and in its README. No file in DIR
    names a folder of this machine.
    """
    from ffibench.workflow.shims import write_shims

    written = write_shims(header, binding, folder, library=library, functions=functions, kinds=dict(kinds))
    for name, reason in written.left_out.items():
        click.echo(f"Not bound: {name}: {reason}", err=True)
    more = f", {len(written.left_out)} left out" if written.left_out else ""
    click.echo(f"{folder}: the module {written.module} with {len(written.functions)} functions{more}")
    click.echo(f"Install it: {written.install}")
    if written.environment:
        click.echo(f"A program that imports it finds the library here with {written.environment}")
