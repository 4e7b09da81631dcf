"""`ffibench audit`: native calls counted from outside, of an experiment's contestants or of any program."""

from __future__ import annotations

import sys
from typing import Any

import click

from ffibench.cli import _options
from ffibench.cli._beside import DASHES, BesideCommand
from ffibench.cli._help import COUNTED, SHOWN, option
from ffibench.cli._output import STANDARD_OUTPUT, check_json, write_json
from ffibench.errors import FfibenchError

EXAMPLE = "ffibench audit --library 'libsqlite3*' -- python app.py"
USAGE = 2
"""The exit status for a mistake in the command line, as click has it."""

PAIRS = 6
"""The fewest pairs of runs that give a 95 % confidence interval."""

OF_COMMAND = {"callers": "callers", "pairs": "compare", "every": "every", "follow": "follow", "mangled": "no-demangle"}
OF_EXPERIMENT = {
    "contestants": "contestant",
    "parameters": "set",
    "pythons": "python",
    "programs": "with",
    "kinds": "kind",
    "calls": "call",
    "setup": "setup",
    "teardown": "teardown",
    "unchecked": "unchecked",
}


@click.command(
    cls=BesideCommand, words="EXPERIMENT", short_help="Count native calls, of contestants or of any program."
)
@click.argument("words", nargs=-1, metavar="")
@option(
    "--library",
    "libraries",
    group=COUNTED,
    multiple=True,
    metavar="GLOB",
    help="Of a COMMAND: count the calls into shared libraries of this name, such as 'libsqlite3*'; repeatable. "
    "Of an EXPERIMENT: the path of the library under test.",
)
@option(
    "--callers",
    group=COUNTED,
    is_flag=True,
    help="Tell which files the calls of a COMMAND come from: the program, an extension module, another library.",
)
@option(
    "--compare",
    "pairs",
    group=COUNTED,
    is_flag=False,
    flag_value=PAIRS,
    type=click.IntRange(min=1),
    metavar="[PAIRS]",
    help="Run the COMMAND in pairs, with the count and without, in random order, and print how much longer it took. "
    f"What these runs print is thrown away.  [default: {PAIRS}, the fewest for a 95 % CI]",
)
@option(
    "--every",
    group=COUNTED,
    type=click.FloatRange(min=0.1),
    metavar="SECONDS",
    help="While the COMMAND runs, print a line each time with the calls per second since the last one.",
)
@option(
    "--follow",
    group=COUNTED,
    is_flag=True,
    help="Count the processes that the COMMAND leaves running until they end, too. Ctrl-C ends the waiting.",
)
@option(
    "--no-demangle",
    "mangled",
    group=SHOWN,
    is_flag=True,
    help="Show the C++ functions of a COMMAND by the names that nm and perf know them by.",
)
@_options.json_file("the counts")
@_options.contestants
@_options.parameters
@_options.runtimes
@_options.kinds
@_options.measured_calls
@click.pass_obj
def command(
    program: tuple[str, ...],
    /,
    words: tuple[str, ...],
    libraries: tuple[str, ...],
    file: str | None,
    **given: Any,  # noqa: ANN401 (click gives what the options above say)
) -> None:
    """Count native calls from outside of the process: no header, no rebuild, no change of the program.

    Of an EXPERIMENT: the calls of each contestant, compared with what the experiment expects, as `ffibench run` does
    before its rounds. The exit status is 1 if a contestant is invalid.

    Of a COMMAND: its calls into the libraries, per function, with those of its threads and child processes. This works
    for a program in any language that the loader of glibc starts. Standard input and output, signals and the exit
    status are the program's; the counts go to standard error.

    While counting, LD_AUDIT, FFIBENCH_COUNT and GLIBC_TUNABLES are set in the program's environment, dladdr finds
    nothing for the address of a counted function, and each call takes some nanoseconds longer. The report ends with
    what was not counted.
    """
    check_json(file)
    if program or len(words) != 1:
        _check_command(program, words, libraries, given)
        sys.exit(_audit_command(program, libraries, given, file))
    _check_experiment(libraries, given)
    sys.exit(_audit_experiment(words[0], next(iter(libraries), None), given, file))


def _check_command(
    program: tuple[str, ...], words: tuple[str, ...], libraries: tuple[str, ...], given: dict[str, Any]
) -> None:
    if not program or words:
        what = f"{' '.join(words)!r} stands before {DASHES}" if program else f"no command follows {DASHES}"
        raise FfibenchError(what, fix=f"write the command after {DASHES}, as in `{EXAMPLE}`", status=USAGE)
    if not libraries:
        raise FfibenchError(
            "--library is missing, which says what to count", fix=f"add it, as in `{EXAMPLE}`", status=USAGE
        )
    for name, option_name in OF_EXPERIMENT.items():
        if given[name]:
            raise FfibenchError(
                f"--{option_name} is for an experiment, not for a command",
                fix=f"leave it out, as in `{EXAMPLE}`",
                status=USAGE,
            )


def _check_experiment(libraries: tuple[str, ...], given: dict[str, Any]) -> None:
    for name, option_name in OF_COMMAND.items():
        if given[name]:
            raise FfibenchError(
                f"--{option_name} is for a command, not for an experiment",
                fix=f"leave it out, or write `{EXAMPLE}`",
                status=USAGE,
            )
    if len(libraries) > 1:
        raise FfibenchError("an experiment has one library", fix="give --library PATH once", status=USAGE)


def _audit_experiment(experiment: str, library: str | None, given: dict[str, Any], file: str | None) -> int:
    """Count, show, write; return 1 where a contestant is invalid or unavailable."""
    from ffibench.cli._progress import progress
    from ffibench.plan.options import PlanOptions
    from ffibench.report.audit_table import audit_tables
    from ffibench.report.terminal.console import console
    from ffibench.report.terminal.table import drawn_tables
    from ffibench.workflow.audit import audit_experiment

    names = ("contestants", "pythons", "programs", "kinds", "parameters", "calls", "setup", "teardown", "unchecked")
    options = PlanOptions(**_options.typed({name: given[name] for name in names}), library=library)
    with progress(console(stderr=True)) as observe:
        found = audit_experiment(experiment, options, observe=observe)
    console(stderr=file == STANDARD_OUTPUT).print(drawn_tables(audit_tables(found.plan, found.audits)))
    write_json(found.audits, file)
    return 0 if found.valid else 1


def _audit_command(
    program: tuple[str, ...], libraries: tuple[str, ...], given: dict[str, Any], file: str | None
) -> int:
    """Count, show, write; return the program's exit status."""
    from ffibench.audit.command import CommandOptions, audit_command
    from ffibench.report.terminal.audit_command import drawn_audit
    from ffibench.report.terminal.audit_watching import Watching
    from ffibench.report.terminal.console import console

    pairs = given["pairs"] or 0
    options = CommandOptions(
        pairs=pairs,
        follow=given["follow"],
        demangle=not given["mangled"],
        callers=given["callers"],
        every_seconds=given["every"],
    )
    errors = console(stderr=True)
    watching = Watching(errors, pairs)
    audit = audit_command(program, libraries, options, watching)
    watching.close()
    errors.print(drawn_audit(audit))
    write_json(audit, file)
    return audit.exit_status
