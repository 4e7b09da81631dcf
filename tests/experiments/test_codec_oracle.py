"""codec's oracle against others: cbor2's canonical encoding, the library's encoders and decoders, plain counting."""

from __future__ import annotations

from zlib import crc32

import cbor2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.codec import (
    COMPLEX,
    PAYLOAD,
    REQUEST,
    RESPONSE,
    SHAPES,
    STRUCT,
    WAYS,
    Message,
    Native,
    messages,
    natives,
    oracle,
)

LOWEST, HIGHEST = -(2**63), 2**63 - 1
EDGES = [
    *(0, 1, 23, 24, 255, 256, 65_535, 65_536, 2**32 - 1, 2**32, HIGHEST),
    *(-1, -24, -25, -256, -257, -65_536, -65_537, -(2**32), -(2**32) - 1, LOWEST),
]
"""Where CBOR begins to take another byte."""
TEXT_EDGES = [0, 1, 22, 23, 24, 25, 254, 255, 256, 257, 65_535, 65_536]

texts = st.text(max_size=40) | st.sampled_from(TEXT_EDGES).map(lambda size: "x" * size)
numbers = st.integers(LOWEST, HIGHEST) | st.sampled_from(EDGES)
requests = st.tuples(texts, numbers).map(list)
drawn: dict[str, st.SearchStrategy[Message]] = {
    REQUEST: requests,
    RESPONSE: st.tuples(texts, texts).map(list),
    COMPLEX: st.tuples(st.lists(requests, max_size=30), st.lists(texts, max_size=30), st.none() | texts).map(list),
    PAYLOAD: (st.binary(max_size=300) | st.sampled_from(TEXT_EDGES).map(bytes)).map(lambda data: [data]),
}
fuzzed = settings(deadline=None, max_examples=200)
any_message = st.sampled_from(SHAPES).flatmap(lambda shape: st.tuples(st.just(shape), drawn[shape]))


@pytest.fixture(scope="session")
def native(private_folders: None) -> dict[str, Native]:
    return natives()


# --- encodings --------------------------------------------------------------------------------------


@given(any_message)
@fuzzed
def test_cbor_is_cbor2_s_canonical_one(drawn: tuple[str, Message]) -> None:
    _, message = drawn
    assert oracle.as_cbor(message) == cbor2.dumps(message, canonical=True)
    assert cbor2.loads(oracle.as_cbor(message)) == message


@pytest.mark.parametrize("number", EDGES)
def test_every_length_of_a_number_and_of_a_text(native: dict[str, Native], number: int) -> None:
    assert oracle.as_cbor(number) == cbor2.dumps(number, canonical=True)
    for message in (["", number], ["x" * min(abs(number), 70_000), number]):
        for way in WAYS:
            assert native[way].encode(REQUEST, message) == oracle.encoded(REQUEST, way, message)
            assert native[way].decode(REQUEST, oracle.encoded(REQUEST, way, message)) == message


def test_lists_of_every_length_of_a_head(native: dict[str, Native]) -> None:
    for count in (0, 1, 23, 24, 255, 256, 65_535, 65_536):
        message = [[["", 0]] * count, [""] * count, None]
        for way in WAYS:
            assert native[way].encode(COMPLEX, message) == oracle.encoded(COMPLEX, way, message)
            assert native[way].decode(COMPLEX, oracle.encoded(COMPLEX, way, message)) == message


@given(any_message)
@fuzzed
def test_the_library_encodes_what_the_oracle_does_and_decodes_it_to_the_message(
    native: dict[str, Native], drawn: tuple[str, Message]
) -> None:
    shape, message = drawn
    found = {way: native[way].encode(shape, message) for way in WAYS}
    assert found == {way: oracle.encoded(shape, way, message) for way in WAYS}
    for way, data in found.items():
        assert isinstance(data, bytes)
        assert native[way].decode(shape, data) == message, "both decoders agree"


@given(any_message)
@fuzzed
def test_the_library_s_answer_is_the_oracle_s(native: dict[str, Native], drawn: tuple[str, Message]) -> None:
    shape, message = drawn
    answer = oracle.answered(message)
    for way in WAYS:
        data = oracle.encoded(shape, way, message)
        expected = oracle.encoded(shape, way, answer)
        assert native[way].answer(shape, data) == expected
        assert native[way].answer(shape, data, len(expected)) == expected, "into memory of its length"


