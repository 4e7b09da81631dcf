"""`ffibench doctor`: what a run needs, what of it is here, and the command that installs the rest."""

from __future__ import annotations

import sys

import click

from ffibench.cli._help import GroupedCommand


@click.command(cls=GroupedCommand, short_help="Check what a run needs, and print how to install what is missing.")
def command() -> None:
    """Check compilers, interpreters, headers, libraries and how quiet the host is.

    For each thing that is missing the command that installs it is printed. The exit status is 1 if a run would not be
    whole without it.
    """
    from ffibench.report.terminal.console import console
    from ffibench.report.terminal.doctor import Checklist
    from ffibench.workflow.doctor import findings

    found = list(findings())
    console().print(Checklist(found), soft_wrap=True)
    sys.exit(any(finding.missing for finding in found))
