"""Runs a command of a build in a session of its own, which ends when the build is cancelled."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event

from ffibench.interrupts import due, postponed

POLL_SECONDS = 0.1
END_SECONDS_MAX = 5.0


class BuildCancelled(BaseException):
    """The build was cancelled: the thread that asked for it was interrupted."""


def run_command(
    command: Sequence[str], *, folder: Path, environment: Mapping[str, str], cancelled: Event
) -> subprocess.CompletedProcess[str]:
    """Run a command in `folder` to its end, and return it with all that it printed.

    Raises OSError where it cannot be started, and BuildCancelled, after its end, where `cancelled` was set.
    """
    with postponed():
        process = _start(command, folder, environment)
        try:
            while not cancelled.is_set():
                with due(), suppress(subprocess.TimeoutExpired):
                    output, _ = process.communicate(timeout=POLL_SECONDS)
                    return subprocess.CompletedProcess(command, process.returncode, output)
            raise BuildCancelled
        finally:
            if process.returncode is None:
                _end(process)


def _start(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    )


def _end(process: subprocess.Popen[str]) -> None:
    """End the command and all that it started, and wait until none of them writes any more.

    ninja is asked first: it gives each compiler a group of its own, which only it can end.
    """
    for number in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=END_SECONDS_MAX)
            return
