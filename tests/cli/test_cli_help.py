"""Help, version, completion: what a user tries first."""

from __future__ import annotations

import dataclasses
import re

import click
import msgspec
import pytest
from support.command import Cli, assert_told

import ffibench
from ffibench.cli import cli as commands
from ffibench.report.options import ReportOptions
from ffibench.workflow import RunOptions

COMMANDS = {
    *("audit", "build", "doctor", "eject", "explain", "kinds", "list", "new", "run", "selftest", "shims", "show"),
    "source",
}
FLAGS = {
    *("--contestant", "-c", "--iterations", "--rounds", "--slices", "--warmup", "--quick", "--rigorous", "--precision"),
    *("--seed", "--set", "--export-json", "--json", "--export-markdown", "--library", "--python", "--rate", "--matrix"),
    *("--shell", "--kind", "--timeout", "--require-quiet"),
}


def test_help_names_every_command(cli: Cli) -> None:
    answer = cli("--help")
    assert answer.returncode == 0
    assert set(re.findall(r"^  (\w+)  ", answer.stdout, re.MULTILINE)) == COMMANDS
    assert cli("-h").stdout == answer.stdout


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_help_fits_the_terminal_and_uses_its_width(cli: Cli, command: str) -> None:
    widths = {}
    for columns in (80, 100, 160):
        answer = cli(command, "--help", COLUMNS=str(columns))
        assert answer.returncode == 0
        widths[columns] = max(map(len, answer.stdout.splitlines()))
        assert widths[columns] <= columns
    assert widths[80] <= widths[100] <= widths[160]


def test_the_options_of_run_stand_in_groups(cli: Cli) -> None:
    text = cli("run", "--help").stdout
    groups = re.findall(r"^(\w.*):$", text, re.MULTILINE)
    assert groups == [
        *("Contestants", "How much is measured", "Parameters of the experiment", "Checks", "What is shown", "Files"),
        "Options",
    ]
    for option, group in (("--kind", "Contestants"), ("--ROLE", "Parameters of the experiment"), ("--gate", "Checks")):
        assert option in text.partition(f"{group}:\n")[2].partition("\n\n")[0]


def test_every_option_of_a_run_is_an_option_of_the_python_interface() -> None:
    command = commands.get_command(click.Context(commands), "run")
    assert command is not None
    of_each_call, of_the_parameters = {"setup", "teardown", "unchecked"}, {"threads"}
    given = {each.name for each in command.params} - {"experiment", "no_audit"} - of_each_call - of_the_parameters
    report = {field.name for field in dataclasses.fields(ReportOptions)}
    shown = report | {name for name in given if name and name.startswith("export_")}
    run = {field.name for field in msgspec.structs.fields(RunOptions)} - {"audit", "roles", "verbose"}
    assert given - (shown - run) == run


@pytest.mark.parametrize("columns", ["80", "100", "120", "160"])
def test_examples_keep_a_line_each(cli: Cli, columns: str) -> None:
    lines = [line.strip() for line in cli("--help", COLUMNS=columns).stdout.splitlines()]
    examples = [line for line in lines if line.startswith("ffibench ")]
    assert [line.split()[1] for line in examples] == ["run", "run", "run", "list", "doctor"]
    assert not any("\\" in line for line in lines)


def test_run_has_the_words_of_the_field(cli: Cli) -> None:
    words = set(re.findall(r"(?<![\w-])(--?[a-z-]+)", cli("run", "--help").stdout))
    assert words >= FLAGS


def test_the_version_is_the_package_s(cli: Cli) -> None:
    assert cli("--version").stdout == f"ffibench, version {ffibench.__version__}\n"


def test_an_unknown_command_or_option_is_told(cli: Cli) -> None:
    assert_told(cli("rum"), "rum", status=2)
    assert_told(cli("run", "xsub", "--fast"), "--fast", status=2)


def test_completion_is_click_s(cli: Cli) -> None:
    assert "_ffibench_completion" in cli(_FFIBENCH_COMPLETE="bash_source").stdout
    answer = cli(_FFIBENCH_COMPLETE="bash_complete", COMP_WORDS="ffibench s", COMP_CWORD="1")
    assert {line.partition(",")[2] for line in answer.stdout.splitlines()} == {"selftest", "shims", "show", "source"}
