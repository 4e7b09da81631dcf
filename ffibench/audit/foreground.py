"""Runs a command in the foreground, as a shell does: its files, its terminal and its signals are its own."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from ffibench.audit.program import NOT_EXECUTABLE
from ffibench.errors import FfibenchError

ENDING = frozenset({signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP})
"""Signals that are meant to end a program."""

PASSED_ON = ENDING | {signal.SIGUSR1, signal.SIGUSR2}

SI_KERNEL = 0x80
"""The origin of a signal that the terminal sent to every process of the foreground: sigaction(2)."""

PATIENCE_SECONDS = 0.1
"""Another thread of this process, which does not block SIGCHLD, may receive it instead: so the exit is polled too."""

DEFAULT_IN_PROGRAM = (signal.SIGPIPE, signal.SIGXFSZ)
"""Python ignores these two, and a program that it starts would inherit that."""


class Ended(Struct, frozen=True, kw_only=True):
    """How a command ended."""

    seconds: float
    """Wall time from before its start until its exit."""
    cpu_seconds: float
    """CPU time of the command and of the children that it waited for."""
    status: int
    """Its exit status, or 128 plus the number of the signal that killed it, as in a shell."""
    killed_by: str | None = None
    """The signal's name, `SIGINT`."""
    asked_to_end: bool = False
    """Whether it, or this process, received a signal to end, whatever its effect."""


def run_in_foreground(program: Path, command: Sequence[str], environment: Mapping[str, str]) -> Ended:
    """Run a command to its end with the standard files and all other open files of this process.

    The terminal sends its signals to the command itself; signals that others send to this process are passed on
    to it. Raises FfibenchError where it cannot be started.
    """
    # SIGCHLD must not be ignored, as a parent may have left it: the exit would not be reported.
    ignored = signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, PASSED_ON | {signal.SIGCHLD})
    try:
        started = time.monotonic()
        code, cpu_seconds, seen = _follow(_spawn(program, command, environment, mask))
        seconds = time.monotonic() - started
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGCHLD, ignored)
    return Ended(
        seconds=seconds,
        cpu_seconds=cpu_seconds,
        status=code if code >= 0 else 128 - code,
        killed_by=signal_name(-code) if code < 0 else None,
        asked_to_end=not ENDING.isdisjoint(seen) or -code in ENDING,
    )


def _spawn(program: Path, command: Sequence[str], environment: Mapping[str, str], mask: Iterable[int]) -> int:
    """Start a process with this signal mask. Not by subprocess, which closes all but the standard files."""
    try:
        return os.posix_spawn(program, tuple(command), environment, setsigmask=mask, setsigdef=DEFAULT_IN_PROGRAM)
    except OSError as error:
        raise FfibenchError(
            f"{program} could not be started: {error.strerror}", fix="try it without ffibench", status=NOT_EXECUTABLE
        ) from None


def _follow(pid: int) -> tuple[int, float, set[int]]:
    """Pass signals on until the program exits; return its exit code, negative for a signal, and the signals seen."""
    seen: set[int] = set()
    while True:
        arrived = signal.sigtimedwait(PASSED_ON | {signal.SIGCHLD}, PATIENCE_SECONDS)
        if arrived is None or arrived.si_signo == signal.SIGCHLD:
            ended, status, usage = os.wait4(pid, os.WNOHANG)
            if ended:
                return os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, seen
            continue
        seen.add(arrived.si_signo)
        if arrived.si_code != SI_KERNEL:
            with suppress(PermissionError):  # it runs as another user now
                os.kill(pid, arrived.si_signo)  # not yet waited for, so the process id is still its own


def signal_name(number: int) -> str:
    """Return the name of a signal; most of the real-time signals have none."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
