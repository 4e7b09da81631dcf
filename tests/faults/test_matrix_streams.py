"""The fault matrix: which standard file is closed or full | what the user sees | the exit status.

As a shell has it: `>&-` closes, /dev/full takes nothing. Where a table has a place, it is printed; where it has none,
that is said before anything is measured.
"""

from __future__ import annotations

import fcntl
import os
import struct
import termios
import time
from pathlib import Path

import pytest
from support.faults import Command
from support.shell import Shell

from ffibench.paths import runs_folder

CLOSED = "Error: standard output is closed, so that there is no place for the table; > /dev/null discards it\n"
UNWRITTEN = "Error: cannot write the output: {}; give it another place with > FILE; "


def test_standard_output_is_closed(shell: Shell) -> None:
    found = shell("RUN >&-")
    assert (found.status, found.errors) == (1, CLOSED)
    assert not list(runs_folder().iterdir()), "nothing was measured that could not be shown"


@pytest.mark.parametrize("what", ["--help", "--version", "list", "show --help"])
def test_what_else_is_printed_to_a_closed_file(what: str, shell: Shell) -> None:
    found = shell(f"FFIBENCH {what} >&-")
    assert found.status == 1
    assert found.errors.startswith(UNWRITTEN.format("standard output is closed"))


@pytest.mark.parametrize("what", ["--help", "--version", "list", "run --help"])
def test_what_else_is_printed_to_a_full_disk(what: str, shell: Shell) -> None:
    found = shell(f"FFIBENCH {what} >/dev/full")
    assert found.status == 1
    assert found.errors.startswith(UNWRITTEN.format("No space left on device"))


def test_a_run_whose_table_finds_a_full_disk_is_kept(shell: Shell) -> None:
    found = shell("RUN >/dev/full")
    assert found.status == 1
    assert found.errors.startswith(UNWRITTEN.format("No space left on device"))
    assert found.errors.endswith("`ffibench show` prints the last run again\n")
    assert "tally: adding up bytes" in shell("FFIBENCH show").table


@pytest.mark.parametrize("redirected", ["2>&-", "2>/dev/full", "<&-", "<&- 2>&-"])
def test_a_table_needs_standard_output_alone(redirected: str, shell: Shell) -> None:
    found = shell(f"RUN {redirected}")
    assert found.status == 0
    assert "all 8 slices match" in found.table
    assert found.kept is not None


@pytest.mark.parametrize("redirected", ["2>&-", "2>/dev/full"])
def test_an_error_that_cannot_be_said_is_still_an_error(redirected: str, shell: Shell) -> None:
    found = shell(f"FFIBENCH run no-such {redirected}")
    assert (found.status, found.table, found.errors) == (1, "", "")


def test_no_file_takes_the_number_of_a_closed_one(shell: Shell, folder: Path) -> None:
    """What workers print would else go into a run file."""
    export = folder / "run.json"
    assert shell(f"RUN --json {export} <&- 2>&-").status == 0
    assert '"ending":"rounds"' in export.read_text(encoding="utf-8")


def test_a_pipe_that_does_not_wait_for_its_reader(shell: Shell, command: Command) -> None:
    """As one is that another program made non-blocking: who writes to it must wait."""
    assert shell("RUN").status == 0
    receiving, sending = os.pipe()
    size = fcntl.fcntl(sending, fcntl.F_SETPIPE_SZ, 4096)
    os.set_blocking(sending, False)
    with command.start("show", "--json", "-", stdout=sending) as process, open(receiving, encoding="utf-8") as reader:  # noqa: PTH123 (a descriptor)
        os.close(sending)
        while _held(receiving) < size and process.poll() is None:
            time.sleep(0.01)
        document = reader.read()
        _, errors = process.communicate()
    assert (process.returncode, errors[:6]) == (0, "tally:"), errors
    assert len(document) > size
    assert '"summary":' in document


def _held(pipe: int) -> int:
    """The bytes that a pipe holds."""
    return int(struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, b"\0" * 4))[0])


@pytest.mark.parametrize(("closed", "status"), [("<&-", 1), ("", 0)])
def test_a_command_that_is_audited_keeps_its_closed_files(closed: str, status: int, shell: Shell) -> None:
    assert shell(f"FFIBENCH audit --library 'libc.so*' -- sh -c '[ -e /proc/$$/fd/0 ]' {closed}").status == status
