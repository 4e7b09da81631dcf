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
    """
    others = os.sched_getaffinity(0) - {cpu}
    if not others:
        return
    for task in Path(f"/proc/{pid}/task").iterdir():
        with suppress(OSError):  # it has ended meanwhile
            os.sched_setaffinity(int(task.name), {cpu} if first and task.name == str(pid) else others)


def exit_fd(pid: int) -> int | None:
    """Return a descriptor that becomes readable when a process ends: pidfd_open(2), Linux 5.3 and later."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None
