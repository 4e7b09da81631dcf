"""`ffibench run EXPERIMENT`: measure, and print the table."""

from __future__ import annotations

import sys
from typing import Any

import click

from ffibench.cli import _options
from ffibench.cli._report import read_showing, report_options
from ffibench.cli._roles import RolesCommand


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
@click.option("--timeout", type=click.FloatRange(0.1, 86_400), metavar="SECONDS", help="Time limit of one worker.")
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
    showing = read_showing(options)
    from ffibench.workflow.run import measure

    sys.exit(measure(experiment, {**options, "assigned": assigned}, showing))
