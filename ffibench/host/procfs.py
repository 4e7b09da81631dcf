"""Reads the small text files of /proc and /sys, below a root folder: `/`, or another one in tests."""

from __future__ import annotations

from pathlib import Path

ROOT = Path("/")


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


def numbered(listed: str) -> tuple[int, ...]:
    """Parse the kernel's list notation, `0,2-4`; empty where the text is not such a list."""
    found: list[int] = []
    for part in listed.split(","):
        first, _, last = part.strip().partition("-")
        if not first.isdecimal() or not (last or first).isdecimal():
            return ()
        found += range(int(first), int(last or first) + 1)
    return tuple(found)
