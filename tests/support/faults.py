"""What the rows of the fault matrix are asserted on: a command that gets into trouble, and what its user sees."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ffibench.model import Run
from ffibench.paths import runs_folder
from ffibench.results.store import last_run, load
from support.command import SCRIPT


@dataclass(frozen=True)
class Seen:
    """What a user sees of a command, and the run that was kept."""

    status: int
    table: str
    errors: str
    kept: Run | None

    @property
    def text(self) -> str:
        """All that was printed, as one line: where it is broken is the console's affair."""
        return " ".join(f"{self.table} {self.errors}".split())


SCRIPTED = Path(__file__).with_name("scripted.py")
SIGNALLED = Path(__file__).with_name("signalled.py")
SECONDS_MAX = 300

Started = subprocess.Popen[str]
Play = Callable[..., Seen]


def seen(status: int, table: str, errors: str) -> Seen:
    """Return what was seen; there is no traceback in it."""
    assert "Traceback" not in table + errors, errors
    return Seen(status, table, errors, load(last_run()) if any(runs_folder().iterdir()) else None)


class Command:
    """The installed command on the experiment, whose workers get into trouble by a script."""

    def __init__(self, folder: Path, experiment: Path) -> None:
        self._folder = folder
        self._experiment = experiment

    @property
    def audited_arguments(self) -> tuple[str, ...]:
        """A run of two rounds, with each contestant counted before."""
        return ("run", str(self._experiment), "--rounds", "2", "--slices", "1", "--seed", "7")

    @property
    def run_arguments(self) -> tuple[str, ...]:
        """The same, where a script means the rounds and not the count before them."""
        return (*self.audited_arguments, "--no-audit")

    def start(self, *arguments: str, script: str = "", at: tuple[str, int] | None = None, **options: Any) -> Started:  # noqa: ANN401
        """Start `ffibench ARGUMENTS`, with a signal `at` a stage of its own where one is given."""
        begin = [str(SCRIPT)] if at is None else [sys.executable, str(SIGNALLED), at[0], str(int(at[1]))]
        environment = {**os.environ, "SCRIPTED": str(SCRIPTED), "SCRIPT": f"starts={self.starts}\n{script}"}
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL, **options}
        return subprocess.Popen([*begin, *arguments], env=environment, text=True, **streams)

    def __call__(self, *arguments: str, **options: Any) -> Seen:  # noqa: ANN401
        """Run it to its end."""
        with self.start(*arguments, **options) as process:
            table, errors = process.communicate(timeout=SECONDS_MAX)
        return seen(process.returncode, table or "", errors or "")

    def run(self, *arguments: str, **options: Any) -> Seen:  # noqa: ANN401
        """Run `ffibench run` of two rounds to its end."""
        return self(*self.run_arguments, *arguments, **options)

    @property
    def starts(self) -> Path:
        """A line for each worker of `python/broken` that was started."""
        return self._folder / "starts-broken"
