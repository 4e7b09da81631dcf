"""Every command in the documentation runs, and every option has its place in it."""

from __future__ import annotations

import shlex
from pathlib import Path

import click
import pytest
from support.command import Cli
from support.pages import PAGES, blocks, section

from ffibench.cli import cli as group

COMMANDS = {
    name: [command for block in blocks(text) for command in block.commands]
    for name, text in PAGES.items()
    # Steps that follow each other: in test_docs_steps.py, in test_docs_language.py, and below.
    if name not in {"CONTRIBUTING.md", "docs/take-home.md", "docs/extending-language.md"}
}
DOCUMENTED = sorted({each for commands in COMMANDS.values() for each in commands if each.startswith("ffibench ")})

# What makes a measurement small. A command that names its contestants keeps them.
ROUND = ["--rounds", "1", "--no-audit"]
SMALL = {
    "xsub": [*ROUND, "--iterations", "1k"],
    "weather": [*ROUND, "--set", "matches=10"],
    "fanout": [*ROUND, "--set", "per_thread=50"],
    "./tally": ROUND,
    "calls": ["--rounds", "1"],
    "codec": ROUND,
    "zlib.h": ["--rounds", "1"],
}
HEADER = ["--rounds", "1", "--slices", "1", "--iterations", "100"]  # without the audit generated loops do not run
ONE = ["-c", "python/ctypes"]
FEW = "perl/*"
CASES = ["--case", "nothing", "--case", "method", "--case", "property"]  # of `calls`: a grid for each of its groups
SWEPT = ["--case", "buffer filled"]

# Takes half a minute, and runs whole in tests/cli.
LONG = ["ffibench selftest"]


def words_of(command: str) -> list[str]:
    """The arguments, with those that keep the test short."""
    # Every language is tried by tests of its own.
    words = [FEW if word == "*" else word for word in shlex.split(command)[1:]]
    if words[0] == "explain":  # what follows -- is another program's
        short = ["--runs", "1", *ONE] if "--" in words else ONE if words[1:] == ["xsub"] else []
        return ["explain", "--rounds", "1", *short, *words[1:]]
    known = {**SMALL, words[1]: HEADER} if words[1:] and words[1].endswith(".h") else SMALL
    measures = words[0] in {"run", "audit"} and words[1] in known
    small = list(known[words[1]]) if measures and words[0] == "run" else []
    if small and words[1] == "calls" and "--case" not in words:
        small += SWEPT if "--sweep" in words else CASES
    return [*words, *small, *(ONE if measures and "-c" not in words else [])]


def test_two_commands_do_all_the_set_up() -> None:
    # .ci/run takes the second; the first differs from it by what is installed and run.
    assert COMMANDS["README.md"][:2] == [
        "python3 -m venv .venv && .venv/bin/pip install -q . && .venv/bin/ffibench run xsub",
        "python3 -m venv .venv && .venv/bin/pip install -q nox && .venv/bin/nox",
    ]


def test_nothing_else_has_to_be_typed() -> None:
    others = [each for each in COMMANDS["README.md"][2:] if not each.startswith("ffibench ")]
    assert not others
    assert len(COMMANDS["README.md"]) >= 10
    assert {shlex.split(command)[1] for command in DOCUMENTED} == set(group.list_commands(click.Context(group)))


@pytest.mark.parametrize("command", [each for each in DOCUMENTED if each not in LONG])
def test_a_command_runs(cli: Cli, workplace: Path, command: str) -> None:
    answer = cli(*words_of(command))
    # Whether threads scale so far is for the machine to say.
    statuses = {0, 1} if "--gate" in command else {0}
    if command.startswith("ffibench run ") and "unavailable" in answer.stdout.lower():
        statuses = {1}  # a pattern means nobody who is here, and the table says what installs them
    if "sqlite3.h" in command and "there is no header sqlite3.h" in answer.stderr:
        pytest.skip(answer.stderr.strip())
    assert answer.returncode in statuses, answer.stdout + answer.stderr
    assert answer.stdout.strip()


def test_the_folders_to_take_home_are_written_and_run(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    typed = [command for block in blocks(PAGES["docs/take-home.md"]) for command in block.commands]
    for command in typed:
        program, *words = shlex.split(command)
        if program == "pip":  # tests/workflow/test_shims.py installs what is written
            assert (tmp_path / words[-1] / "pyproject.toml").is_file()
            continue
        answer = cli(*words, *(["--rounds", "1", *([] if "-c" in words else ONE)] if words[0] == "run" else []))
        assert answer.returncode == 0, answer.stderr
    assert {shlex.split(command)[1] for command in typed} == {"new", "run", "shims", "install", "eject"}


@pytest.mark.parametrize("text", LONG)
def test_a_long_command_is_read(text: str) -> None:
    assert text in DOCUMENTED
    _, name, *arguments = shlex.split(text)
    command = group.get_command(click.Context(group), name)
    assert command is not None
    command.make_context(name, arguments)


@pytest.mark.parametrize("name", group.list_commands(click.Context(group)))
def test_every_option_is_described(name: str) -> None:
    command = group.get_command(click.Context(group), name)
    assert command is not None
    heading = next(
        line[3:] for line in PAGES["docs/commands.md"].splitlines() if line.startswith(f"## `ffibench {name}")
    )
    described = section("docs/commands.md", heading)
    if name == "run":  # the options of a report are those of `show` too, and stand there
        described += section("docs/commands.md", "`ffibench show [FILE]`")
    for option in command.params:
        if isinstance(option, click.Option):
            assert any(f"`{spelling}" in described for spelling in option.opts), option.opts


def test_no_option_is_described_that_is_not_there() -> None:
    known = {
        spelling
        for name in group.list_commands(click.Context(group))
        for option in (group.get_command(click.Context(group), name) or group).params
        for spelling in option.opts
    }
    roles = {"--publisher", "--subscriber"}  # those of an experiment
    page = PAGES["docs/commands.md"]
    described = {word.strip("`,.;|").partition("[")[0] for word in page.split() if word.startswith("`--")}
    assert described - {"--help"} <= known | roles
