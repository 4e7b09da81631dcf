"""The command line: one file a command, which parses into typed options, calls the workflow and prints."""

from __future__ import annotations

import errno
import signal
import sys
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import click

from ffibench import __version__
from ffibench.cli._help import WIDTH_MAX, Context
from ffibench.cli._streams import OutputError, give_up
from ffibench.errors import FfibenchError, of_system
from ffibench.interrupts import INTERRUPTS

READER_GONE = 128 + signal.SIGPIPE


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

    def main(self, *arguments: Any, **options: Any) -> Any:  # noqa: ANN401 (as click has it)
        """Run the command line; end with a sentence where its output cannot be written, the help too.

        Where nobody reads it any more, the status is 128 and the signal's number.
        """
        try:
            return super().main(*arguments, **options)
        except OutputError as error:
            give_up()
            if INTERRUPTS.came:  # a terminal that is closed sends SIGHUP, and then takes nothing more
                sys.exit(INTERRUPTS.status)
            if error.number == errno.EPIPE:
                sys.exit(READER_GONE)
            fix = "give it another place with > FILE; `ffibench show` prints the last run again"
            click.echo(f"Error: cannot write the output: {error}; {fix}", err=True)
            sys.exit(1)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 (as click has it)
        """Print a user's mistake, and what this machine lacks, as a sentence.

        After an interrupt the status is 128 and the signal's number.
        """
        with INTERRUPTS.raised():
            try:
                return super().invoke(ctx)
            except KeyboardInterrupt:
                click.echo(f"Interrupted by {INTERRUPTS.number.name}.", err=True)
                sys.exit(INTERRUPTS.status)
            except Exception as error:
                told = error if isinstance(error, FfibenchError) else of_system(error)
                if told is None:
                    raise
                click.echo(f"Error: {told}", err=True)
                sys.exit(told.status)
            finally:
                sys.stdout.flush()  # at Python's own exit it would be too late to tell


HELP = """Measure what it costs to call native code from another language, through each of its bindings.

Every contestant does the same work, which is verified from outside of its process, and is compared with C.

\b
  ffibench run xsub --quick     a first look, about 15 seconds
  ffibench run calls            every shape of a call through every binding
  ffibench run foo.h --library libfoo.so --call 'foo_add(1, 2)'    your own
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
