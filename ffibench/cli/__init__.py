"""The command line: one file a command, which parses into typed options, calls the workflow and prints."""

from __future__ import annotations

import errno
import os
import signal
import sys
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import click

from ffibench import __version__
from ffibench.cli._help import WIDTH_MAX, Context
from ffibench.errors import FfibenchError
from ffibench.interrupts import INTERRUPTS

READER_GONE = 128 + signal.SIGPIPE
WRITE_ERRORS = {errno.EPIPE, errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
"""Of write(2), where no file is named: those of files are reported where they are written."""


class Commands(click.Group):
    """Finds a command by the file that binds it to the name `command`; imports it when it is asked for."""

    context_class = Context

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the files."""
        return sorted(module.name for module in iter_modules(__path__) if not module.name.startswith("_"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one file."""
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = import_module(f"{__name__}.{cmd_name}").command
        return command

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 (as click has it)
        """Print a user's mistake as a sentence; end with the status that shells expect.

        After an interrupt, and where nobody reads the output any more, that is 128 and the signal's number.
        """
        with INTERRUPTS.raised():
            try:
                return self._invoke_and_print(ctx)
            except OSError as error:
                if error.errno not in WRITE_ERRORS or error.filename is not None:
                    raise
                _give_up_output()
                if INTERRUPTS.came:  # a terminal that is closed sends SIGHUP, and then takes nothing more
                    sys.exit(INTERRUPTS.status)
                if error.errno == errno.EPIPE:
                    sys.exit(READER_GONE)
                click.echo(f"Error: cannot write the output: {error.strerror}", err=True)
                sys.exit(1)

    def _invoke_and_print(self, ctx: click.Context) -> Any:  # noqa: ANN401 (as click has it)
        try:
            return super().invoke(ctx)
        except FfibenchError as error:
            click.echo(f"Error: {error}", err=True)
            sys.exit(error.status)
        except KeyboardInterrupt:
            click.echo(f"Interrupted by {INTERRUPTS.number.name}.", err=True)
            sys.exit(INTERRUPTS.status)
        finally:
            sys.stdout.flush()  # at Python's own exit it would be too late to tell


def _give_up_output() -> None:
    """Send what cannot be written nowhere, since Python would try again at its exit."""
    for stream in (sys.__stdout__, sys.__stderr__):  # what a progress line puts in their place may be there still
        if stream is None:
            continue
        try:
            stream.flush()
        except OSError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)


HELP = """Measure what it costs to call native code from another language, through each of its bindings.

Every contestant does the same work, which is verified from outside of its process, and is compared with C.

\b
  ffibench run xsub --quick     a first look, about 15 seconds
  ffibench list xsub            the contestants, and what can run here
  ffibench doctor               what is missing here, and how to install it
"""


@click.group(
    cls=Commands,
    help=HELP,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": WIDTH_MAX},
)
@click.version_option(__version__, "--version", "-V", prog_name="ffibench")
def cli() -> None:
    """Run a command."""
