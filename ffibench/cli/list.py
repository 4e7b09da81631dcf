"""`ffibench list`: experiments, their cases and contestants, and whether each can run here."""

from __future__ import annotations

import click

from ffibench.cli import _options


@click.command(short_help="Show the experiments and their contestants.")
@click.argument("experiments", nargs=-1, metavar="[EXPERIMENT]...")
@_options.pythons
def command(experiments: tuple[str, ...], pythons: tuple[str, ...]) -> None:
    """Show every EXPERIMENT, all where none is named: its cases, parameters and contestants.

    What cannot run here is shown with the reason and the command that mends it.
    """
    from ffibench.catalog import candidates, experiment_names, find_experiment
    from ffibench.report.terminal.console import console
    from ffibench.report.terminal.list import listing
    from ffibench.report.terminal.table import stacked

    folders = [find_experiment(name) for name in experiments or experiment_names()]
    console().print(stacked([listing(folder, candidates(folder, pythons)) for folder in folders]))
