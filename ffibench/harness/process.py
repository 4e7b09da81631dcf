"""One worker process: started in its own group, read line by line within limits, with its resource usage.

Nothing that a worker does may hang or flood the harness: every wait has a deadline, lines and the whole output have
a maximum size, and at the end all processes that it started are gone.
"""

from __future__ import annotations

import os
import re
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Literal, cast

from ffibench.harness.orphans import Orphans, adopting, seconds_ns
from ffibench.harness.spawn import exit_fd, popen
from ffibench.host.clocks import processor_ns
from ffibench.interrupts import due, postponed
from ffibench.model import Usage
from ffibench.proof.quoting import printable

LINE_BYTES_MAX = 1 << 16
OUTPUT_BYTES_MAX = 1 << 26
ERRORS_BYTES_MAX = 1 << 14
READ_BYTES = 1 << 16
DRAIN_READS_MAX = 16  # a pipe holds at most 1 MiB: /proc/sys/fs/pipe-max-size, pipe(7)
RSS_UNIT_BYTES = 1 if sys.platform == "darwin" else 1024  # getrusage(2): kilobytes on Linux
POLL_SECONDS = 0.02

Event = Literal["output", "errors", "exit"]


class WorkerError(Exception):
    """Why a process is not a valid measurement: a message to be read after its name."""


class WorkerTimeoutError(WorkerError):
    """It exceeded the time limit of a worker."""


class Worker:
    """A running worker. Made by `start`, which also stops it."""

    def __init__(self, process: subprocess.Popen[bytes], seconds_max: float, orphans: Orphans) -> None:
        self._process = process
        self._orphans = orphans
        self._started = time.monotonic()
        self._seconds_max = seconds_max
        self._selector = selectors.DefaultSelector()
        self._stdin, stdout, stderr = _pipes(process)
        self._exited = False
        self._pending = b""
        self._output_bytes = 0
        self._errors = b""
        self._peak_rss_bytes: int | None = None
        self._children_ns: int | None = None
        self._left_behind: tuple[str, ...] = ()
        self._watch(stdout.fileno(), "output")
        self._watch(stderr.fileno(), "errors")
        self._exit_fd = exit_fd(process.pid)
        if self._exit_fd is not None:
            self._watch(self._exit_fd, "exit")

    @property
    def left_behind(self) -> tuple[str, ...]:
        """Names of processes that it started and that outlived it; known once it is finished."""
        return self._left_behind

    @property
    def children_ns(self) -> int | None:
        """Processor time of all processes that it started; known once it was killed, None where nobody reports it."""
        return None if self._children_ns is None else self._children_ns + self._orphans.used_ns

    @property
    def pid(self) -> int:
        """The process id, which is also the id of its group."""
        return self._process.pid

    def line(self) -> bytes:
        """Return its next line of output, without the newline.

        Raises WorkerError where it exits before, takes too long, or prints too much.
        """
        while (line := self.line_that_came()) is None:
            self.take_in()
        return line

    def line_that_came(self) -> bytes | None:
        """Return its next line, or None where it has not arrived yet. Raises WorkerError as `line` does."""
        if b"\n" in self._pending:
            line, _, self._pending = self._pending.partition(b"\n")
            return line
        if len(self._pending) > LINE_BYTES_MAX:
            raise WorkerError(f"printed a line of more than {LINE_BYTES_MAX:,} bytes")
        if self._exited:
            raise WorkerError(self._ending())
        self._check_time()
        return None

    @property
    def errors(self) -> str:
        """The end of its standard error so far."""
        return self._errors.decode("utf-8", "replace")

    def go(self) -> None:
        """Let it start its loops."""
        with suppress(BrokenPipeError):  # it has exited: reading its next line reports how
            self._stdin.write(b"go\n")
            self._stdin.flush()

    def finish(self) -> Usage:
        """Close its standard input and wait for its exit. Raises WorkerError where it does not exit cleanly."""
        self._peak_rss_bytes = _peak_rss_bytes(self.pid)
        with suppress(BrokenPipeError):
            self._stdin.close()
        while not self._exited and not self._pending:
            self.take_in()
        if self._pending:
            raise WorkerError(f"printed more than the contract allows: {printable(self._pending)}")
        usage = self._collect()
        if self._process.returncode != 0:
            raise WorkerError(self._ending())
        self._left_behind = tuple(printable(name.encode()) for name in self._orphans.names())
        return usage

    def kill(self) -> bool:
        """Kill the whole group and all other processes that it started, in any state, and reap the process.

        False where one of them does not exit.
        """
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        if self._process.returncode is None:
            self._collect()
        for pipe in _pipes(self._process):
            with suppress(BrokenPipeError):
                pipe.close()
        if self._exit_fd is not None:
            os.close(self._exit_fd)
        self._selector.close()
        return self._orphans.end()

    @staticmethod
    def wait(workers: Sequence[Worker]) -> list[Worker]:
        """Wait until one of several has printed something, has exited or has no time left; return those."""
        with selectors.DefaultSelector() as any_of_them:
            for worker in workers:
                any_of_them.register(worker._selector.fileno(), selectors.EVENT_READ, worker)
            with due():
                ready = {key.data for key, _ in any_of_them.select(min(worker._patience() for worker in workers))}
        return [worker for worker in workers if worker in ready or worker._exit_fd is None]

    def _watch(self, fd: int, event: Event) -> None:
        os.set_blocking(fd, False)
        self._selector.register(fd, selectors.EVENT_READ, event)

    def take_in(self) -> None:
        """Wait for output or for the exit of the process, and read all output that has arrived."""
        self._check_time()
        with due():
            ready = self._selector.select(self._patience())
        exited = any(key.data == "exit" for key, _ in ready)
        if self._exit_fd is None:
            exited = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        # After its exit both pipes are drained. A child of it may hold them open or continue to write: neither is
        # waited for.
        for key in list(self._selector.get_map().values()) if exited else [key for key, _ in ready]:
            if key.data != "exit":
                reads = DRAIN_READS_MAX if exited else 1
                while reads and self._read(key.fd, key.data):
                    reads -= 1
        self._exited = exited

    def _patience(self) -> float:
        """How long to wait for it. Without a descriptor that signals its exit, the exit is polled for."""
        left = max(self._seconds_max - (time.monotonic() - self._started), 0.0)
        return left if self._exit_fd is not None else min(left, POLL_SECONDS)

    def _check_time(self) -> None:
        if time.monotonic() - self._started >= self._seconds_max:
            raise WorkerTimeoutError(
                f"was still running after {self._seconds_max:g} s, the time limit of one worker; "
                "--timeout SECONDS sets another"
            )

    def _read(self, fd: int, event: Event) -> bool:
        """Read once; False where there is nothing more to read."""
        try:
            data = os.read(fd, READ_BYTES)
        except BlockingIOError:
            return False
        if not data:
            self._selector.unregister(fd)
        elif event == "errors":
            self._errors = (self._errors + data)[-ERRORS_BYTES_MAX:]
        else:
            self._pending += data
            self._output_bytes += len(data)
            if self._output_bytes > OUTPUT_BYTES_MAX:
                raise WorkerError(f"printed more than {OUTPUT_BYTES_MAX:,} bytes")
        return bool(data)

    def _collect(self) -> Usage:
        """Wait for the process and return its resource usage."""
        os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
        own_ns = processor_ns(self.pid)  # of the zombie: what is waited for includes its children
        _, status, usage = os.wait4(self.pid, 0)
        if own_ns is not None:
            self._children_ns = max(0, seconds_ns(usage.ru_utime + usage.ru_stime) - own_ns)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        return Usage(
            real_s=time.monotonic() - self._started,
            user_s=usage.ru_utime,
            system_s=usage.ru_stime,
            peak_rss_bytes=self._peak_rss_bytes or usage.ru_maxrss * RSS_UNIT_BYTES,
            voluntary_switches=usage.ru_nvcsw,
            involuntary_switches=usage.ru_nivcsw,
        )

    def _ending(self) -> str:
        """Describe how the process exited, with the last line of its output."""
        if self._process.returncode is None:
            self._collect()
        status = self._process.returncode
        how = f"was killed by {_signal_name(-status)}" if status < 0 else f"ended with status {status}"
        last = self._errors.strip().rpartition(b"\n")[2] or self._pending
        return f"{how}, saying {printable(last)}" if last else how


