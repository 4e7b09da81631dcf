"""The messages of a suite: the one of its JSON, and three that are made from the schema alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from ffibench.errors import FfibenchError
from ffibench.schema.model import Field, Message, Schema
from ffibench.schema.numbers import NUMBERS
from ffibench.schema.protoc import require_protobuf
from ffibench.schema.suites import Suite
from ffibench.schema.wire import Tree

LONG = 300
"""Elements of a list that stands once, in the fixture of extremes: more than one byte of a varint counts."""
SHORT = (2, 0, 1)
"""Elements of lists in rows, in turn."""
TEXTS = ("é€😀\U0010ffff", "", "plain", "with \0 and \n", "\x7f\u0080\u07ff\u0800\ud7ff\ue000\uffff")
"""The first and last characters of each length in UTF-8 among them."""
BYTES = (bytes(range(256)), b"", b"\xff\xfe", b"\0")

# A message of protobuf, whose classes carry no types.
ProtobufMessage = Any


def message_class(schema: Schema) -> Callable[[], ProtobufMessage]:
    """Return protobuf's own class of the root. Raises FfibenchError where protobuf is not installed."""
    require_protobuf()
    from google.protobuf import descriptor_pool, message_factory
    from google.protobuf.descriptor_pb2 import FileDescriptorSet

    # A pool of its own: two suites may have messages of one name.
    pool = descriptor_pool.DescriptorPool()
    for file in FileDescriptorSet.FromString(schema.descriptors).file:
        pool.Add(file)
    made: Callable[[], ProtobufMessage] = message_factory.GetMessageClass(pool.FindMessageTypeByName(schema.root.name))
    return made


def read_message(suite: Suite, schema: Schema) -> Tree:
    """Return the message of a suite's JSON. Raises FfibenchError where it is none of the schema."""
    message = message_class(schema)()
    from google.protobuf.json_format import Parse, ParseError

    try:
        Parse(suite.json.read_text(encoding="utf-8"), message)
    except (ParseError, UnicodeDecodeError, OSError) as error:
        told = str(error).partition("\n")[0].rstrip(".")
        raise FfibenchError(
            f"{suite.json} is no `{schema.root.name}` in protobuf's JSON mapping: {told}",
            fix=f"correct it, or {suite.proto}",
        ) from None
    return from_protobuf(schema.root, message)


def from_protobuf(message: Message, source: ProtobufMessage) -> Tree:
    """Return a message of protobuf as plain values; the entries of a map are in the order of their keys."""
    tree: Tree = {}
    for field in message.fields:
        if (field.label == "optional" or field.oneof) and not source.HasField(field.name):
            continue
        value = getattr(source, field.name)
        if field.label == "map":
            held = _fields_of_entry(field)[1]
            tree[field.name] = {key: _plain(held, value[key]) for key in sorted(value)}
        elif field.label == "repeated":
            tree[field.name] = [_plain(field, each) for each in value]
        else:
            tree[field.name] = _plain(field, value)
    return tree


def to_protobuf(message: Message, tree: Tree, target: ProtobufMessage) -> None:
    """Set all fields of a message of protobuf that has none yet."""
    for field in message.fields:
        if field.name not in tree:
            continue
        value, there = tree[field.name], getattr(target, field.name)
        if field.label == "map":
            held = _fields_of_entry(field)[1]
            for key, each in value.items():
                if held.message is None:
                    there[key] = each
                else:
                    to_protobuf(held.message, each, there[key])
        elif field.label == "repeated" and field.message is not None:
            for each in value:
                to_protobuf(field.message, each, there.add())
        elif field.label == "repeated":
            there.extend(value)
        elif field.message is not None:
            there.SetInParent()
            to_protobuf(field.message, value, there)
        else:
            setattr(target, field.name, value)


def _fields_of_entry(field: Field) -> tuple[Field, Field]:
    assert field.message is not None
    key, value = field.message.fields
    return key, value


