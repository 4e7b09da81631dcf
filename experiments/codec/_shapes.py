"""How Python encodes and decodes the shapes of codec: by cbor2, and as a struct in one block by the module `struct`."""

from __future__ import annotations

from operator import itemgetter
from struct import Struct

from cbor2 import dumps, loads

from ._messages import COMPLEX, FIRST_NUMBER, PAYLOAD, REQUEST, RESPONSE, ROTATED, timed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from ._messages import Message

SPAN = Struct("<II")
REQUEST_HEAD = Struct("<IIq")
RESPONSE_HEAD = Struct("<IIII")
COMPLEX_HEAD = Struct("<IIIIII")


class Shape:
    """A shape: its number in `codec.h`, the messages that are timed, and what encodes and decodes them."""

    number: int
    name: str

    def __init__(self, size: int) -> None:
        """Take the bytes of a payload."""
        self.size = size

    def messages(self, iterations: int) -> Iterator[Message]:
        """Yield the message of each iteration."""
        raise NotImplementedError

    ready = ROTATED
    """How many answers a loop of the step `decode` has ready."""

    def blocks(self, answers: list[bytearray], iterations: int) -> Iterator[memoryview]:
        """Yield the answer that each iteration decodes."""
        views = [memoryview(each) for each in answers]
        for iteration in range(iterations):
            yield views[iteration % ROTATED]

    light: Any
    """From a message that was decoded to what a loop adds up of it."""

    to_cbor = staticmethod(dumps)
    """Encodes a message as CBOR."""
    from_cbor = staticmethod(loads)
    """Decodes one. Raises ValueError where it is bad."""

    def to_struct(self, message: Message) -> bytes:
        """Lay a message out in one block."""
        raise NotImplementedError

    def from_struct(self, block: memoryview) -> Message:
        """Decode a block. Raises ValueError or struct.error where it is bad."""
        raise NotImplementedError


class Request(Shape):
    """A text and a number."""

    number = 0
    name = REQUEST
    light = staticmethod(itemgetter(1))

    def messages(self, iterations: int) -> Iterator[Message]:
        """Yield messages with numbers that follow each other."""
        message, _ = timed(REQUEST, 0, 0)
        for number in range(FIRST_NUMBER, FIRST_NUMBER + iterations):
            yield message, number

    @staticmethod
    def to_struct(message: Message) -> bytes:
        """Put the text behind the head."""
        text, number = message
        data: bytes = text.encode()
        return REQUEST_HEAD.pack(REQUEST_HEAD.size, len(data), number) + data

    @staticmethod
    def from_struct(block: memoryview) -> Message:
        """Take the text at its offset."""
        offset, length, number = REQUEST_HEAD.unpack_from(block)
        return text_at(block, offset, length), number


class Response(Shape):
    """Two texts."""

    number = 1
    name = RESPONSE

    def messages(self, iterations: int) -> Iterator[Message]:
        """Yield messages whose second text has one of eight lengths."""
        ready = [tuple(timed(RESPONSE, place, 0)) for place in range(ROTATED)]
        for iteration in range(iterations):
            yield ready[iteration % ROTATED]

    @staticmethod
    def light(message: Message) -> int:
        """Return the length of the first text."""
        return len(message[0])

    @staticmethod
    def to_struct(message: Message) -> bytes:
        """Put both texts behind the head."""
        first: bytes = message[0].encode()
        second: bytes = message[1].encode()
        length = len(first)
        return RESPONSE_HEAD.pack(RESPONSE_HEAD.size, length, RESPONSE_HEAD.size + length, len(second)) + first + second

    @staticmethod
    def from_struct(block: memoryview) -> Message:
        """Take the texts at their offsets."""
        first, first_length, second, second_length = RESPONSE_HEAD.unpack_from(block)
        return text_at(block, first, first_length), text_at(block, second, second_length)


