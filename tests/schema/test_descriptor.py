"""The promise: a `.proto` is read with all that has a fixed layout, and what has none is refused by its line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.schemas import NASTY

from ffibench.errors import FfibenchError
from ffibench.schema import protoc
from ffibench.schema.descriptor import read_schema
from ffibench.schema.model import Field, Message

Write = Callable[..., Path]


def fields(message: Message | None) -> dict[str, Field]:
    assert message is not None
    return {each.name: each for each in message.fields}


def refused(path: Path) -> FfibenchError:
    with pytest.raises(FfibenchError) as error:
        read_schema(path)
    return error.value


def test_the_root_is_the_last_message_that_stands_in_no_other(proto: Write) -> None:
    schema = read_schema(proto("package p; message A {} message B { message C {} }"))
    assert (schema.name, schema.root.name) == ("mine", "p.B")


def test_every_kind_of_number_is_known() -> None:
    numbers = fields(fields(read_schema(NASTY / "words.proto").root)["numbers"].message)
    kinds = (
        "int32 int64 uint32 uint64 sint32 sint64 fixed32 fixed64 sfixed32 sfixed64 float double bool string bytes enum"
    )
    assert [each.kind for each in numbers.values()] == kinds.split()
    assert numbers["enum"].enum is not None
    assert numbers["enum"].enum.numbers == (0, 1, -5)


def test_labels_tell_what_can_be_absent(proto: Write) -> None:
    own = "int32 a = 1; optional int32 b = 2; E c = 3; repeated E d = 4; map<string, E> e = 5;"
    found = fields(read_schema(proto(f"message E {{ bool x = 1; }} message A {{ {own} }}")).root)
    assert [each.label for each in found.values()] == ["one", "optional", "optional", "repeated", "map"]
    entry = fields(found["e"].message)
    assert [(each.name, each.label) for each in entry.values()] == [("key", "one"), ("value", "one")]


def test_members_of_a_oneof_name_it_and_an_optional_field_is_none(proto: Write) -> None:
    text = "message A { oneof choice { int32 a = 4; A.B b = 9; } optional bool c = 1; message B {} }"
    found = fields(read_schema(proto(text)).root)
    assert {name: (each.oneof, each.number, each.label) for name, each in found.items()} == {
        "a": ("choice", 4, "one"),
        "b": ("choice", 9, "one"),
        "c": ("", 1, "optional"),
    }


def test_imports_are_found_beside_the_schema_and_among_those_of_protobuf() -> None:
    found = fields(read_schema(NASTY / "nasty.proto").root)
    assert found["a"].message is not None
    assert found["a"].message.name == "parts.Point"
    assert list(fields(found["time"].message)) == ["seconds", "nanos"]


UNIT = "extend google.protobuf.FieldOptions {\n  int32 unit = 50000;\n}\n"
OPTIONS = 'import "google/protobuf/descriptor.proto";\n'
REFUSED = {
    "a message in itself": (
        "message A {\n  int32 x = 1;\n  A again = 2;\n}",
        "4: `A.again` makes `A` part of itself, so no row of columns holds it",
    ),
    "two messages in each other": (
        "message A {\n  repeated B b = 1;\n}\nmessage B {\n  map<int32, A> a = 1;\n}",
        "3: `A.b` makes `B` part of itself, so no row of columns holds it",
    ),
    "protobuf's own recursion": (
        'import "google/protobuf/struct.proto";\nmessage A {\n  google.protobuf.Value v = 1;\n}',
        "makes `google.protobuf.Value` part of itself",
    ),
    "a list of nothing": (
        "message N {}\nmessage A {\n  repeated N n = 1;\n}",
        "4: `A.n` repeats `N`, which has no field, so no bytes bound how many there are",
    ),
    "proto2": (
        'syntax = "proto2";\nmessage A {\n  required int32 x = 1;\n}',
        "1: `A` is of proto2, whose fields differ",
    ),
    "a group": (
        'syntax = "proto2";\n\nmessage A {\n  repeated group G = 1 { optional int32 x = 1; }\n}',
        "1: `A` is of proto2, whose fields differ",
    ),
    "an edition": (
        'edition = "2023";\n\nmessage A {\n  int32 x = 1;\n}',
        "1: `A` is of editions, whose fields differ",
    ),
    "an extension": (
        f"{OPTIONS}{UNIT}message A {{\n  int32 x = 1;\n}}",
        "4: `unit` extends `google.protobuf.FieldOptions`, and a codec of fixed layout knows no extensions",
    ),
    "an extension in a message": (
        f"{OPTIONS}message A {{\n{UNIT}  int32 x = 1;\n}}",
        "5: `unit` extends `google.protobuf.FieldOptions`, and a codec of fixed layout knows no extensions",
    ),
    "only services": (
        'import "google/protobuf/any.proto";\n\nservice S {}',
        "4: there is no message in this file",
    ),
    "nothing": ("", "1: there is no message in this file"),
    "too deep": (
        "".join(f"message M{n} {{ {f'M{n - 1} m = 1;' if n else 'int32 x = 1;'} }}\n" for n in range(110)),
        "12: `M10.m` is nested deeper than 100 messages",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_has_no_fixed_layout_is_refused_by_file_and_line(proto: Write, what: str) -> None:
    text, said = REFUSED[what]
    path = proto(text)
    error = refused(path)
    assert said in error.reason
    if said[0].isdigit():
        assert error.reason.startswith(f"{path}:{said}")
    assert error.fix


def test_what_is_refused_in_an_import_is_named_there(proto: Write, tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    other = tmp_path / "parts/other.proto"
    other.write_text('syntax = "proto3";\n\nmessage Loop {\n  Loop loop = 1;\n}\n', encoding="utf-8")
    error = refused(proto('import "parts/other.proto";\nmessage A { Loop x = 1; }'))
    assert error.reason.startswith(f"{other}:4: `Loop.loop`")


def test_what_protoc_refuses_is_its_first_line_with_the_place(proto: Write) -> None:
    path = proto('import "google/protobuf/any.proto";\nmessage A {\n  int32 x = 1\n}')
    assert refused(path).reason == f'{path}:5:1: Expected ";"'
    path = proto('import "gone.proto";\nmessage A {}')
    assert refused(path).reason.startswith(f"{path}: protoc says: gone.proto: File not found")


@pytest.mark.parametrize("folder", ["with space", "with=equals", "ümlaut"])
def test_a_schema_may_lie_anywhere(tmp_path: Path, folder: str) -> None:
    (tmp_path / folder).mkdir()
    path = tmp_path / folder / "mine.proto"
    path.write_text('syntax = "proto3";\nmessage A {}\n', encoding="utf-8")
    assert read_schema(path).root.name == "A"


def test_without_protoc_the_extra_is_named(proto: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protoc, "find_spec", lambda module: None if module == "grpc_tools" else module)
    error = refused(proto("message A {}"))
    assert error.reason == "the Python package grpcio-tools is not installed, which reads a .proto"
    assert error.fix == "pip install 'ffibench[schema]'"


def test_without_protobuf_the_extra_is_named(proto: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    def find(module: str) -> str:
        if module.startswith("google"):
            raise ModuleNotFoundError(module)
        return module

    monkeypatch.setattr(protoc, "find_spec", find)
    error = refused(proto("message A {}"))
    assert error.reason == "the Python package protobuf is not installed, which reads a .proto"
    assert error.fix == "pip install 'ffibench[schema]'"
