"""Runs a command in the foreground, as a shell does: its files, its terminal and its signals are its own."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path

from msgspec import Struct

from ffibench.audit.descendants import Descendants, Survivor
from ffibench.audit.program import NOT_EXECUTABLE
from ffibench.errors import FfibenchError
from ffibench.harness.orphans import adopting

ENDING = frozenset({signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP})
"""Signals that are meant to end a program."""

PASSED_ON = ENDING | {signal.SIGUSR1, signal.SIGUSR2}

SI_KERNEL = 0x80
"""The origin of a signal that the terminal sent to every process of the foreground: sigaction(2)."""

PATIENCE_SECONDS = 0.1
"""Another thread of this process, which does not block SIGCHLD, may receive it instead: so the exit is polled too."""

GRACE_SECONDS = 0.2
"""For processes that end shortly after the command, such as the resource tracker of Python's multiprocessing."""

NOWHERE = tuple((os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_WRONLY, 0) for stream in (1, 2))
"""Standard output and standard error."""

Look = Callable[[], float]
"""What is to be done now and then while a command runs; it returns the seconds until the next time."""

DEFAULT_IN_PROGRAM = (signal.SIGPIPE, signal.SIGXFSZ)
"""Python ignores these two, and a program that it starts would inherit that."""


class Ended(Struct, frozen=True, kw_only=True):
    """How a command ended."""

    seconds: float
    """Wall time from before its start until its exit; until that of its last process where they were followed."""
    cpu_seconds: float
    """CPU time of the command, of the children that it waited for, and of those that it left and that ended too."""
    status: int
    """Its exit status, or 128 plus the number of the signal that killed it, as in a shell."""
    killed_by: str | None = None
    """The signal's name, `SIGINT`."""
    asked_to_end: bool = False
    """Whether it, or this process, received a signal to end, whatever its effect."""
    survivors: tuple[Survivor, ...] = ()
    """The processes that it left running."""


def run_in_foreground(
    program: Path,
    command: Sequence[str],
    environment: Mapping[str, str],
    *,
    descendants: Descendants | None = None,
    looks: Sequence[Look] = (),
    follow: bool = False,
    quiet: bool = False,
) -> Ended:
    """Run a command to its end with the standard files and all other open files of this process.

    The terminal sends its signals to the command itself; signals that others send to this process are passed on
    to it. With `follow` the processes that it leaves running are waited for too, until a signal to end arrives. With
    `quiet` what it prints is thrown away. Raises FfibenchError where it cannot be started.
    """
    # SIGCHLD must not be ignored, as a parent may have left it: the exit would not be reported.
    ignored = signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, PASSED_ON | {signal.SIGCHLD})
    try:
        family = descendants or Descendants()
        with adopting() if family.listed else nullcontext():  # who adopts must find what has ended
            started = time.monotonic()
            pid = _spawn(program, command, environment, mask, NOWHERE if quiet else ())
            waiting = _Waiting(pid, family, looks)
            waiting.until_exit()
            exited = time.monotonic()
            survivors = waiting.until_all_ended(None if follow else exited + GRACE_SECONDS)
            seconds = (time.monotonic() if follow else exited) - started
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGCHLD, ignored)
    code = waiting.exit_code
    return Ended(
        seconds=seconds,
        cpu_seconds=waiting.cpu_seconds,
        status=code if code >= 0 else 128 - code,
        killed_by=signal_name(-code) if code < 0 else None,
        asked_to_end=not ENDING.isdisjoint(waiting.seen) or -code in ENDING,
        survivors=survivors,
    )


def _spawn(
    program: Path,
    command: Sequence[str],
    environment: Mapping[str, str],
    mask: Iterable[int],
    files: Sequence[tuple[int, int, str, int, int]],
) -> int:
    """Start a process with this signal mask. Not by subprocess, which closes all but the standard files."""
    try:
        return os.posix_spawn(
            program, tuple(command), environment, file_actions=files, setsigmask=mask, setsigdef=DEFAULT_IN_PROGRAM
        )
    except OSError as error:
        raise FfibenchError(
            f"{program} could not be started: {error.strerror}", fix="try it without ffibench", status=NOT_EXECUTABLE
        ) from None


class _Waiting:
    """Waits for a command and for what it leaves behind, and looks around when a look is due.

    Attributes:
        exit_code: of the command, negative for a signal.
        cpu_seconds: of all processes that have ended.
        seen: the signals that arrived.

    """

    def __init__(self, pid: int, family: Descendants, looks: Sequence[Look]) -> None:
        self.exit_code = 0
        self.cpu_seconds = 0.0
        self.seen: set[int] = set()
        self._pid, self._family = pid, family
        self._due = dict.fromkeys(looks, 0.0)

    def until_exit(self) -> None:
        """Pass signals on until the command exits."""
        while True:
            arrived = self._wait(PATIENCE_SECONDS)
            if arrived is None or arrived.si_signo == signal.SIGCHLD:
                self.cpu_seconds += self._family.reap(self._pid)
                ended, status, usage = os.wait4(self._pid, os.WNOHANG)
                if ended:
                    self.exit_code = os.waitstatus_to_exitcode(status)
                    self.cpu_seconds += usage.ru_utime + usage.ru_stime
                    return
                continue
            self.seen.add(arrived.si_signo)
            if arrived.si_code != SI_KERNEL:
                with suppress(PermissionError):  # it runs as another user now
                    os.kill(self._pid, arrived.si_signo)  # not yet waited for, so the process id is still its own

    def until_all_ended(self, deadline: float | None) -> tuple[Survivor, ...]:
        """Wait for all other processes, until the deadline or a signal to end; return those that still run."""
        while True:
            self.cpu_seconds += self._family.reap(self._pid)
            survivors = self._family.survivors()
            if not survivors or (deadline is not None and time.monotonic() > deadline):
                return survivors
            arrived = self._wait(PATIENCE_SECONDS if deadline is None else GRACE_SECONDS / 10)
            if arrived is not None and arrived.si_signo in ENDING:
                return self._family.survivors()

    def _wait(self, seconds_max: float) -> signal.struct_siginfo | None:
        """Wait for a signal, until a look is due; make the looks that are due."""
        now = time.monotonic()
        for look in [each for each, due in self._due.items() if due <= now]:
            self._due[look] = now + look()
        next_due = min(self._due.values(), default=now + seconds_max)
        return signal.sigtimedwait(PASSED_ON | {signal.SIGCHLD}, min(seconds_max, max(0, next_due - time.monotonic())))


def signal_name(number: int) -> str:
    """Return the name of a signal; most of the real-time signals have none."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
