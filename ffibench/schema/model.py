"""A schema as frozen values: messages, fields and enums, as far as a codec needs them."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Label = Literal["one", "optional", "repeated", "map"]
"""`one` is always there; `optional` may be absent: a field that says so, and every singular message."""


class Enum(Struct, frozen=True):
    """An enum: its full name, and its numbers in the order of the schema, 0 first."""

    name: str
    numbers: tuple[int, ...]


class Field(Struct, frozen=True):
    """A field of a message.

    Attributes:
        name: as the schema spells it.
        number: its tag in protobuf.
        kind: protobuf's word for its type: `sint32`, `string`, `enum`, `message`.
        label: how often it can be there. A member of a oneof is `one`, and there if it is the one that is set.
        message: what it holds, of kind `message`; of a map the message of an entry, with `key` and `value`.
        enum: what it holds, of kind `enum`.
        oneof: the oneof that it is a member of.

    """

    name: str
    number: int
    kind: str
    label: Label
    message: Message | None = None
    enum: Enum | None = None
    oneof: str = ""


class Message(Struct, frozen=True):
    """A message: its full name, and its fields in the order of the schema."""

    name: str
    fields: tuple[Field, ...]


class Schema(Struct, frozen=True):
    """What a suite's messages are made of.

    Attributes:
        name: the suite's.
        root: the message that is encoded: the last one of the file that stands in no other.
        descriptors: protobuf's FileDescriptorSet, of the file and all that it imports.

    """

    name: str
    root: Message
    descriptors: bytes
