"""The messages of codec: those that are timed, the fixtures, and how a host writes out what it decoded.

A message is the list of its fields in their order, as `codec.h` has them.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Message = Any
    """A list or a tuple of fields: numbers, texts, bytes, None, lists. Each is known by its place alone."""
    Field = Any

REQUEST, RESPONSE, COMPLEX, PAYLOAD = SHAPES = ("request", "response", "complex", "payload")

FIRST_NUMBER = 100_000
SHORT_TEXT = 16
ROTATED = 8
"""Messages in a row that differ."""
ODD_TEXT = "é€😀"
ODD_TIMES = 100


def timed(shape: str, iteration: int, size: int) -> Message:
    """Return the message of an iteration; `size` is that of a payload."""
    number = FIRST_NUMBER + iteration
    if shape == REQUEST:
        return ["hello from the other side", number]
    if shape == RESPONSE:
        return ["status: everything is fine", "x" * (SHORT_TEXT + iteration % ROTATED)]
    if shape == COMPLEX:
        items: list[Field] = [["first item", number], ["second item", 1], ["third item", -2]]
        return [items, ["alpha", "beta", "gamma", "delta"], "a note, which may be absent"]
    return [payload(size)[:-1] + bytes([iteration % 256])]


def payload(size: int) -> bytes:
    """Return the bytes of a payload, before its last one is varied."""
    return (bytes((7 * place + 3) % 256 for place in range(256)) * (size // 256 + 1))[:size]


def fixtures(shape: str) -> list[Message]:
    """Return a message that is empty or absent, one that is little, and extremes."""
    odd = ODD_TEXT * ODD_TIMES
    items: list[Field] = [[ODD_TEXT, -(2**63)]] * ODD_TIMES
    tags: list[Field] = [ODD_TEXT] * ODD_TIMES
    found: dict[str, list[Message]] = {
        REQUEST: [["", 0], ["a", -1], [odd, 2**63 - 1]],
        RESPONSE: [["", ""], ["a", ""], [odd, "z" * 300]],
        COMPLEX: [[[], [], None], [[["", 0]], [""], None], [items, tags, ""]],
        PAYLOAD: [[b""], [b"\0"], [bytes(range(256)) * 4]],
    }
    return found[shape]


def as_fields(field: Field) -> bytes:
    """Write fields out, so that two messages with different ones differ: what hosts digest of what they decoded."""
    if field is None:
        return b"-"
    if isinstance(field, int):
        return b"%d;" % field
    if isinstance(field, (list, tuple)):
        return b"%d[" % len(field) + b"".join(map(as_fields, field)) + b"]"
    data = field.encode() if isinstance(field, str) else field
    return b"%d:" % len(data) + data
