"""From what protoc says of a `.proto` to a schema; what a codec of fixed layout cannot have is refused by its line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ffibench.errors import FfibenchError
from ffibench.schema.model import Enum, Field, Label, Message, Schema
from ffibench.schema.protoc import descriptor_set

# Numbers of fields in google/protobuf/descriptor.proto, of which the places in a file are made.
MESSAGES, SERVICES, EXTENSIONS, SYNTAX = 4, 6, 7, 12
NESTED, FIELDS, NESTED_EXTENSIONS = 3, 2, 6

KINDS = {
    1: "double", 2: "float", 3: "int64", 4: "uint64", 5: "int32", 6: "fixed64", 7: "fixed32", 8: "bool", 9: "string",
    11: "message", 12: "bytes", 13: "uint32", 14: "enum", 15: "sfixed32", 16: "sfixed64", 17: "sint32", 18: "sint64",
}  # fmt: skip
"""By FieldDescriptorProto.Type, all but groups, which proto3 has none of."""
REPEATED = 3
PROTO3 = "proto3"
DEPTH_MAX = 100
"""Of messages in messages: protobuf's own decoders refuse deeper ones unless they are told not to."""

# protobuf's own modules carry no types.
Descriptor = Any
Place = tuple[int, ...]


def read_schema(proto: Path) -> Schema:
    """Return the schema of a file; its root is the last message that stands in no other.

    Raises FfibenchError, with file and line, for what protoc refuses, and for what a codec cannot lay out or bound:
    recursion, lists of messages without a field, groups and whatever else is not proto3, extensions, a file without a
    message.
    """
    found = descriptor_set(proto)
    return Schema(proto.stem, _Reader(found, proto).root(), found)


class _Reader:
    """The files of a descriptor set, with the place of each message in them."""

    def __init__(self, serialized: bytes, proto: Path) -> None:
        from google.protobuf.descriptor_pb2 import FileDescriptorSet  # late: only who has suites needs protobuf

        files = FileDescriptorSet.FromString(serialized).file
        self.folder = proto.parent
        self.own: Descriptor = files[-1]  # protoc lists a file after all that it imports
        self.lines = {
            (file.name, tuple(each.path)): each.span[0] + 1 for file in files for each in file.source_code_info.location
        }
        self.messages: dict[str, tuple[Descriptor, Descriptor, Place]] = {}
        self.enums: dict[str, Enum] = {}
        self.done: dict[str, Message] = {}
        for file in files:
            # protobuf's own descriptor.proto, which options import, is proto2 and full of extensions.
            if not file.name.startswith("google/protobuf/"):
                self._refuse_extensions(file, file.extension, (EXTENSIONS,))
            package = f".{file.package}" if file.package else ""
            self._take_enums(file.enum_type, package)
            for index, message in enumerate(file.message_type):
                self._take(file, message, package, (MESSAGES, index))

    def root(self) -> Message:
        """Return the last message of the file, with all that is in it."""
        if not self.own.message_type:
            what = (SERVICES, 0) if self.own.service else ()
            raise self._refused(self.own, what, "there is no message in this file", "add the message to encode, last")
        package = f".{self.own.package}" if self.own.package else ""
        return self._message(f"{package}.{self.own.message_type[-1].name}", ())

    def _take(self, file: Descriptor, message: Descriptor, scope: str, place: Place) -> None:
        name = f"{scope}.{message.name}"
        self.messages[name] = (file, message, place)
        self._refuse_extensions(file, message.extension, (*place, NESTED_EXTENSIONS))
        self._take_enums(message.enum_type, name)
        for index, nested in enumerate(message.nested_type):
            self._take(file, nested, name, (*place, NESTED, index))

    def _take_enums(self, enums: Sequence[Descriptor], scope: str) -> None:
        for each in enums:
            name = f"{scope}.{each.name}"
            self.enums[name] = Enum(name[1:], tuple(value.number for value in each.value))

    def _message(self, name: str, trail: tuple[str, ...]) -> Message:
        if name not in self.done:
            file, message, place = self.messages[name]
            if (file.syntax or "proto2") != PROTO3:
                wanted = f"`{name[1:]}` is of {file.syntax or 'proto2'}, whose fields differ"
                raise self._refused(file, (SYNTAX,), wanted, 'write syntax = "proto3"; in its first line')
            within = (*trail, name)
            fields = (
                self._field(file, message, (*place, FIELDS, index), within) for index in range(len(message.field))
            )
            self.done[name] = Message(name[1:], tuple(fields))
        return self.done[name]

    def _field(self, file: Descriptor, message: Descriptor, place: Place, within: tuple[str, ...]) -> Field:
        field = message.field[place[-1]]
        kind = KINDS[field.type]
        named = f"`{within[-1][1:]}.{field.name}`"
        held = None
        if kind == "message":
            if field.type_name in within:
                reason = f"{named} makes `{field.type_name[1:]}` part of itself, so no row of columns holds it"
                raise self._refused(file, place, reason, "give it as bytes, or take the field away")
            if len(within) == DEPTH_MAX:
                reason = f"{named} is nested deeper than {DEPTH_MAX} messages"
                raise self._refused(file, place, reason, "give what lies deeper as bytes")
            held = self._message(field.type_name, within)
        is_map = kind == "message" and self.messages[field.type_name][1].options.map_entry
        if field.label == REPEATED and held is not None and not held.fields:
            reason = f"{named} repeats `{held.name}`, which has no field, so no bytes bound how many there are"
            raise self._refused(file, place, reason, "give their count as a number, or the message a field")
        in_oneof = field.HasField("oneof_index") and not field.proto3_optional
        # The value of a map is there wherever its key is.
        in_entry = message.options.map_entry
        label: Label = "one"
        if field.label == REPEATED:
            label = "map" if is_map else "repeated"
        elif field.proto3_optional or (kind == "message" and not in_oneof and not in_entry):
            label = "optional"
        return Field(
            name=field.name,
            number=field.number,
            kind=kind,
            label=label,
            message=held,
            enum=self.enums[field.type_name] if kind == "enum" else None,
            oneof=message.oneof_decl[field.oneof_index].name if in_oneof else "",
        )

    def _refuse_extensions(self, file: Descriptor, extensions: Sequence[Descriptor], place: Place) -> None:
        for index, each in enumerate(extensions):
            reason = f"`{each.name}` extends `{each.extendee[1:]}`, and a codec of fixed layout knows no extensions"
            raise self._refused(file, (*place, index), reason, "make it a field, or take it away")

    def _refused(self, file: Descriptor, place: Place, reason: str, fix: str) -> FfibenchError:
        # What protobuf brings itself lies in a folder of the wheel that says nothing to anybody.
        beside = self.folder / file.name
        path = beside if beside.is_file() else file.name
        return FfibenchError(f"{path}:{self.lines.get((file.name, place), 1)}: {reason}", fix)
