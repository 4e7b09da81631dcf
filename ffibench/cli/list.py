"""`ffibench list`: experiments, their cases and contestants, and whether each can run here."""

from __future__ import annotations

from typing import Any

import click

from ffibench.cli import _options
from ffibench.cli._help import GroupedCommand


@click.command(cls=GroupedCommand, short_help="List the experiments, or the contestants of one.")
@click.argument("experiments", nargs=-1, metavar="[EXPERIMENT]...")
@_options.runtimes
def command(experiments: tuple[str, ...], **given: Any) -> None:  # noqa: ANN401 (as click gives them)
    """List the experiments, one a line; of each EXPERIMENT that is named its cases, parameters and contestants.

    A contestant that cannot run here is listed with the reason and the command that installs what is missing.
    """
    from ffibench.catalog import candidates, experiment_names, find_experiment
    from ffibench.report.terminal.console import console
    from ffibench.report.terminal.list import listing, overview
    from ffibench.report.terminal.table import stacked

    folders = [find_experiment(name) for name in experiments or experiment_names()]
    requested = _options.contestant_options(given).requested
    found = [(folder, candidates(folder, requested, patterns=("*",))) for folder in folders]
    console().print(stacked([listing(*each) for each in found]) if experiments else overview(found))