class Complex(Shape):
    """A list of requests, a list of texts, and a text that may be absent."""

    number = 2
    name = COMPLEX

    def messages(self, iterations: int) -> Iterator[Message]:
        """Yield messages of which the first item has numbers that follow each other."""
        (first, *others), tags, note = timed(COMPLEX, 0, 0)
        text, _ = first
        for number in range(FIRST_NUMBER, FIRST_NUMBER + iterations):
            yield [(text, number), *others], tags, note

    @staticmethod
    def light(message: Message) -> int:
        """Return the first item's number and the count of tags."""
        items, tags, _ = message
        number: int = items[0][1]
        return number + len(tags)

    @staticmethod
    def to_struct(message: Message) -> bytes:
        """Put both lists behind the head, then all texts."""
        items, tags, note = message
        item_count, tag_count = len(items), len(tags)
        tags_at = COMPLEX_HEAD.size + REQUEST_HEAD.size * item_count
        end = tags_at + SPAN.size * tag_count
        heads, texts = [], []
        for text, number in items:
            data = text.encode()
            heads.append(REQUEST_HEAD.pack(end, len(data), number))
            texts.append(data)
            end += len(data)
        for tag in tags:
            data = tag.encode()
            heads.append(SPAN.pack(end, len(data)))
            texts.append(data)
            end += len(data)
        note_at = note_length = 0
        if note is not None:
            data = note.encode()
            note_at, note_length = end, len(data)
            texts.append(data)
        head = COMPLEX_HEAD.pack(COMPLEX_HEAD.size, item_count, tags_at, tag_count, note_at, note_length)
        return b"".join([head, *heads, *texts])

    @staticmethod
    def from_struct(block: memoryview) -> Message:
        """Take the elements of both lists, and their texts at their offsets."""
        items, item_count, tags, tag_count, note, note_length = COMPLEX_HEAD.unpack_from(block)
        items_end = items + REQUEST_HEAD.size * item_count
        tags_end = tags + SPAN.size * tag_count
        if max(items_end, tags_end) > len(block):
            raise ValueError("a list lies outside the block")
        heads, spans = REQUEST_HEAD.iter_unpack(block[items:items_end]), SPAN.iter_unpack(block[tags:tags_end])
        return (
            [(text_at(block, at, length), number) for at, length, number in heads],
            [text_at(block, at, length) for at, length in spans],
            text_at(block, note, note_length) if note else None,
        )


class Payload(Shape):
    """Bytes, which are copied out of the block."""

    number = 3
    name = PAYLOAD

    def messages(self, iterations: int) -> Iterator[Message]:
        """Yield the same bytes, of which the last one is changed."""
        (data,) = timed(PAYLOAD, 0, self.size)
        memory = bytearray(data)
        for iteration in range(iterations):
            memory[-1] = iteration % 256
            yield (memory,)

    ready = 1

    def blocks(self, answers: list[bytearray], iterations: int) -> Iterator[memoryview]:
        """Yield the one answer, of which the last byte is changed."""
        (memory,) = answers
        view = memoryview(memory)
        for iteration in range(iterations):
            view[-1] = iteration % ROTATED + 1
            yield view

    @staticmethod
    def light(message: Message) -> int:
        """Return the last byte."""
        last: int = message[0][-1]
        return last

    @staticmethod
    def to_struct(message: Message) -> bytes:
        """Put the bytes behind the head."""
        data: bytearray = message[0]
        return SPAN.pack(SPAN.size, len(data)) + data

    def from_struct(self, block: memoryview) -> Message:
        """Copy the bytes at their offset."""
        return (bytes(bytes_at(block)),)


class PayloadView(Payload):
    """Bytes, which stay where they are."""

    def from_struct(self, block: memoryview) -> Message:
        """Return a view of the bytes."""
        return (bytes_at(block),)


def text_at(block: memoryview, offset: int, length: int) -> str:
    """Return a text of a block. Raises ValueError where it lies outside, or is not UTF-8."""
    end = offset + length
    if end > len(block):
        raise ValueError("a text lies outside the block")
    return str(block[offset:end], "utf-8")


def bytes_at(block: memoryview) -> memoryview:
    """Return a view of the bytes that a payload's block names. Raises ValueError where they lie outside."""
    offset, length = SPAN.unpack_from(block)
    if offset + length > len(block):
        raise ValueError("the bytes lie outside the block")
    return block[offset : offset + length]


SHAPES = {each.name: each for each in (Request, Response, Complex, Payload)}
