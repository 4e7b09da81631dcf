"""The promise: fixtures are messages of protobuf too, and hold what a codec gets wrong most easily."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.schema_trees import trees
from support.schemas import EVERY, NASTY, SUITES

from ffibench.errors import FfibenchError
from ffibench.schema.descriptor import read_schema
from ffibench.schema.fixtures import LONG, derived, from_protobuf, message_class, read_message, to_protobuf
from ffibench.schema.model import Schema
from ffibench.schema.suites import Suite, find_suites
from ffibench.schema.wire import Tree

EXAMPLES = 30


def through_protobuf(schema: Schema, tree: Tree) -> Tree:
    """Return a message that protobuf has encoded and decoded."""
    made = message_class(schema)
    sent, found = made(), made()
    to_protobuf(schema.root, tree, sent)
    found.ParseFromString(sent.SerializeToString())
    return from_protobuf(schema.root, found)


def suite(folder: Path, text: str) -> Suite:
    proto, json = folder / "mine.proto", folder / "mine.json"
    proto.write_text('syntax = "proto3";\nmessage A { int32 x = 1; map<string, int32> m = 2; }\n', encoding="utf-8")
    json.write_text(text, encoding="utf-8")
    return Suite("mine", proto, json)


def test_json_is_read_by_the_mapping_of_protobuf() -> None:
    (found,) = (each for each in find_suites(SUITES) if each.name == "complex")
    tree = read_message(found, read_schema(found.proto))
    assert tree["id"] == 0x1234_5678_9ABC_DEF0
    assert tree["created"] == {"seconds": 1709210096, "nanos": 789_000_000}
    assert tree["items"][1]["note"] == "returned: hülle 📦"
    assert tree["stock"] == {7: 90000, 42: -3, 1000: 12}
    assert tree["signature"] == bytes(range(32))
    assert tree["history"] == [0, 1, 2]
    assert "voucher" not in tree
    assert "comment" not in tree


@pytest.mark.parametrize("found", find_suites(SUITES), ids=lambda found: found.name)
def test_the_message_of_each_suite_survives_protobuf(found: Suite) -> None:
    schema = read_schema(found.proto)
    tree = read_message(found, schema)
    assert through_protobuf(schema, tree) == tree


@pytest.mark.parametrize("path", EVERY, ids=lambda path: path.stem)
def test_derived_messages_survive_protobuf(path: Path) -> None:
    schema = read_schema(path)
    for tree in derived(schema).values():
        assert through_protobuf(schema, tree) == tree


@settings(max_examples=EXAMPLES, deadline=None)
@given(data=st.data())
def test_any_message_survives_protobuf(data: st.DataObject) -> None:
    schema = read_schema(NASTY / "nasty.proto")
    tree = data.draw(trees(schema.root))
    assert through_protobuf(schema, tree) == tree


def test_extremes_hold_the_ends_of_each_range() -> None:
    many = derived(read_schema(NASTY / "words.proto"))["extremes"]["many"]
    assert set(many["int"]) == {-(2**31), 2**31 - 1}
    assert set(many["long"]) == {0, 2**64 - 1}
    assert set(many["count"]) == {-5, 1}
    assert "-0.0" in map(str, many["double"])
    assert max(many["double"]) == 1.7976931348623157e308
    assert {len(each.encode()) for text in many["char"] for each in text} == {1, 2, 3, 4}
    assert len(many["int"]) == LONG


def test_extremes_in_rows_are_there_and_absent_and_each_member_of_a_oneof_is_set() -> None:
    rows = derived(read_schema(NASTY / "nasty.proto"))["extremes"]["rows"]
    assert {"point" in row for row in rows} == {True, False}
    assert {len(row["cells"]) for row in rows} == {0, 1, 2}
    members = [{"text", "cell", "number"} & set(row) for row in rows]
    assert sorted({"".join(each) for each in members}) == ["", "cell", "number", "text"]


def test_zeros_and_absent_differ_in_what_is_there() -> None:
    found = derived(read_schema(SUITES / "complex.proto"))
    assert found["absent"]["items"] == []
    assert "payment" not in found["absent"]
    assert found["zeros"]["card"] == {"holder": "", "last_digits": 0}
    assert found["zeros"]["stock"] == {0: 0}
    assert found["zeros"]["comment"] == ""


REFUSED = {
    "not json": ('{"x": ', "Failed to load JSON"),
    "a field that is none": ('{"y": 1}', 'has no field named "y"'),
    "a number out of range": ('{"x": 2147483648}', "x"),
    "a text for a number": ('{"x": "one"}', "x"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_json_that_is_none_of_the_schema_is_refused(tmp_path: Path, what: str) -> None:
    text, told = REFUSED[what]
    mine = suite(tmp_path, text)
    with pytest.raises(FfibenchError) as error:
        read_message(mine, read_schema(mine.proto))
    assert error.value.reason.startswith(f"{mine.json} is no `A` in protobuf's JSON mapping: ")
    assert told in error.value.reason
    assert error.value.fix == f"correct it, or {mine.proto}"


def test_two_suites_may_have_messages_of_one_name(tmp_path: Path) -> None:
    schemas = []
    for name, kind in (("a", "int32"), ("b", "string")):
        path = tmp_path / f"{name}.proto"
        path.write_text(f'syntax = "proto3";\nmessage Same {{ {kind} x = 1; }}\n', encoding="utf-8")
        schemas.append(read_schema(path))
    made: list[Callable[[], object]] = [message_class(each) for each in schemas]
    assert [getattr(each(), "x") for each in made] == [0, ""]  # noqa: B009
