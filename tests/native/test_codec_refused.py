"""Messages that the library of `codec` refuses: counts and offsets beyond all bounds, and what is no message."""

from __future__ import annotations

import struct

import pytest
from support.codec import (
    CBOR,
    COMPLEX,
    MALFORMED,
    PAYLOAD,
    REQUEST,
    RESPONSE,
    SHAPES,
    STRUCT,
    WAYS,
    Message,
    messages,
    oracle,
)
from support.codec_fuzz import decoded

HUGE = [2**16, 2**24, 2**28, 2**31, 2**32 - 1, 2**32, 2**40, 2**60, 2**63, 2**64 // 24 + 1, 2**64 // 16, 2**64 - 1]
"""Some of them are few bytes once they are multiplied by the size of an element, in 64 bits."""


def huge(major: int) -> list[bytes]:
    """Heads of CBOR with absurd counts."""
    return [bytes([major << 5 | 27]) + struct.pack(">Q", each) for each in HUGE if each >= 2**32] + [
        bytes([major << 5 | 26]) + struct.pack(">I", each) for each in HUGE if each < 2**32
    ]


NO_MESSAGES: dict[str, tuple[str, list[bytes]]] = {
    "no bytes": (REQUEST, [b""]),
    "a list of very many requests": (COMPLEX, [b"\x83" + head + b"\x82\x60\0" * 9 for head in huge(4)]),
    "a list of very many texts": (COMPLEX, [b"\x83\x80" + head + b"\x60" * 9 for head in huge(4)]),
    "an element more than there are bytes for": (COMPLEX, [b"\x83\x82\x82\x60\0\x80", b"\x83\x80\x82\x60"]),
    "a text that is very long": (REQUEST, [b"\x82" + head + b"text" for head in huge(3)]),
    "bytes that are very many": (PAYLOAD, [b"\x81" + head + b"bytes" for head in huge(2)]),
    "a message of very many fields": (REQUEST, [head + b"\x60\0" for head in huge(4)]),
    "lists in lists": (COMPLEX, [b"\x81" * depth for depth in (1, 3, 4, 5, 1000)] + [b"\x83" * 4 + b"\x80" * 9]),
    "no length": (COMPLEX, [b"\x9f\x80\x80\xf6\xff", b"\x83\x9f\xff\x80\xf6", b"\x83\x80\x9f\x60\xff\xf6"]),
    "a text in pieces": (REQUEST, [b"\x82\x7f\x61a\x61b\xff\0"]),
    "bytes in pieces": (PAYLOAD, [b"\x81\x5f\x41a\xff"]),
    "a number that takes too much": (REQUEST, [b"\x82\x60" + each for each in (b"\x18\x17", b"\x19\0\xff", b"\x38\0")]),
    "a length that takes too much": (REQUEST, [b"\x82\x78\0\0", b"\x98\x02\x60\0"]),
    "a number beyond 64 bits": (REQUEST, [b"\x82\x60\x1b\x80" + bytes(7), b"\x82\x60\x3b\x80" + bytes(7)]),
    "another kind of number": (REQUEST, [b"\x82\x60\xf9\0\0", b"\x82\x60\xfb" + bytes(8), b"\x82\x60\xf5"]),
    "bytes for a text": (REQUEST, [b"\x82\x41a\0"]),
    "a text for bytes": (PAYLOAD, [b"\x81\x61a"]),
    "fields that are exchanged": (REQUEST, [b"\x82\0\x60"]),
    "a field too few": (RESPONSE, [b"\x81\x60", b"\x80"]),
    "a field too many": (RESPONSE, [b"\x83\x60\x60\x60"]),
    "a map": (REQUEST, [b"\xa1\x60\0"]),
    "a tag": (REQUEST, [b"\xc1\x82\x60\0", b"\x82\xc0\x60\0"]),
    "another nothing": (COMPLEX, [b"\x83\x80\x80" + each for each in (b"\xf7", b"\xf4", b"\xf8\x16", b"\xf8\xff")]),
    "heads without a meaning": (REQUEST, [b"\x82\x60" + bytes([byte]) for byte in b"\x1c\x1d\x1e\x1f\x3f\xff"]),
}  # fmt: skip


@pytest.mark.parametrize("what", NO_MESSAGES)
def test_cbor_that_is_no_message(codec_program: list[str], what: str) -> None:
    shape, data = NO_MESSAGES[what]
    assert decoded(codec_program, [(shape, CBOR, each) for each in data]) == [MALFORMED] * len(data)


NEAR = [2**32 - 1, 2**32 - 8, 2**32 - 16, 2**31, 2**31 - 1, 2**28, 2**29, 2**28 + 1, 2**29 + 1, 2**30]
"""Some of them are few bytes once they are multiplied by the size of an element, in 32 bits."""
SPANS = {REQUEST: [0], RESPONSE: [0, 8], COMPLEX: [0, 8, 16, 24, 24 + 16 * 3], PAYLOAD: [0]}
"""Where a block has an offset with a length or a count: in its head, in its first request, in its first text."""


@pytest.mark.parametrize("shape", SHAPES)
def test_blocks_with_an_offset_or_a_count_outside(codec_program: list[str], shape: str) -> None:
    data, bad = oracle.as_struct(shape, messages.timed(shape, 0, 8)), []
    for at in SPANS[shape]:
        offset, count = struct.unpack_from("<II", data, at)
        for near in (*NEAR, len(data) + 1):
            spans = [(near, count), (near, 0), (offset, near), (near, near), (near, min(2**32 - 1, 2**32 - near + 1))]
            bad += [data[:at] + struct.pack("<II", *span) + data[at + 8 :] for span in spans]
    assert decoded(codec_program, [(shape, STRUCT, each) for each in bad]) == [MALFORMED] * len(bad)


@pytest.mark.parametrize("shape", SHAPES)
def test_what_follows_a_message(codec_program: list[str], shape: str) -> None:
    """A block may have bytes that nothing names."""
    data = {way: oracle.encoded(shape, way, messages.timed(shape, 0, 8)) + b"\0" for way in WAYS}
    assert decoded(codec_program, [(shape, CBOR, data[CBOR]), (shape, STRUCT, data[STRUCT])]) == [MALFORMED, 0]


@pytest.mark.parametrize("bad", [b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82", b"\x80"])
def test_a_text_that_is_not_utf_8_in_every_place(codec_program: list[str], bad: bytes) -> None:
    mark = "?" * len(bad)
    found: dict[str, list[Message]] = {REQUEST: [[mark, 1]], RESPONSE: [[mark, ""], ["", f"much longer {mark}"]]}
    found[COMPLEX] = [[[["", 0], [mark, 0]], [], None], [[], ["", mark], None], [[], [], f"a note {mark}"]]
    good, spoiled = [], []
    for way in WAYS:
        for shape, each in ((shape, each) for shape, known in found.items() for each in known):
            good.append((shape, way, oracle.encoded(shape, way, each)))
            spoiled.append((shape, way, good[-1][2].replace(mark.encode(), bad)))
    assert set(decoded(codec_program, good)) == {0}
    assert decoded(codec_program, spoiled) == [MALFORMED] * len(spoiled)


def test_a_shape_that_is_none(codec_program: list[str]) -> None:
    unknown = [(shape, way, data) for shape in (4, 5, 127, 255) for way in WAYS for data in (b"", b"\x80", bytes(64))]
    assert set(decoded(codec_program, unknown)) == {MALFORMED}
