"""The encoding of `native/schema/runtime.h` once more, in Python and of trees: what a codec in C is compared with.

It shares nothing with the codec but the schema, and so tells where columns, templates or runtime are wrong.
"""

from __future__ import annotations

import struct
from typing import Any

from ffibench.schema.model import Field, Message
from ffibench.schema.numbers import NUMBERS

# A message as plain values: a dict by names of fields. What is absent is left out; lists and maps never are.
Tree = dict[str, Any]


def encode(message: Message, tree: Tree) -> bytes:
    """Return the encoding of a tree."""
    parts = []
    for name, fields in _in_order(message):
        if name is None:
            parts.append(_encoded_field(fields[0], tree))
            continue
        member = next((each for each in fields if each.name in tree), None)
        parts.append(_u32(0 if member is None else member.number))
        if member is not None:
            parts.append(_encoded(member, tree[member.name]))
    return b"".join(parts)


def decode(message: Message, data: bytes) -> Tree:
    """Return the tree of an encoding. Raises ValueError where it is none."""
    reader = _Reader(data)
    tree = reader.message(message)
    if reader.at != len(data):
        raise ValueError("something is behind the end of the message")
    return tree


def _in_order(message: Message) -> list[tuple[str | None, list[Field]]]:
    """Return the fields, each by itself with None, the members of a oneof together with its name."""
    found: list[tuple[str | None, list[Field]]] = []
    for field in message.fields:
        if not field.oneof:
            found.append((None, [field]))
        elif all(name != field.oneof for name, _ in found):
            found.append((field.oneof, [each for each in message.fields if each.oneof == field.oneof]))
    return found


def _u32(number: int) -> bytes:
    return struct.pack("<I", number)


def _encoded_field(field: Field, tree: Tree) -> bytes:
    if field.label == "optional":
        return b"\1" + _encoded(field, tree[field.name]) if field.name in tree else b"\0"
    value = tree[field.name]
    if field.label == "one":
        return _encoded(field, value)
    values = [{"key": key, "value": each} for key, each in value.items()] if field.label == "map" else value
    return _u32(len(values)) + b"".join(_encoded(field, each) for each in values)


def _encoded(field: Field, value: Any) -> bytes:  # noqa: ANN401
    if field.message is not None:
        return encode(field.message, value)
    if field.kind in NUMBERS:
        return struct.pack("<" + NUMBERS[field.kind].code, value)
    data: bytes = value.encode() if field.kind == "string" else value
    return _u32(len(data)) + data


class _Reader:
    """The encoding, and where it is read."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def message(self, message: Message) -> Tree:
        tree: Tree = {}
        for name, fields in _in_order(message):
            if name is None:
                self._field(fields[0], tree)
                continue
            members = {each.number: each for each in fields}
            number = self._number("I")
            if number:
                if number not in members:
                    raise ValueError(f"{name} has no field {number}")
                tree[members[number].name] = self._value(members[number])
        return tree

    def _field(self, field: Field, tree: Tree) -> None:
        if field.label == "optional":
            if self._flag():
                tree[field.name] = self._value(field)
        elif field.label == "one":
            tree[field.name] = self._value(field)
        else:
            count = self._number("I")
            if count > len(self.data) - self.at:  # each takes a byte or more
                raise ValueError(f"{count} elements do not fit")
            values = [self._value(field) for _ in range(count)]
            tree[field.name] = {each["key"]: each["value"] for each in values} if field.label == "map" else values

    def _value(self, field: Field) -> Any:  # noqa: ANN401
        if field.message is not None:
            return self.message(field.message)
        if field.kind == "bool":
            return self._flag()
        if field.kind in NUMBERS:
            return self._number(NUMBERS[field.kind].code)
        data = self._taken(self._number("I"))
        return data.decode() if field.kind == "string" else data

    def _flag(self) -> bool:
        byte = self._number("B")
        if byte > 1:
            raise ValueError(f"a flag is 0 or 1, and not {byte}")
        return bool(byte)

    def _number(self, code: str) -> Any:  # noqa: ANN401
        return struct.unpack("<" + code, self._taken(struct.calcsize("<" + code)))[0]

    def _taken(self, size: int) -> bytes:
        data = self.data[self.at : self.at + size]
        if len(data) != size:
            raise ValueError("the message ends too soon")
        self.at += size
        return data
