"""What a worker or a file said, as a short piece of a message."""

from __future__ import annotations

PRINTED_BYTES_MAX = 160
NUMBER_CHARACTERS_MAX = 50


def printable(data: bytes) -> str:
    """Return a piece of a worker's output for a message: short, with control characters escaped."""
    return repr(data[:PRINTED_BYTES_MAX].decode("utf-8", "replace")) + ("..." if len(data) > PRINTED_BYTES_MAX else "")


def named(text: str) -> str:
    """Return a name from a file for a message: as it is, or quoted and short where it is long or would break a line."""
    return text if text.isprintable() and len(text) <= PRINTED_BYTES_MAX else printable(text.encode())


def quoted(value: int | str | None) -> str:
    """Return a reported value for a message: short, quoted where it is text, `nothing` where there is none."""
    if value is None:
        return "nothing"
    text = f"{value:,}" if isinstance(value, int) else ""
    return text if 0 < len(text) <= NUMBER_CHARACTERS_MAX else printable(str(value).encode())
