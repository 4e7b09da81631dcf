"""The command as a shell starts it: with closed files, with limits, and where something else is mounted."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest

from support.command import SCRIPT
from support.faults import Seen, seen

SECONDS_MAX = 300


class Shell:
    """Runs a line of bash, in which `RUN` is a run of one round, `AUDITED` one with the audit, `FFIBENCH` the tool."""

    def __init__(self, experiment: Path) -> None:
        run = f"{SCRIPT} run {shlex.quote(str(experiment))} --rounds 1 --slices 1 --seed 7"
        self._words = {"RUN": f"{run} --no-audit", "AUDITED": run, "FFIBENCH": str(SCRIPT)}

    def __call__(self, line: str) -> Seen:
        """Run it to its end."""
        return self._run(["bash", "-c", self._line(line)])

    def mounted(self, line: str) -> Seen:
        """Run it where what it mounts is seen by nobody else; skip the test where nothing may be mounted."""
        if subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode != 0:
            pytest.skip("nothing can be mounted here; run as root, in a container with --cap-add SYS_ADMIN")
        return self._run(["unshare", "-m", "bash", "-ec", self._line(line)])

    def _line(self, line: str) -> str:
        for word, meaning in self._words.items():
            line = line.replace(word, meaning)
        return line

    @staticmethod
    def _run(command: list[str]) -> Seen:
        answer = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS_MAX)
        return seen(answer.returncode, answer.stdout, answer.stderr)
