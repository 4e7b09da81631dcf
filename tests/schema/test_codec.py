"""The promise: a codec in C encodes as the oracle does, and gives back what was encoded."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.schema_trees import trees
from support.schemas import EVERY, MALFORMED, NASTY, SUITES, TOO_SMALL, Codec, accepted, lengths

from ffibench.schema import wire
from ffibench.schema.columns import Step
from ffibench.schema.fixtures import derived, read_message
from ffibench.schema.rows import to_columns, to_tree
from ffibench.schema.suites import Suite, find_suites
from ffibench.schema.wire import Tree

Codecs = Callable[[Path], Codec]
EXAMPLES = 60
every_schema = pytest.mark.parametrize("path", EVERY, ids=lambda path: path.stem)


def assert_same(codec: Codec, tree: Tree) -> None:
    """Assert that both directions of the codec agree with the oracle on a message."""
    columns = to_columns(codec.layout, tree)
    data = wire.encode(codec.schema.root, tree)
    assert codec.encoded_size(columns) == len(data)
    assert codec.encode(columns) == data
    assert codec.counts(data) == lengths(codec.layout, columns)
    decoded = accepted(codec, data)
    assert not isinstance(decoded, int)
    assert decoded == columns
    assert codec.encode(decoded) == data  # -0.0 equals 0.0, but for its byte
    assert to_tree(codec.layout, decoded) == tree


@every_schema
def test_messages_made_from_the_schema(codec: Codecs, path: Path) -> None:
    for tree in derived(codec(path).schema).values():
        assert_same(codec(path), tree)


@pytest.mark.parametrize("suite", find_suites(SUITES), ids=lambda suite: suite.name)
def test_the_message_of_each_suite(codec: Codecs, suite: Suite) -> None:
    assert_same(codec(suite.proto), read_message(suite, codec(suite.proto).schema))


@every_schema
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_message(codec: Codecs, path: Path, data: st.DataObject) -> None:
    assert_same(codec(path), data.draw(trees(codec(path).schema.root)))


@every_schema
def test_a_view_is_of_the_bytes_of_its_field(codec: Codecs, path: Path) -> None:
    made = codec(path)
    for tree in derived(made.schema).values():
        data = wire.encode(made.schema.root, tree)
        for view in made.layout.views:
            found = made.view(view.name, data)
            assert isinstance(found, tuple), view.name
            assert seen(view, data, *found) == plain(tree[view.name]), view.name


def seen(view: Step, data: bytes, offset: int, count: int) -> object:
    assert view.values is not None
    number = view.values.number
    window = data[offset : offset + count * number.size]
    return window if view.form == "text" else array(number.code, window).tolist()


def plain(value: object) -> object:
    return value.encode() if isinstance(value, str) else value


def test_there_are_views_of_lists_of_numbers_and_of_texts_that_are_always_there(codec: Codecs) -> None:
    assert [each.name for each in codec(NASTY / "words.proto").layout.views] == ["words_encode", "from", "to", "_size"]
    assert codec(SUITES / "array_string.proto").layout.views == ()


@every_schema
def test_memory_that_is_too_small_is_told(codec: Codecs, path: Path) -> None:
    made = codec(path)
    for tree in derived(made.schema).values():
        columns, data = to_columns(made.layout, tree), wire.encode(made.schema.root, tree)
        if data:
            assert made.encode(columns, room=len(data) - 1) == TOO_SMALL
        if made.layout.arrays:
            assert made.counts(data, room=len(made.layout.arrays) - 1) == TOO_SMALL


@every_schema
def test_columns_that_do_not_fit_each_other_are_refused(codec: Codecs, path: Path) -> None:
    made = codec(path)
    columns = to_columns(made.layout, derived(made.schema)["extremes"])
    told = set(told_by_themselves(made.layout.steps))
    for each in made.layout.arrays:
        if each.name in told or not len(columns[each.name]):
            continue
        more = columns[each.name] + columns[each.name][-1:]
        assert made.encode({**columns, each.name: columns[each.name][:-1]}) == MALFORMED, each.name
        assert made.encode({**columns, each.name: more}) == MALFORMED, each.name


def told_by_themselves(steps: tuple[Step, ...]) -> Iterator[str]:
    """Yield the arrays that may have any length: lists and texts that stand once."""
    for each in steps:
        yield from told_by_themselves(each.steps)
        if each.values is not None and not (each.rows or each.counts or each.lengths):
            yield each.values.name


BAD_TEXTS = (b"\xff", b"\xc3", b"\xa9", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"plain, then \xe2\x82")


@pytest.mark.parametrize("bad", BAD_TEXTS)
def test_a_text_that_is_not_utf8_is_refused_in_both_directions(codec: Codecs, bad: bytes) -> None:
    made = codec(SUITES / "struct.proto")
    columns = {**to_columns(made.layout, derived(made.schema)["zeros"]), "name": bad}
    assert made.encode(columns) == MALFORMED
    tree = {**derived(made.schema)["zeros"], "name": "x" * len(bad)}
    data = wire.encode(made.schema.root, tree).replace(b"x" * len(bad), bad)
    assert made.counts(data) == MALFORMED
    assert made.decode(data, {"name": len(bad), "email": 0}) == MALFORMED
    assert made.view("name", data) == MALFORMED


def test_texts_that_share_a_character_are_refused(codec: Codecs) -> None:
    made = codec(SUITES / "array_string.proto")
    whole = {"values_lengths": array("I", [2, 0, 2]), "values": "éé".encode()}
    cut = {**whole, "values_lengths": array("I", [1, 0, 3])}
    assert made.encode(whole) == b"\3\0\0\0\2\0\0\0\xc3\xa9\0\0\0\0\2\0\0\0\xc3\xa9"
    assert made.encode(cut) == MALFORMED
    data = b"\3\0\0\0\1\0\0\0\xc3\0\0\0\0\3\0\0\0\xa9\xc3\xa9"
    assert made.counts(data) == MALFORMED
    assert made.decode(data, {"values_lengths": 3, "values": 4}) == MALFORMED


def test_a_count_is_compared_with_the_bytes_that_are_left(codec: Codecs) -> None:
    made = codec(SUITES / "array_int.proto")
    for count in (1, 2**30, 2**31, 2**32 - 1):
        data = count.to_bytes(4, "little") + b"\0\0\0"
        assert made.counts(data) == MALFORMED
        assert made.view("values", data) == MALFORMED
        assert made.decode(data, {"values": 1}) == MALFORMED


def test_flags_and_members_of_a_oneof_that_nobody_knows_are_refused(codec: Codecs) -> None:
    made = codec(SUITES / "optional.proto")
    data = bytearray(wire.encode(made.schema.root, derived(made.schema)["absent"]))
    data[0] = 2
    assert made.counts(bytes(data)) == MALFORMED
    made = codec(SUITES / "complex.proto")
    columns = to_columns(made.layout, derived(made.schema)["absent"])
    assert made.encode({**columns, "payment_case": 8}) == MALFORMED
    assert made.encode({**columns, "comment_present": 2}) == MALFORMED
