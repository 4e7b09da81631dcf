"""How a worker is started: in a session of its own, on one processor where it is to be, its end made visible."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path


def popen(command: Sequence[str], cpu: int | None, environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """Start a process with its three pipes, pinned to the processor `cpu` where one is given. Raises OSError."""
    with _pinned(cpu):
        return subprocess.Popen(
            command,
            env={**os.environ, **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )


@contextmanager
def _pinned(cpu: int | None) -> Iterator[None]:
    """Run the body on one processor: a child inherits it, and so do the threads that the child starts."""
    if cpu is None:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {cpu})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def part_threads(pid: int, cpu: int, *, first: bool) -> None:
    """Leave the processor `cpu` to the main thread of a team's `first` process, and the others to all else.

    So a loop shares its processor neither with the threads of its own library nor with another role; what a role has
    set up by then is bound, and what it starts later with its parent. Without a second processor nothing is parted.

    Nor does a thread take the processor from another because it has just been woken (SCHED_BATCH, sched(7)): two that
    hand each other single messages change places at each of them or at hardly any, as it happens, and the cost of
    that is larger than what is measured.
    """
    others = os.sched_getaffinity(0) - {cpu}
    for task in Path(f"/proc/{pid}/task").iterdir():
        with suppress(OSError):  # it has ended meanwhile
            thread = int(task.name)
            if others:
                os.sched_setaffinity(thread, {cpu} if first and thread == pid else others)
            if os.sched_getscheduler(thread) == os.SCHED_OTHER:  # what somebody chose by chrt(1) is left
                os.sched_setscheduler(thread, os.SCHED_BATCH, os.sched_param(0))


def exit_fd(pid: int) -> int | None:
    """Return a descriptor that becomes readable when a process ends: pidfd_open(2), Linux 5.3 and later."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None
