"""The processes that a command starts, seen in /proc while it runs: which of them are not counted, which outlive it.

Nobody is traced and nothing is stopped: /proc is read up to a hundred times a second, so that a process which ends
between two looks is missed. What loses its parent is adopted by this process (see `harness.orphans`) and so stays in
sight.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from msgspec import Struct

from ffibench.audit.program import printable
from ffibench.audit.support import unsupported
from ffibench.host.procfs import children, content

PROC = Path("/proc")

PAUSE_SECONDS = 0.01
"""Between two looks at all processes."""
PAUSE_OF_COST = 50
"""A look that takes long, at many processes, is followed by a pause of so many times its length."""
STARTING_SECONDS_MAX = 0.05
"""A program without the counter may still be starting: it is uncounted if it is seen so for longer."""

CLEARED = "was started without LD_AUDIT or FFIBENCH_COUNT in its environment, as by env -i or sudo"
AUDITED = "is counted by an audit of its own"
HIDDEN = "has more rights than this user, who cannot see whether it is counted"
NOT_LOADED = "did not load the counting library"


class Uncounted(Struct, frozen=True, kw_only=True):
    """A program that ran without the counting library, and why."""

    program: str
    """Its file, or its name alone where the file is hidden from this user."""
    reason: str
    """A clause that follows the program."""
    processes: int


class Survivor(Struct, frozen=True, kw_only=True):
    """A process that was still running when counting ended."""

    program: str
    pid: int


class _Image(Struct, frozen=True):
    """A process between two calls of exec: process ids are reused, and exec moves the stack (proc(5))."""

    pid: int
    started: int
    stack: int


class Descendants:
    """All processes below this one, except the children that it had before.

    Attributes:
        listed: whether the kernel lists the children of a process at all (CONFIG_PROC_CHILDREN).

    """

    def __init__(self, counts: str = "") -> None:
        """Look for the processes that have the file `counts` mapped, into which the counting library counts."""
        self.listed = (PROC / f"self/task/{os.getpid()}/children").exists()
        self._before = set(_children(os.getpid()))
        self._counts = os.fsencode(counts)
        self._known: set[_Image] = set()
        self._uncounted: dict[_Image, tuple[str, str]] = {}
        self._starting: dict[_Image, float] = {}

    def look(self) -> float:
        """Look at every process once; return the seconds until the next look is due."""
        began = time.monotonic()
        found = [status for pid in self._all() if (status := _status(pid)) is not None]
        pause = max(PAUSE_SECONDS, PAUSE_OF_COST * (time.monotonic() - began))
        for name, image in found:
            if image not in self._known:  # once for each program, so that it is no cost of the next look
                with suppress(OSError):  # it has ended meanwhile
                    self._examine(name, image, began)
        return pause

    def uncounted(self) -> tuple[Uncounted, ...]:
        """Return the programs that were seen without the counting library, sorted."""
        found = Counter(self._uncounted.values())
        return tuple(
            Uncounted(program=printable(program), reason=reason, processes=count)
            for (program, reason), count in sorted(found.items())
        )

    def survivors(self) -> tuple[Survivor, ...]:
        """Return the processes that are running now, by process id."""
        found = ((pid, _status(pid)) for pid in sorted(self._all()))
        return tuple(
            Survivor(pid=pid, program=printable(_program(pid) or status[0]))
            for pid, status in found
            if status is not None
        )

    def reap(self, command: int) -> float:
        """Wait for the adopted processes that have ended, all but `command`; return the CPU time that they used.

        A process that waits until another one is gone would wait for ever otherwise.
        """
        seconds = 0.0
        for pid in set(_children(os.getpid())) - self._before - {command}:
            with suppress(ChildProcessError):
                ended, _, usage = os.wait4(pid, os.WNOHANG)
                seconds += usage.ru_utime + usage.ru_stime if ended else 0
        return seconds

    def _all(self) -> Iterator[int]:
        rest = [pid for pid in _children(os.getpid()) if pid not in self._before]
        while rest:
            pid = rest.pop()
            yield pid
            rest += _children(pid)

    def _examine(self, name: str, image: _Image, now: float) -> None:
        """Find out whether a program is counted. Raises OSError where it has ended."""
        folder = PROC / str(image.pid)
        try:
            mapped = (folder / "maps").read_bytes()
        except PermissionError:
            self._note(image, name, HIDDEN)
            return
        if not mapped:  # it is ending
            return
        if self._counts in mapped:
            self._known.add(image)
            self._uncounted.pop(image, None)
            return
        program = _program(image.pid) or name
        environment = (folder / "environ").read_bytes().split(b"\0")
        if not (folder / "cmdline").read_bytes():  # the kernel has not put its arguments and environment in place yet
            return
        if _status(image.pid) != (
            name,
            image,
        ):  # nor its stack, when this look began
            return
        if (hindered := _hindered(program)) is not None:
            self._note(image, program, hindered)
        elif (counts := _variable(environment, b"FFIBENCH_COUNT")) not in {None, self._counts}:
            self._note(image, program, AUDITED)
        elif counts is None or _variable(environment, b"LD_AUDIT") is None:
            self._note(image, program, CLEARED)
        elif now - self._starting.setdefault(image, now) > STARTING_SECONDS_MAX:
            # Not known for good: a program that waits long for a processor may load the library later.
            self._uncounted[image] = (program, NOT_LOADED)

    def _note(self, image: _Image, program: str, reason: str) -> None:
        self._known.add(image)
        self._uncounted[image] = (program, reason)


def _variable(environment: list[bytes], name: bytes) -> bytes | None:
    return next((each[len(name) + 1 :] for each in environment if each.startswith(name + b"=")), None)


@cache
def _hindered(program: str) -> str | None:
    """Return why no process of a program can be counted, without its path; None where that is not so, or not known."""
    if not Path(program).exists():  # it was deleted, or is another folder tree's
        return None
    hindered = unsupported(Path(program))
    return None if hindered is None else hindered.reason.removeprefix(f"{program} ")


def _children(pid: int) -> list[int]:
    return children(pid, proc=PROC)


def _status(pid: int) -> tuple[str, _Image] | None:
    """Return the name and identity of a process; None where it has ended, a zombie too."""
    try:
        text = content(f"{PROC}/{pid}/stat").decode("utf-8", "backslashreplace")
    except OSError:
        return None
    # The name is in parentheses and may contain some itself; state, start and stack are the fields 3, 22 and 28.
    name, _, rest = text.partition("(")[2].rpartition(")")
    fields = rest.split()
    if fields[0] in {"Z", "X"}:
        return None
    return name, _Image(pid, started=int(fields[19]), stack=int(fields[25]))


def _program(pid: int) -> str | None:
    """Return the file of a process's program; None where it is hidden."""
    try:
        return str((PROC / f"{pid}/exe").readlink())
    except OSError:
        return None
