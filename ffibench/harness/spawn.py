"""Starts a worker: in its own session, pinned to a processor where asked, with a descriptor that signals its exit."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path


def popen(
    command: Sequence[str], cpu: int | None, environment: Mapping[str, str], pass_fds: Sequence[int] = ()
) -> subprocess.Popen[bytes]:
    """Start a process with three pipes, pinned to the processor `cpu` where one is given. Raises OSError.

    It inherits the descriptors `pass_fds`, and no others.
    """
    with _pinned(cpu):
        return subprocess.Popen(
            command,
            env={**os.environ, **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            pass_fds=pass_fds,
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


def part_threads(pid: int, cpu: int, *, loop: int | None) -> None:
    """Pin the thread `loop` of a team's first process to `cpu`, and all other threads to the other processors.

    So a loop shares its processor neither with its library's own threads nor with another role. Threads that exist
    now are pinned; later ones inherit from the thread that starts them. With one processor nothing is pinned.

    All threads also get SCHED_BATCH, so that a thread that wakes up does not preempt another (sched(7)). Otherwise two
    threads that exchange single messages switch at every message or at almost none, by chance, and the cost of the
    switches is larger than what is measured.
    """
    others = os.sched_getaffinity(0) - {cpu}
    for task in Path(f"/proc/{pid}/task").iterdir():
        with suppress(OSError):  # it has exited meanwhile
            thread = int(task.name)
            if others:
                os.sched_setaffinity(thread, {cpu} if thread == loop else others)
            if os.sched_getscheduler(thread) == os.SCHED_OTHER:  # a policy chosen with chrt(1) is kept
                os.sched_setscheduler(thread, os.SCHED_BATCH, os.sched_param(0))


def exit_fd(pid: int) -> int | None:
    """Return a descriptor that becomes readable when a process exits: pidfd_open(2), Linux 5.3 and later."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None
