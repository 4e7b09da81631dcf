"""Messages of `codec` that a host has to take, and those that it has to refuse."""

from __future__ import annotations

from collections.abc import Iterator
from struct import pack, pack_into
from typing import NamedTuple

TEXT = b"a text"


class Given(NamedTuple):
    """Memory, of which so many bytes are a message."""

    shape: str
    way: str
    memory: bytes
    length: int


BLOCKS = {
    "request": pack("<IIq", 16, 6, -5) + TEXT,
    "response": pack("<4I", 16, 6, 22, 6) + TEXT + TEXT,
    "complex": pack("<6I", 24, 1, 40, 1, 60, 6) + pack("<IIq", 48, 6, 7) + pack("<2I", 54, 6) + TEXT + TEXT + TEXT,
    "payload": pack("<2I", 8, 6) + TEXT,
}
SPANS = {
    "request": (0, 4),
    "response": (0, 4, 8, 12),
    "complex": (0, 4, 8, 12, 16, 20, 24, 28, 40, 44),
    "payload": (0, 4),
}
"""Where offsets and lengths lie."""

CBOR = {
    "request": b"\x82\x66" + TEXT + b"\x24",
    "response": b"\x82\x66" + TEXT + b"\x66" + TEXT,
    "complex": b"\x83\x81\x82\x66" + TEXT + b"\x07\x81\x66" + TEXT + b"\x66" + TEXT,
    "payload": b"\x81\x46" + TEXT,
}


def good() -> Iterator[Given]:
    """Yield messages as they should be, alone and with more memory behind them."""
    for way, messages in (("cbor", CBOR), ("struct", BLOCKS)):
        for shape, message in messages.items():
            yield Given(shape, way, message + bytes(8), len(message))


def bad() -> Iterator[Given]:
    """Yield messages that end too soon, whose texts are not UTF-8, and blocks whose numbers lead out of them."""
    for given in good():
        shape, way, memory, length = given
        message = memory[:length]
        for less in range(length):
            yield Given(shape, way, message[:less] + bytes(1), less)
            if way == "struct":  # what lies behind the end is in reach, and none of the message
                yield Given(shape, way, memory, less)
        if shape != "payload":
            for place in range(message.count(TEXT)):
                before = sum(len(part) + len(TEXT) for part in message.split(TEXT)[: place + 1]) - len(TEXT)
                yield Given(shape, way, memory[:before] + b"\xff" + memory[before + 1 :], length)
    for shape, places in SPANS.items():
        for place in places:
            for number in (len(BLOCKS[shape]) + 1, 2**32 - 1):
                changed = bytearray(BLOCKS[shape] + bytes(8))
                pack_into("<I", changed, place, number)
                yield Given(shape, "struct", bytes(changed), len(BLOCKS[shape]))
    for shape, message in CBOR.items():
        yield Given(shape, "cbor", message + b"\0\0", len(message) + 1)


def as_lines(messages: Iterator[Given]) -> str:
    """Write messages as lines that a program of any language reads: `request struct 10000000 4`."""
    return "".join(f"{shape} {way} {memory.hex()} {length}\n" for shape, way, memory, length in messages)
