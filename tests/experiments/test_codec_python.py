"""How Python encodes and decodes messages for `codec`: as the oracle does, and refusing what the library refuses."""

from __future__ import annotations

import struct
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.codec import COMPLEX, PAYLOAD, REQUEST, SHAPES, STRUCT, Message, Native, messages, natives, oracle, shapes

fuzzed = settings(deadline=None, max_examples=300)
texts = st.text(max_size=12)
requests = st.tuples(texts, st.integers(-(2**63), 2**63 - 1))
drawn: dict[str, st.SearchStrategy[Any]] = {
    "request": requests,
    "response": st.tuples(texts, texts),
    "complex": st.tuples(st.lists(requests, max_size=4), st.lists(texts, max_size=4), st.none() | texts),
    "payload": st.tuples(st.binary(max_size=40)),
}
any_message = st.sampled_from(SHAPES).flatmap(lambda shape: st.tuples(st.just(shape), drawn[shape]))


def as_lists(field: Any) -> Any:  # noqa: ANN401 (a field is of any type)
    """A message of Python's loops as the oracle has it: lists, and bytes that are bytes."""
    if isinstance(field, (list, tuple)):
        return [as_lists(each) for each in field]
    return bytes(field) if isinstance(field, (bytearray, memoryview)) else field


def coder(shape: str) -> Any:  # noqa: ANN401 (of the experiment's folder)
    return shapes.SHAPES[shape](1)


@pytest.fixture(scope="session")
def native(private_folders: None) -> Native:
    return natives()[STRUCT]


@given(any_message)
@fuzzed
def test_python_encodes_and_decodes_as_the_oracle_does(drawn: tuple[str, Any]) -> None:
    shape, message = drawn
    own, lists = coder(shape), as_lists(message)
    assert own.to_cbor(message) == oracle.as_cbor(lists)
    assert own.to_struct(message) == oracle.as_struct(shape, lists)
    assert as_lists(own.from_cbor(memoryview(oracle.as_cbor(lists)))) == lists
    assert as_lists(own.from_struct(memoryview(oracle.as_struct(shape, lists)))) == lists


@pytest.mark.parametrize("size", [1, 2, 255, 300])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_messages_of_its_loops_are_the_oracle_s(shape: str, size: int) -> None:
    for iteration, message in enumerate(shapes.SHAPES[shape](size).messages(600)):
        assert as_lists(message) == messages.timed(shape, iteration, size)


def decoded(shape: str, block: bytes) -> Message | None:
    """What Python makes of a block, None where it refuses it."""
    try:
        return as_lists(coder(shape).from_struct(memoryview(block)))  # type: ignore[no-any-return]
    except (ValueError, struct.error):
        return None


@given(any_message, st.data())
@fuzzed
def test_python_refuses_the_blocks_that_the_library_refuses(
    native: Native, drawn: tuple[str, Any], data: st.DataObject
) -> None:
    """Numbers of the head are replaced, and the block is cut."""
    shape, message = drawn
    block = bytearray(oracle.as_struct(shape, as_lists(message)))
    places = st.integers(0, len(block) // 4 - 1)
    near = st.integers(0, len(block) + 2) | st.sampled_from([2**31, 2**32 - 1, 2**32 - len(block)])
    for place, number in data.draw(st.lists(st.tuples(places, near), max_size=3)):
        struct.pack_into("<I", block, 4 * place, number)
    cut = bytes(block[: data.draw(st.integers(0, len(block)))]) if data.draw(st.booleans()) else bytes(block)
    found = native.decode(shape, cut)
    assert decoded(shape, cut) == (None if isinstance(found, int) else found)


@pytest.mark.parametrize("place", [0, 2], ids=["requests", "texts"])
def test_a_list_of_nothing_lies_in_the_block_too(native: Native, place: int) -> None:
    block = bytearray(oracle.as_struct(COMPLEX, [[], [], None]))
    struct.pack_into("<I", block, 4 * place, len(block))
    assert decoded(COMPLEX, bytes(block)) == native.decode(COMPLEX, bytes(block)) == [[], [], None]
    struct.pack_into("<I", block, 4 * place, len(block) + 1)
    assert decoded(COMPLEX, bytes(block)) is None
    assert isinstance(native.decode(COMPLEX, bytes(block)), int)


def test_a_view_is_of_the_block_and_a_copy_is_not() -> None:
    for kind, follows in ((shapes.Payload, False), (shapes.PayloadView, True)):
        block = bytearray(oracle.as_struct(PAYLOAD, [b"abc"]))
        (found,) = kind(3).from_struct(memoryview(block))
        block[-1] = 0
        assert (found[-1] == 0) is follows


def test_texts_are_texts() -> None:
    text, number = coder(REQUEST).from_struct(memoryview(oracle.as_struct(REQUEST, ["é", 1])))
    assert (text, type(text), number) == ("é", str, 1)
