"""`ffibench doctor`: what a run needs, what of it is here, and the command that installs the rest."""

from __future__ import annotations

import sys

import click


@click.command(short_help="Say what is missing here, and how to install it.")
def command() -> None:
    """Look at interpreters, compilers, headers, libraries and the host's noise.

    For each thing that is missing, print the command that installs it. The exit status is 1 where a run
    cannot be whole without it.
    """
    from ffibench.report.terminal.console import console
    from ffibench.report.terminal.doctor import checklist
    from ffibench.workflow.doctor import findings

    found = list(findings())
    console().print(checklist(found))
    sys.exit(any(finding.missing for finding in found))
