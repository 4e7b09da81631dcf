"""Reads the small text files in which Linux tells of itself, below a root folder: `/`, or a made-up one."""

from __future__ import annotations

from pathlib import Path

ROOT = Path("/")


def text(path: Path) -> str | None:
    """Return what a file says, without the white space around it; None where it says nothing or cannot be read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip() or None
    except OSError:
        return None


def number(path: Path) -> int | None:
    """Return the whole number in a file; None where there is none."""
    try:
        return int(text(path) or "")
    except ValueError:
        return None


def fields(path: Path, separator: str | None = None) -> dict[str, str]:
    """Return the lines of a file that are a name and its value: `nr_throttled 3`, or `TracerPid: 0` split at `:`."""
    pairs = [line.split(separator, 1) for line in (text(path) or "").splitlines()]
    return {pair[0].strip(): pair[1].strip() for pair in pairs if len(pair) == 2}


def numbered(listed: str) -> tuple[int, ...]:
    """Read a kernel's list of numbers, `0,2-4`; what is no such list is empty."""
    found: list[int] = []
    for part in listed.split(","):
        first, _, last = part.strip().partition("-")
        if not first.isdecimal() or not (last or first).isdecimal():
            return ()
        found += range(int(first), int(last or first) + 1)
    return tuple(found)
