"""The fault matrix: what `ffibench show` is given in place of a run file | what the user sees | the exit status."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.shell import Shell

LAST = "`ffibench show` alone takes the last run\n"
BOUNDED = "ulimit -v 2000000; timeout 60 FFIBENCH show"


@pytest.mark.parametrize(
    ("file", "kind"),
    [("/dev/zero", "device"), ("/dev/null", "device"), ("/dev/stdin", "device"), ("/", "folder"), ("pipe", "pipe")],
)
def test_no_file(file: str, kind: str, shell: Shell, folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    path = os.fspath(folder / file)
    seen = shell(f"{BOUNDED} {path} </dev/null")
    assert (seen.status, seen.errors) == (1, f"Error: cannot read {path}: it is a {kind}, and no file; {LAST}")


def test_a_file_without_an_end(shell: Shell, folder: Path) -> None:
    sparse = folder / "sparse.json"
    with sparse.open("wb") as file:
        file.truncate(3 << 30)
    seen = shell(f"{BOUNDED} {sparse}")
    assert (seen.status, seen.errors) == (1, f"Error: {sparse} is no run file: it has more than 512 MiB; {LAST}")


def test_a_pipe_without_an_end(shell: Shell) -> None:
    seen = shell(f"{BOUNDED} <(cat /dev/zero)")
    assert seen.status == 1
    assert seen.errors.endswith(f" is no run file: it has more than 512 MiB; {LAST}")


def test_memory_is_used_for_what_there_is(shell: Shell) -> None:
    assert shell("RUN; ulimit -v 300000; FFIBENCH show").status == 0


@pytest.mark.parametrize("how", ["show <(cat {})", "show /dev/stdin <{}", "show {}"])
def test_a_run_file_from_a_pipe_of_the_shell(how: str, shell: Shell, folder: Path) -> None:
    export = folder / "run.json"
    assert shell(f"RUN --json {export}").status == 0
    assert shell(f"FFIBENCH {how.format(export)}").table.startswith("tally: adding up bytes")
