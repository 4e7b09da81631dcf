"""`ffibench run EXPERIMENT`: measure, and print the table."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from ffibench.cli import _options
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
@click.option("--iterations", type=_options.Count(10**9), help="Iterations of a slice, the same for every contestant.")
@click.option("--rounds", type=_options.Count(10_000), help="Exactly so many rounds, whatever the precision and time.")
@click.option("--slices", type=_options.Count(1_000), help="Timed slices in every process.")
@click.option("--warmup", type=_options.Count(1_000, zero=True), help="Slices of warm-up in every process.")
@click.option("--quick", "mode", flag_value="quick", help="About 15 seconds: a first look.")
@click.option("--rigorous", "mode", flag_value="rigorous", help="Minutes: twice as precise.")
@click.option("--precision", type=_options.Share(), help="Go on until every interval is within this share of its row.")
@click.option(
    "--seed", type=_options.Count(10**15, zero=True), help="Of the order of the contestants; drawn where not given."
)
@click.option(
    "--set", "parameters", multiple=True, type=_options.Pair(), help="A parameter of the experiment; repeatable."
)
@click.option(
    "--sweep",
    type=_options.Pair("NAME=A,B,C"),
    metavar="NAME=A,B,C",
    help="Run at each of these values of a number among the parameters, and show the rate over them.",
)
@click.option("--vary", metavar="ROLE", help="Of several roles, only this one is the contestant's; C plays the others.")
@click.option("--no-audit", is_flag=True, help="Do not count native calls before the timed rounds.")
@click.option(
    "--timeout",
    "worker_seconds_max",
    type=click.FloatRange(0.1, 86_400),
    metavar="SECONDS",
    help="Time limit of one worker.",
)
@click.option(
    "--require-quiet", is_flag=True, help="End with status 3 where the host is noisy, before the first round or after."
)
@_options.library
@_options.pythons
@_options.kinds
@report_options
@click.pass_obj
def command(assigned: dict[str, str], /, experiment: str, **options: Any) -> None:  # noqa: ANN401 (click gives what the options above say)
    """Measure EXPERIMENT, a name that `ffibench list` shows or a folder of your own, and print its table.

    An experiment with several roles, as weather has a publisher and a subscriber, takes --ROLE CONTESTANT for each
    of them, which then plays it for all.

    Every contestant does the same fixed work, in fresh processes, interleaved in random order. The exit
    status is 1 where a row is not valid or a --gate fails, 3 where --require-quiet finds noise, and 130 after
    Ctrl-C, which keeps every finished round.
    """
    shown = read_output_options(options)
    sys.exit(_run(experiment, _run_options(options, assigned, shown), shown))


def _run_options(given: dict[str, Any], roles: dict[str, str], shown: OutputOptions) -> RunOptions:
    """Make typed options of what click gives; a name of the options above is the name of its field."""
    from ffibench.workflow.options import RunOptions

    values: dict[str, Any] = {
        name: dict(value) if name in {"parameters", "kinds"} else value for name, value in given.items()
    }
    values["audit"] = not values.pop("no_audit")
    values["mode"] = values["mode"] or "default"
    return RunOptions(**values, roles=roles, verbose=shown.report.verbose, gates=shown.gates)


def _run(experiment: str, options: RunOptions, shown: OutputOptions) -> int:
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
    judgements = show(result, shown)
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
