"""Reads the small text files of /proc and /sys, below a root folder: `/`, or another one in tests."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

ROOT = Path("/")
PROC = ROOT / "proc"


def text(path: Path) -> str | None:
    """Return the text of a file, stripped; None where it is empty or unreadable."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip() or None
    except OSError:
        return None


def number(path: Path) -> int | None:
    """Return the integer in a file; None where there is none."""
    try:
        return int(text(path) or "")
    except ValueError:
        return None


def fields(path: Path, separator: str | None = None) -> dict[str, str]:
    """Return the name-value lines of a file as a mapping: `nr_throttled 3`, or `TracerPid: 0` split at `:`."""
    pairs = [line.split(separator, 1) for line in (text(path) or "").splitlines()]
    return {pair[0].strip(): pair[1].strip() for pair in pairs if len(pair) == 2}


def children(pid: int, *, proc: Path = PROC) -> list[int]:
    """Return the children of all threads of a process; none where it has ended or the kernel does not list them.

    Read without pathlib, which takes three times as long: an audit looks at all processes of a command many times.
    """
    found: list[int] = []
    with suppress(OSError):
        for thread in os.scandir(f"{proc}/{pid}/task"):
            with suppress(OSError):  # the thread has ended meanwhile
                found += map(int, content(f"{thread.path}/children").split())
    return found


def content(path: str) -> bytes:
    """Return the content of a file. Raises OSError."""
    with open(path, "rb", buffering=0) as file:  # noqa: PTH123 (see `children`)
        return file.read()


def numbered(listed: str) -> tuple[int, ...]:
    """Parse the kernel's list notation, `0,2-4`; empty where the text is not such a list."""
    found: list[int] = []
    for part in listed.split(","):
        first, _, last = part.strip().partition("-")
        if not first.isdecimal() or not (last or first).isdecimal():
            return ()
        found += range(int(first), int(last or first) + 1)
    return tuple(found)