def _plain(field: Field, value: Any) -> Any:  # noqa: ANN401
    return value if field.message is None else from_protobuf(field.message, value)


def derived(schema: Schema) -> dict[str, Tree]:
    """Return three messages, by name.

    `zeros` has each field once, with protobuf's default; `absent` has no field that may be absent, and empty lists;
    `extremes` the lowest and highest numbers, texts of all lengths in UTF-8, long and empty lists.
    """
    return {"zeros": _zeros(schema.root), "absent": _absent(schema.root), "extremes": _Extremes().message(schema.root)}


def _zeros(message: Message) -> Tree:
    tree: Tree = {}
    seen: set[str] = set()
    for field in message.fields:
        if field.oneof in seen:
            continue
        seen |= {field.oneof} - {""}
        if field.label == "map":
            key, value = _fields_of_entry(field)
            tree[field.name] = {_zero(key): _zero(value)}
        else:
            tree[field.name] = [_zero(field)] if field.label == "repeated" else _zero(field)
    return tree


def _zero(field: Field) -> Any:  # noqa: ANN401
    defaults = {"string": "", "bytes": b"", "bool": False, "float": 0.0, "double": 0.0}
    return _zeros(field.message) if field.message is not None else defaults.get(field.kind, 0)


def _absent(message: Message) -> Tree:
    tree: Tree = {}
    for field in message.fields:
        if field.label in {"repeated", "map"}:
            tree[field.name] = {} if field.label == "map" else []
        elif field.label == "one" and not field.oneof:
            tree[field.name] = _zero(field)
    return tree


class _Extremes:
    """How often each field has come up: the next time it has its next extreme."""

    def __init__(self) -> None:
        self.turns: Counter[str] = Counter()

    def message(self, message: Message, *, rows: bool = False) -> Tree:
        tree: Tree = {}
        for name in dict.fromkeys(each.oneof for each in message.fields if each.oneof):
            members = [each for each in message.fields if each.oneof == name]
            # The last one where it stands once; in rows all in turn, and none.
            place = self._turn(f"{message.name}.{name}.", len(members) + 1) if rows else 0
            if place < len(members):
                member = members[-1 - place]
                tree[member.name] = self._value(message, member, rows=rows)
        for field in message.fields:
            if field.oneof or (field.label == "optional" and rows and self._turn(f"{message.name}.{field.name}?", 2)):
                continue
            if field.label in {"one", "optional"}:
                tree[field.name] = self._value(message, field, rows=rows)
                continue
            length = SHORT[self._turn(f"{message.name}.{field.name}#", len(SHORT))] if rows else LONG
            if field.label == "map":
                key, value = _fields_of_entry(field)
                entries = ((self._key(key, place), self._value(message, value, rows=True)) for place in range(length))
                tree[field.name] = dict(sorted(entries, key=lambda entry: entry[0]))
            else:
                tree[field.name] = [self._value(message, field, rows=True) for _ in range(length)]
        return tree

    def _turn(self, what: str, of: int) -> int:
        self.turns[what] += 1
        return (self.turns[what] - 1) % of

    def _value(self, message: Message, field: Field, *, rows: bool) -> Any:  # noqa: ANN401
        if field.message is not None:
            return self.message(field.message, rows=rows)
        values = _extremes_of(field)
        return values[self._turn(f"{message.name}.{field.name}", len(values))]

    def _key(self, field: Field, place: int) -> Any:  # noqa: ANN401
        values = _extremes_of(field)
        if place < len(values):
            return values[place]
        return f"{TEXTS[0]}{place}" if field.kind == "string" else bool(place % 2) if field.kind == "bool" else place


def _extremes_of(field: Field) -> Sequence[Any]:
    if field.enum is not None:
        return (min(field.enum.numbers), max(field.enum.numbers))
    plain: dict[str, Sequence[Any]] = {"string": TEXTS, "bytes": BYTES, "bool": (True, False)}
    return plain[field.kind] if field.kind in plain else NUMBERS[field.kind].extremes
