"""The fault matrix: which signal comes at which stage | what the user sees | the exit status | the rounds kept.

Ctrl-C, `kill` and a terminal that is closed all end a run alike, with 128 and the signal's number. A round is finished
where every worker of it was; those rounds are printed and kept, and nothing is left behind, as `nothing_left` says.
"""

from __future__ import annotations

import fcntl
import os
import re
import select
import signal
import subprocess
import termios
import time
from pathlib import Path
from typing import NamedTuple

import pytest
from support.command import SCRIPT
from support.faults import SECONDS_MAX, Command

KEPT = "interrupted; every finished round is kept"
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
SIGPIPE_STATUS = 128 + signal.SIGPIPE


class Stage(NamedTuple):
    """One row."""

    rounds: int | None
    """None: there is no run yet."""
    sees: str
    at: str | None = None
    """The stage of `support/signalled.py`; None where the worker sends the signal."""
    script: str = ""
    builds: bool = False
    audited: bool = False


MATRIX = {
    "preparing": Stage(None, "Interrupted by {}.", at="preparing"),
    "building": Stage(None, "Interrupted by {}.", at="building", builds=True),
    "counting native calls": Stage(None, "Interrupted by {}.", at="counting", audited=True),
    "a slice that is counted": Stage(None, "Interrupted by {}.", script="trouble=signal:{}@slice", audited=True),
    "set-up in the first round": Stage(0, "No round was finished", script="trouble=signal:{}@start"),
    "a slice of the first round": Stage(0, "No round was finished", script="trouble=signal:{}@slice"),
    "a slice of a later round": Stage(1, f"1 in .*; {KEPT}", script="trouble=signal:{}@slice\nsince=2"),
    "saving": Stage(1, f"1 in .*; {KEPT}", at="saving"),
    "saved": Stage(1, f"1 in .*; {KEPT}", at="saved"),
    "printing": Stage(2, "Interrupted by {}.", at="printing"),
    "printed": Stage(2, "2 in .*; stopped at the maximum number of rounds.* Interrupted by {}.", at="printed"),
}


@pytest.mark.parametrize("number", SIGNALS, ids=lambda number: number.name)
@pytest.mark.parametrize("stage", MATRIX.values(), ids=MATRIX.keys())
def test_a_signal(stage: Stage, number: signal.Signals, command: Command, experiment: Path, tmp_path: Path) -> None:
    export = tmp_path / "run.json"
    arguments = command.audited_arguments if stage.audited else command.run_arguments
    what = ("build", "--force", str(experiment)) if stage.builds else (*arguments, "--json", str(export))
    seen = command(*what, script=stage.script.format(int(number)), at=stage.at and (stage.at, number))
    assert seen.status == 128 + number
    assert re.search(stage.sees.format(number.name), seen.text)
    assert (seen.kept and len(seen.kept.rounds)) == stage.rounds
    assert export.exists() == (stage.rounds is not None)  # also where the signal came while the table was printed


def test_a_terminal_that_is_closed(command: Command) -> None:
    """The kernel sends SIGHUP, and nothing can be printed any more."""
    ours, theirs = os.openpty()

    def own_terminal() -> None:
        fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)

    process = command.start(
        *command.run_arguments,
        script="trouble=hang@slice\nsince=2",
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        preexec_fn=own_terminal,
    )
    os.close(theirs)
    patience = time.monotonic() + SECONDS_MAX
    while not command.starts.exists() or command.starts.read_text().count("child") < 1:
        assert time.monotonic() < patience
        assert process.poll() is None
        if select.select([ours], [], [], 0.05)[0]:  # nothing is written while a worker runs
            os.read(ours, 1 << 16)
    os.close(ours)
    assert process.wait(SECONDS_MAX) == 128 + signal.SIGHUP
    kept = command("show")
    assert KEPT in kept.table
    assert kept.kept is not None
    assert len(kept.kept.rounds) == 1


def test_signals_that_are_ignored_stay_so(command: Command) -> None:
    """As under nohup, which a run over night is started with."""
    seen = command.run(
        script="trouble=run:kill -HUP $(cut -d' ' -f4 /proc/$PPID/stat)@slice",  # to the parent of the worker
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    )
    assert seen.status == 0
    assert seen.kept is not None
    assert len(seen.kept.rounds) == 2


class TestReaderGone:
    """`ffibench run ... | head -1`: who reads has enough, and is told nothing more."""

    @pytest.fixture
    def closed(self) -> int:
        """The writing end of a pipe that nobody reads."""
        receiving, sending = os.pipe()
        os.close(receiving)
        return sending

    def test_of_the_table(self, closed: int, command: Command, tmp_path: Path) -> None:
        export = tmp_path / "run.json"
        seen = command.run("--json", str(export), stdout=closed)
        os.close(closed)
        assert (seen.status, seen.errors) == (SIGPIPE_STATUS, "")
        assert seen.kept is not None
        assert len(seen.kept.rounds) == 2
        assert export.exists()

    @pytest.mark.parametrize("arguments", [("--json", "-"), ("--export-markdown", "-"), ("--matrix",)])
    def test_of_an_export(self, arguments: tuple[str, ...], closed: int, command: Command) -> None:
        assert command.run().status == 0
        seen = command("show", *arguments, stdout=closed)
        os.close(closed)
        assert seen.status == SIGPIPE_STATUS

    @pytest.mark.parametrize("arguments", [("--help",), ("list",), ("doctor",), ("source", "xsub", "c")])
    def test_of_anything_else(self, arguments: tuple[str, ...], closed: int, command: Command) -> None:
        seen = command(*arguments, stdout=closed)
        os.close(closed)
        assert seen.status in {SIGPIPE_STATUS, 1}  # click itself prints the help, and says 1

    def test_of_errors(self, closed: int, command: Command) -> None:
        seen = command("run", "no-such", stderr=closed)
        os.close(closed)
        assert seen.status == SIGPIPE_STATUS

    def test_a_disk_that_is_full_is_told(self, command: Command) -> None:
        assert command.run().status == 0
        with Path("/dev/full").open("w") as full:
            seen = command("show", stdout=full)
        assert seen.status == 1
        assert seen.errors.startswith("Error: cannot write the output: No space left on device; ")


def test_a_shell_sees_no_traceback(command: Command) -> None:
    assert command.run().status == 0
    answer = subprocess.run(f"{SCRIPT} show | head -1", shell=True, capture_output=True, text=True, check=True)
    assert answer.stdout.startswith("tally: adding up bytes")
    assert answer.stderr == ""
