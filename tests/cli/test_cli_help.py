"""Help, version, completion: what a user tries first."""

from __future__ import annotations

import re

from support.command import Cli, assert_told

import ffibench

COMMANDS = {"audit", "build", "doctor", "list", "run", "selftest", "show", "source"}
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


def test_every_command_has_help_that_fits_eighty_columns(cli: Cli) -> None:
    for command in COMMANDS:
        answer = cli(command, "--help")
        assert answer.returncode == 0
        assert max(map(len, answer.stdout.splitlines())) <= 80


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
    assert {line.partition(",")[2] for line in answer.stdout.splitlines()} == {"selftest", "show", "source"}
