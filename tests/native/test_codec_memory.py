"""The library of `codec` writes into the memory that it is given and nowhere else, and says where that is too small."""

from __future__ import annotations

import ctypes
import struct

import pytest
from support.codec import (
    COMPLEX,
    MALFORMED,
    PAYLOAD,
    REQUEST,
    SHAPES,
    STRUCT,
    TOO_SMALL,
    WAYS,
    Message,
    Native,
    messages,
    natives,
    oracle,
)


@pytest.fixture(scope="session")
def native(private_folders: None) -> dict[str, Native]:
    return natives()


def known(shape: str) -> list[Message]:
    return [*messages.fixtures(shape), messages.timed(shape, 3, 100)]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("shape", SHAPES)
def test_an_answer_into_memory_that_is_too_small_by_each_number_of_bytes(
    native: dict[str, Native], shape: str, way: str
) -> None:
    for message in known(shape):
        request = oracle.encoded(shape, way, message)
        answer = oracle.encoded(shape, way, oracle.answered(message))
        for room in range(len(answer)):
            assert native[way].answer(shape, request, room) == TOO_SMALL, room
        assert native[way].answer(shape, request, len(answer)) == answer


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_message_into_memory_that_is_too_small_by_each_number_of_bytes(
    native: dict[str, Native], shape: str, way: str
) -> None:
    for message in known(shape):
        data = oracle.encoded(shape, way, message)
        for room in range(len(data)):
            assert native[way].encode(shape, message, room) == TOO_SMALL, room
        assert native[way].encode(shape, message, len(data)) == data


@pytest.mark.parametrize("number", [23, 255, 65_535, 2**32 - 1, -24, -25, -256, -257, 2**63 - 1, -(2**63)])
def test_an_answer_may_be_longer_than_its_request(native: dict[str, Native], number: int) -> None:
    request, answer = oracle.as_cbor(["", number]), oracle.as_cbor(oracle.answered(["", number]))
    assert native["cbor"].answer(REQUEST, request, len(answer)) == answer
    assert native["cbor"].answer(REQUEST, request, len(answer) - 1) == TOO_SMALL


def test_texts_that_lie_in_each_other_are_laid_out_apart(native: dict[str, Native]) -> None:
    """A block of many long texts, all of them the same bytes."""
    count, text = 100, b"x" * 1_000
    spans = struct.pack("<II", 24 + 8 * count, len(text)) * count
    block = struct.pack("<6I", 24, 0, 24, count, 0, 0) + spans + text
    expected = oracle.as_struct(COMPLEX, [[], [text.decode()] * count, None])
    assert len(expected) > 20 * len(block)
    assert native[STRUCT].answer(COMPLEX, block, len(expected)) == expected
    assert native[STRUCT].answer(COMPLEX, block, len(block)) == TOO_SMALL


@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_written_where_a_request_is_refused(native: dict[str, Native], way: str) -> None:
    for shape in SHAPES:
        data = oracle.encoded(shape, way, messages.timed(shape, 0, 50))
        assert native[way].answer(shape, data[:-1]) == MALFORMED
        assert native[way].answer(shape, data[:-1], 0) == MALFORMED


@pytest.mark.parametrize("way", WAYS)
def test_a_request_and_an_answer_may_be_nothing(native: dict[str, Native], way: str) -> None:
    """As a host has it that passes an empty array as NULL."""
    answer = native[way].function("answer")
    assert answer(SHAPES.index(PAYLOAD), None, 0, None, 0) == MALFORMED
    empty = oracle.encoded(PAYLOAD, way, [b""])
    assert answer(SHAPES.index(PAYLOAD), empty, len(empty), None, 0) == TOO_SMALL
    assert answer(-1, empty, len(empty), None, 0) == MALFORMED
    assert answer(4, empty, len(empty), None, 0) == MALFORMED


@pytest.mark.parametrize("way", WAYS)
def test_a_request_is_not_changed(native: dict[str, Native], way: str) -> None:
    for shape in SHAPES:
        data = oracle.encoded(shape, way, messages.timed(shape, 0, 50))
        kept = ctypes.create_string_buffer(data, len(data))
        room = ctypes.create_string_buffer(2 * len(data) + 64)
        assert native[way].function("answer")(SHAPES.index(shape), kept, len(data), room, len(room)) > 0
        assert kept.raw == data
