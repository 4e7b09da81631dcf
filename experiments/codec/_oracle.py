"""What each slice of codec has to say of its messages, worked out without any of the libraries under test."""

from __future__ import annotations

from struct import pack
from zlib import crc32

from ._messages import (
    COMPLEX,
    REQUEST,
    RESPONSE,
    ROTATED,
    TYPE_CHECKING,
    as_fields,
    fixtures,
    timed,
)

if TYPE_CHECKING:
    from ._messages import Field, Message

CBOR, STRUCT = WAYS = ("cbor", "struct")
ENCODE, CALL, DECODE, TOTAL = STEPS = ("encode", "call", "decode", "total")

REFUSED = 4
"""Of bad messages: bad UTF-8 and one that ends too soon, by the host and by the library."""


def answered(message: Message) -> Message:
    """Return the answer of a message: numbers one more, texts of a response exchanged, the last byte one more."""
    if all(isinstance(each, str) for each in message):  # a response, which has nothing but texts
        return message[::-1]
    return [_changed(each) for each in message]


def _changed(field: Field) -> Field:
    if isinstance(field, int):
        return field + 1 if field < 2**63 - 1 else -(2**63)
    if isinstance(field, bytes):
        return field[:-1] + bytes([(field[-1] + 1) % 256]) if field else field
    return [_changed(each) for each in field] if isinstance(field, list) else field


def as_cbor(field: Field) -> bytes:
    """Encode a field canonically: RFC 8949, section 4.2.1."""
    if field is None:
        return b"\xf6"
    if isinstance(field, int):
        return _head(0, field) if field >= 0 else _head(1, -1 - field)
    if isinstance(field, list):
        return _head(4, len(field)) + b"".join(map(as_cbor, field))
    data = field if isinstance(field, bytes) else field.encode()
    return _head(2 if isinstance(field, bytes) else 3, len(data)) + data


def _head(major: int, number: int) -> bytes:
    for limit, additional, form in ((24, number, ""), (1 << 8, 24, "B"), (1 << 16, 25, "H"), (1 << 32, 26, "I")):
        if number < limit:
            return bytes([major << 5 | additional]) + (pack(f">{form}", number) if form else b"")
    return bytes([major << 5 | 27]) + pack(">Q", number)


def as_struct(shape: str, message: Message) -> bytes:
    """Lay a message out in one block, as `codec.h` says."""
    if shape == COMPLEX:
        items, tags, note = message
        heads = 24 + 16 * len(items) + 8 * len(tags)
        rows, texts = [], b""
        for each in (*items, *tags):
            text, *number = each if isinstance(each, list) else [each]
            rows.append(pack("<II", heads + len(texts), len(_bytes(text))) + b"".join(pack("<q", n) for n in number))
            texts += _bytes(text)
        place = (0, 0) if note is None else (heads + len(texts), len(_bytes(note)))
        head = pack("<6I", 24, len(items), 24 + 16 * len(items), len(tags), *place)
        return head + b"".join(rows) + texts + (b"" if note is None else _bytes(note))
    parts = [_bytes(each) for each in message if not isinstance(each, int)]
    numbers = b"".join(pack("<q", each) for each in message if isinstance(each, int))
    end = 8 * len(parts) + len(numbers)
    head = b""
    for part in parts:
        head += pack("<II", end, len(part))
        end += len(part)
    return head + numbers + b"".join(parts)


def _bytes(field: str | bytes) -> bytes:
    return field.encode() if isinstance(field, str) else field


def encoded(shape: str, way: str, message: Message) -> bytes:
    """Encode a message in one of the two ways."""
    return as_cbor(message) if way == CBOR else as_struct(shape, message)


def light(shape: str, answer: Field) -> int:
    """Return what an iteration adds up of an answer."""
    if shape == COMPLEX:
        items, tags, _ = answer
        number: int = items[0][1]
        return number + len(tags)
    if shape == REQUEST:
        last: int = answer[1]
        return last
    return len(answer[0]) if shape == RESPONSE else answer[0][-1]


def receipt(shape: str, way: str, step: str, size: int, iterations: int) -> dict[str, int | str]:
    """Return what a slice has to say: the sum of its loop, digests of the fixtures' messages and of its last one."""
    last = {CALL: 0, DECODE: (iterations - 1) % ROTATED}.get(step, iterations - 1)
    messages = [*fixtures(shape), timed(shape, last, size)]
    answers = [answered(each) for each in messages]
    return {
        "messages": iterations,
        "sum": _sum(shape, way, step, size, iterations),
        "requests": crc32(b"".join(encoded(shape, way, each) for each in messages)),
        "answers": crc32(b"".join(encoded(shape, way, each) for each in answers)),
        "fields": crc32(b"".join(map(as_fields, answers))),
        "refused": REFUSED,
    }


def _sum(shape: str, way: str, step: str, size: int, iterations: int) -> int:
    """Add up what each iteration adds: lengths of what was encoded, or a field of what was decoded.

    A payload's last byte and a text's length come again, a number grows by one.
    """
    if step in {ENCODE, CALL}:
        cycle = [len(encoded(shape, way, timed(shape, each, size))) for each in range(1 if step == CALL else ROTATED)]
        return sum(cycle[each % len(cycle)] for each in range(iterations))
    numbers = shape in {REQUEST, COMPLEX} and step == TOTAL
    period = ROTATED if step == DECODE or shape == RESPONSE else 256
    # A payload's last byte is the same whatever its size: 256 large ones would take minutes.
    least = light(shape, answered(timed(shape, 0, 1)))
    if numbers:
        return iterations * least + iterations * (iterations - 1) // 2
    cycle = [light(shape, answered(timed(shape, each, 1))) for each in range(period)]
    return sum(cycle[each % period] for each in range(iterations))
