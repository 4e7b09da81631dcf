"""`ffibench explain`: where the time of a crossing goes, of an experiment's contestants or of a program's calls."""

from __future__ import annotations

import sys
from typing import Any

import click

from ffibench.cli import _options
from ffibench.cli._beside import DASHES, BesideCommand
from ffibench.cli._help import COUNTED, EFFORT, SHOWN, option
from ffibench.cli._output import STANDARD_OUTPUT, check_json, write_json
from ffibench.errors import FfibenchError

EXAMPLE = "ffibench explain xsub python/cffi-api"
PROGRAM_EXAMPLE = "ffibench explain --library 'libz*' --header zlib.h --from python/ctypes -- python app.py"
USAGE = 2
"""The exit status for a mistake in the command line, as click has it."""

SHARED = ("contestants", "pythons", "programs", "kinds", "rounds", "seed")
"""The options of a plan that both ways have."""

OF_COMMAND = {"header": "header", "binding": "from", "callers": "caller", "runs": "runs"}
OF_EXPERIMENT = {"parameters": "set", "calls": "call", "setup": "setup", "teardown": "teardown", "cases": "case"}


@click.command(
    cls=BesideCommand,
    words="EXPERIMENT [CONTESTANT]...",
    short_help="Show where the time of a crossing goes, or what a program's crossings cost.",
)
@click.argument("words", nargs=-1, metavar="")
@option(
    "--library",
    "libraries",
    group=COUNTED,
    multiple=True,
    metavar="GLOB",
    help="Of a COMMAND: count the calls into shared libraries of this name, such as 'libz*'; repeatable. "
    "Of an EXPERIMENT: the path of the library under test.",
)
@option("--header", group=COUNTED, metavar="HEADER", help="Of a COMMAND: the C header that declares what it calls.")
@option("--from", "binding", group=COUNTED, metavar="BINDING", help="The binding that the COMMAND uses: python/ctypes.")
@option(
    "--caller",
    "callers",
    group=COUNTED,
    multiple=True,
    metavar="GLOB",
    help="Price only the calls that come from files of this name, such as 'libffi*'; repeatable.",
)
@option(
    "--runs",
    group=COUNTED,
    type=_options.Count(100),
    help="Time the COMMAND in N pairs of runs, with the count and without, whose output is thrown away.  [default: 3]",
)
@_options.chosen_cases(SHOWN, "Explain only these cases")
@_options.contestants
@_options.runtimes
@_options.kinds
@_options.measured_calls
@_options.parameters
@option("--quick", "mode", group=EFFORT, flag_value="quick", help="A first look: 6 to 10 rounds.")
@option("--rigorous", "mode", group=EFFORT, flag_value="rigorous", help="Minutes: 30 rounds or more.")
@option("--rounds", group=EFFORT, type=_options.Count(10_000), help="Do exactly N rounds.")
@_options.seed
@_options.json_file("the parts and the sums")
@click.pass_obj
def command(
    program: tuple[str, ...],
    /,
    words: tuple[str, ...],
    libraries: tuple[str, ...],
    file: str | None,
    **given: Any,  # noqa: ANN401 (click gives what the options above say)
) -> None:
    """Add up where the time of a crossing goes.

    Of an EXPERIMENT: for each CONTESTANT, a name or a glob of generated bindings, the loop, a call with so many
    integers, what each argument and the result cost more than an integer, the lock, and the native work. Each is
    measured in the same rounds as the contestant, so that the sum can be compared with the whole.

    Of a COMMAND: its calls into the libraries are counted from outside and priced by their declarations: what crossing
    costs it now, in seconds and as a share of its time, and what it would cost through each other binding of the
    language. The COMMAND runs several times; its output is that of the first run, and the report goes to standard
    error.
    """
    check_json(file)
    if program or not words:
        _check_command(program, words, libraries, given)
        sys.exit(_explain_command(program, libraries, given, file))
    _check_experiment(libraries, given)
    _explain_experiment(words[0], words[1:], next(iter(libraries), None), given, file)


def _check_command(
    program: tuple[str, ...], words: tuple[str, ...], libraries: tuple[str, ...], given: dict[str, Any]
) -> None:
    what = ""
    missing = {"--library": libraries, "--header": given["header"], "--from": given["binding"]}
    if not program:
        what = f"neither an experiment is named, nor does a command follow {DASHES}"
    elif words:
        what = f"{' '.join(words)!r} stands before {DASHES}"
    elif any(not value for value in missing.values()):
        what = f"{next(name for name, value in missing.items() if not value)} is missing"
    if what:
        example = PROGRAM_EXAMPLE if program else EXAMPLE
        raise FfibenchError(what, fix=f"write it as in `{example}`", status=USAGE)
    _refuse(given, OF_EXPERIMENT, "an experiment, not for a command", PROGRAM_EXAMPLE)


def _check_experiment(libraries: tuple[str, ...], given: dict[str, Any]) -> None:
    _refuse(given, OF_COMMAND, "a command, not for an experiment", EXAMPLE)
    if len(libraries) > 1:
        raise FfibenchError("an experiment has one library", fix="give --library PATH once", status=USAGE)


def _refuse(given: dict[str, Any], names: dict[str, str], whose: str, example: str) -> None:
    for name, option_name in names.items():
        if given[name]:
            raise FfibenchError(f"--{option_name} is for {whose}", fix=f"write it as in `{example}`", status=USAGE)


def _explain_experiment(
    experiment: str, contestants: tuple[str, ...], library: str | None, given: dict[str, Any], file: str | None
) -> None:
    from ffibench.cli._progress import progress
    from ffibench.plan.options import PlanOptions
    from ffibench.report.terminal.console import console
    from ffibench.report.terminal.explain import explain_screen
    from ffibench.workflow.explain import explain

    own = ("parameters", "cases", "calls", "setup", "teardown", "unchecked")
    values = _options.typed({name: given[name] for name in (*SHARED, *own)})
    values["contestants"] = (*contestants, *given["contestants"])
    options = PlanOptions(**values, library=library, mode=given["mode"] or "default")
    with progress(console(stderr=True)) as observe:
        found = explain(experiment, options, observe=observe)
    console(stderr=file == STANDARD_OUTPUT).print(explain_screen(found))
    write_json(found, file)


def _explain_command(
    program: tuple[str, ...], libraries: tuple[str, ...], given: dict[str, Any], file: str | None
) -> int:
    """Count, measure, show, write; return the program's exit status."""
    from ffibench.cli._progress import progress
    from ffibench.plan.options import PlanOptions
    from ffibench.report.terminal.console import console
    from ffibench.report.terminal.explain_program import program_screen
    from ffibench.workflow.explain_program import RUNS, ProgramOptions, count_program, price_program

    values = _options.typed({name: given[name] for name in SHARED})
    options = ProgramOptions(
        libraries=libraries,
        header=given["header"],
        binding=given["binding"],
        callers=given["callers"],
        runs=given["runs"] or RUNS,
        plan=PlanOptions(**values, mode=given["mode"] or "default"),
    )
    counted = count_program(program, options)  # the terminal is the program's meanwhile
    errors = console(stderr=True)
    with progress(errors) as observe:
        found = price_program(counted, options, observe=observe)
    errors.print(program_screen(found))
    write_json(found, file)
    return found.exit_status