@contextmanager
def start(
    command: Sequence[str],
    *,
    cpu: int | None,
    seconds_max: float,
    environment: Mapping[str, str] | None = None,
    pass_fds: Sequence[int] = (),
) -> Iterator[Worker]:
    """Start a worker, pinned to the processor `cpu` where one is given; at the end kill all processes that it started.

    `environment` is added to the harness's own, and `pass_fds` are inherited. In the body interrupts are delivered
    while the worker is waited for.

    Raises WorkerError where it cannot be started.
    """
    with postponed(), adopting() as orphans:
        worker = Worker(_started(command, cpu, environment or {}, pass_fds), seconds_max, orphans)
        try:
            yield worker
        finally:
            gone = worker.kill()
            # A pending interrupt must not become a worker's failure.
            if not gone and not isinstance(sys.exc_info()[1], KeyboardInterrupt):
                raise WorkerError("left a process behind that cannot be killed")


def _started(
    command: Sequence[str], cpu: int | None, environment: Mapping[str, str], pass_fds: Sequence[int]
) -> subprocess.Popen[bytes]:
    try:
        return popen(command, cpu, environment, pass_fds)
    except OSError as error:
        what = f": {error.filename!r}" if error.filename else ""
        raise WorkerError(f"could not be started: {error.strerror}{what}") from None


def _pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    return cast("tuple[IO[bytes], IO[bytes], IO[bytes]]", (process.stdin, process.stdout, process.stderr))


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # most of the real-time signals have no name
        return f"signal {number}"


def _peak_rss_bytes(pid: int) -> int | None:
    """Return the peak memory of a live process; None where /proc does not report it, proc(5).

    The `ru_maxrss` of a child includes the peak of the process that it was forked from, the harness.
    """
    try:
        found = re.search(r"^VmHWM:\s*(\d+) kB$", Path(f"/proc/{pid}/status").read_text(encoding="utf-8"), re.MULTILINE)
    except OSError:
        return None
    return int(found[1]) * 1024 if found else None
