"""`ffibench run EXPERIMENT`: measure, and print the table."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from ffibench.cli import _options
from ffibench.cli._help import CHECKS, EFFORT, PARAMETERS, SHOWN, option
from ffibench.cli._report import read_output_options, report_options, show
from ffibench.cli._roles import RolesCommand
from ffibench.interrupts import INTERRUPTS

if TYPE_CHECKING:
    from rich.console import Console

    from ffibench.model import Run
    from ffibench.workflow.options import OutputOptions, RunOptions
    from ffibench.workflow.result import Result


@click.command(cls=RolesCommand, short_help="Measure an experiment and print its table.")
@click.argument("experiment")
@_options.contestants
@_options.library
@_options.runtimes
@_options.kinds
@_options.measured_calls
@option("--quick", "mode", group=EFFORT, flag_value="quick", help="A first look: about 15 seconds, intervals of 5 %.")
@option("--rigorous", "mode", group=EFFORT, flag_value="rigorous", help="Minutes, intervals of 1 %.")
@option(
    "--precision",
    group=EFFORT,
    type=_options.Percent(),
    help="Stop when every 95 % interval is within this percentage of its row.  [default: 2]",
)
@option("--rounds", group=EFFORT, type=_options.Count(10_000), help="Do exactly N rounds, whatever the precision.")
@option(
    "--iterations",
    group=EFFORT,
    type=_options.Count(10**9),
    help="Iterations of a slice, the same for every contestant.",
)
@option("--slices", group=EFFORT, type=_options.Count(1_000), help="Timed slices in every process.")
@option("--warmup", group=EFFORT, type=_options.Count(1_000, zero=True), help="Warm-up slices in every process.")
@_options.seed
@option(
    "--timeout",
    "worker_seconds_max",
    group=EFFORT,
    type=click.FloatRange(0.1, 86_400),
    metavar="SECONDS",
    help="End a worker that takes longer.",
)
@_options.chosen_cases(PARAMETERS, "Measure only these cases, and print their full tables")
@_options.parameters
@option(
    "--sweep",
    group=PARAMETERS,
    type=_options.Pair("NAME=A,B,C"),
    metavar="NAME=A,B,C",
    help="Run at each of these values of a parameter, and show how the rate scales.",
)
@option(
    "--threads",
    group=PARAMETERS,
    metavar="N[,N...]",
    help="As --set threads=N: do generated loops by so many threads of each process at once; several are a sweep.",
)
@option(
    "--cold",
    group=SHOWN,
    is_flag=True,
    help="Measure and print what each of the first 1,000 calls of a process takes, before any warm-up.",
)
@option("--vary", group=PARAMETERS, metavar="ROLE", help="Of several roles vary this one; C plays the others.")
@option("--no-audit", group=CHECKS, is_flag=True, help="Do not count native calls before the timed rounds.")
@option(
    "--require-quiet",
    group=CHECKS,
    is_flag=True,
    help="Exit with status 3 if the host is noisy, before the first round or during the run.",
)
@option(
    "--costs",
    group=SHOWN,
    is_flag=True,
    help="Measure and print what each binding costs besides its calls: lines, compile time, size, import, memory.",
)
@report_options
@click.pass_obj
def command(roles: dict[str, str], /, experiment: str, **options: Any) -> None:  # noqa: ANN401 (click gives what the options above say)
    """Measure EXPERIMENT and print its table: a name that `ffibench list` shows, a folder of your own, or a C header.

    Of a header, --library names the library and each --call what is measured; no C has to be written.

    Every contestant does the same work in fresh processes, in random order, and is compared with C.

    The exit status is 1 if a row is not valid or a --gate fails, 3 if --require-quiet finds noise, and 130 after
    Ctrl-C, which keeps every finished round.
    """
    output = read_output_options(options)
    sys.exit(_run(experiment, _run_options(options, roles, output), output))


def _run_options(given: dict[str, Any], roles: dict[str, str], output: OutputOptions) -> RunOptions:
    """Make typed options of what click gives; a name of the options above is the name of its field."""
    from ffibench.catalog.threads import THREADS
    from ffibench.workflow.options import RunOptions

    values = _options.typed(given)
    values["audit"] = not values.pop("no_audit")
    values["mode"] = values["mode"] or "default"
    threads = values.pop(THREADS)
    if threads is not None:
        values["parameters"] = {**values["parameters"], THREADS: threads}
    return RunOptions(
        **values,
        roles=roles,
        verbose=output.report.verbose,
        gates=output.gates,
        cases=output.report.cases,
        net=output.report.net,
        ratio=output.report.ratio,
        reference=output.report.reference,
    )


def _run(experiment: str, options: RunOptions, output: OutputOptions) -> int:
    """Measure, print, and return the exit status. Raises FfibenchError where it cannot begin.

    A gate that failed and noise that came later are raised after everything is printed.
    """
    from ffibench.cli._progress import progress
    from ffibench.report.terminal.console import console
    from ffibench.results.gate import require_gates
    from ffibench.workflow.measure import run
    from ffibench.workflow.quiet import NOISY, require_quiet

    errors = console(stderr=True)
    with progress(errors) as observe:
        result = run(experiment, options, observe=observe)
    judgements = show(result, output)
    _print_what_workers_said(errors, result.run)
    if errors.is_terminal and result.file is not None:
        errors.print(f"`ffibench show {result.file}` prints this again.", style="dim", soft_wrap=True)
    status = _status(result)
    require_gates(judgements, status or 1)
    if options.require_quiet:
        require_quiet(result.comparison.warnings, status or NOISY)
    return status


def _status(result: Result) -> int:
    if result.run.ending == "interrupted":
        return INTERRUPTS.status
    return 0 if result.valid else 1


def _print_what_workers_said(errors: Console, run: Run) -> None:
    """Print what workers that were asked to say more wrote to standard error, the same of one worker once."""
    from ffibench.report.table import one_line

    names = {worker.key: f"{worker.contestant.name}, {worker.role}" for worker in run.plan.workers}
    records = (record for each in run.rounds for record in each.records)
    lines = ((names[record.key], one_line(line)) for record in records for line in record.said.splitlines())
    for name, line in dict.fromkeys(lines):
        errors.print(f"{name}: {line}", soft_wrap=True, markup=False, highlight=False)