def test_an_answer_changes_what_codec_h_says() -> None:
    assert oracle.answered(["text", 41]) == ["text", 42]
    assert oracle.answered(["", HIGHEST]) == ["", LOWEST]
    assert oracle.answered(["one", "two"]) == ["two", "one"]
    items, changed = [["a", 1], ["b", -1]], [["a", 2], ["b", 0]]
    for tags in ([], ["x"], ["x", "y"], ["x", "y", "z"]):
        assert oracle.answered([items, tags, None]) == [changed, tags, None]
    assert oracle.answered([b"\0\xff"]) == [b"\0\0"]
    assert oracle.answered([b""]) == [b""]
    assert items == [["a", 1], ["b", -1]], "and not the message"


@pytest.mark.parametrize("tags", [["one", "two"], ["one"], []])
def test_the_tags_of_a_request_are_not_exchanged(native: dict[str, Native], tags: list[str]) -> None:
    """A list of two texts has the looks of a response."""
    message = [[["a", 1]], tags, "note"]
    for way in WAYS:
        answer = native[way].answer(COMPLEX, oracle.encoded(COMPLEX, way, message))
        assert isinstance(answer, bytes)
        assert native[way].decode(COMPLEX, answer) == [[["a", 2]], tags, "note"]
        assert answer == oracle.encoded(COMPLEX, way, oracle.answered(message))


# --- fields -----------------------------------------------------------------------------------------


@given(any_message, any_message)
@fuzzed
def test_fields_that_differ_are_written_out_differently(one: tuple[str, Message], other: tuple[str, Message]) -> None:
    if one[0] == other[0]:
        same = messages.as_fields(one[1]) == messages.as_fields(other[1])
        assert same == (one[1] == other[1])


def test_what_is_absent_is_not_what_is_empty() -> None:
    found = {messages.as_fields([[], [], note]) for note in (None, "", "-", "0:")}
    assert len(found) == 4


# --- receipts ---------------------------------------------------------------------------------------


def counted(shape: str, way: str, step: str, size: int, iterations: int) -> int:
    """The sum of a slice, message by message."""
    total = 0
    for iteration in range(iterations):
        turn = {"call": 0, "decode": iteration % messages.ROTATED}.get(step, iteration)
        message = messages.timed(shape, turn, size)
        if step in {"encode", "call"}:
            of = oracle.answered(message) if step == "call" else message
            total += len(oracle.encoded(shape, way, of))
        else:
            total += oracle.light(shape, oracle.answered(message))
    return total


@pytest.mark.parametrize("iterations", [1, 7, 8, 9, 255, 256, 257, 1000])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_sum_of_a_slice_is_that_of_its_messages(shape: str, iterations: int) -> None:
    for way in WAYS:
        for step in oracle.STEPS:
            receipt = oracle.receipt(shape, way, step, 3, iterations)
            assert receipt["sum"] == counted(shape, way, step, 3, iterations), (way, step)
            assert (receipt["messages"], receipt["refused"]) == (iterations, 4)


def test_a_receipt_digests_the_fixtures_and_the_last_message() -> None:
    receipt = oracle.receipt(REQUEST, "cbor", "total", 1, 12)
    found = [*messages.fixtures(REQUEST), messages.timed(REQUEST, 11, 1)]
    assert receipt["requests"] == crc32(b"".join(map(oracle.as_cbor, found)))
    assert receipt["answers"] == crc32(b"".join(oracle.as_cbor(oracle.answered(each)) for each in found))
    assert receipt["fields"] == crc32(b"".join(messages.as_fields(oracle.answered(each)) for each in found))


@pytest.mark.parametrize("shape", SHAPES)
def test_a_message_differs_from_the_one_before(shape: str) -> None:
    for iteration in range(1, 300):
        assert messages.timed(shape, iteration, 5) != messages.timed(shape, iteration - 1, 5)


@pytest.mark.parametrize("size", [1, 2, 255, 256, 257, 65_537])
def test_a_payload_has_its_size_whatever_that_is(size: int) -> None:
    (data,) = messages.timed(PAYLOAD, 300, size)
    assert (len(data), data[-1]) == (size, 300 % 256)
    assert data[:-1] == bytes((7 * place + 3) % 256 for place in range(size - 1))


@pytest.mark.parametrize("step", oracle.STEPS)
def test_a_receipt_makes_few_large_payloads(monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    """256 of them took 25 seconds where they had 16 MiB."""
    timed, made = oracle.timed, []

    def counting(shape: str, iteration: int, size: int) -> Message:
        made.append(size)
        return timed(shape, iteration, size)  # type: ignore[no-any-return]

    monkeypatch.setattr(oracle, "timed", counting)
    assert oracle.receipt(PAYLOAD, STRUCT, step, 1000, 300)["messages"] == 300
    assert made.count(1000) <= messages.ROTATED + 1
