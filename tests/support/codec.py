"""The messages of `codec` in Python and in C: its oracle, and its library by ctypes as a caller in C has it."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from ctypes import POINTER, byref, c_char_p, c_int, c_int64, c_size_t, c_void_p
from importlib import import_module
from typing import Any

from ffibench.builds.library import find_library
from ffibench.builds.sources import LibraryParts, library_parts
from ffibench.catalog import find_experiment
from ffibench.model import Case, Value
from ffibench.worker.load import add_package

FOLDER = find_experiment("codec")
PACKAGE = "codec_experiment"
add_package(PACKAGE, str(FOLDER.path))
messages: Any = import_module(f"{PACKAGE}._messages")
oracle: Any = import_module(f"{PACKAGE}._oracle")
shapes: Any = import_module(f"{PACKAGE}._shapes")

SHAPES: tuple[str, ...] = messages.SHAPES
REQUEST, RESPONSE, COMPLEX, PAYLOAD = SHAPES
WAYS: tuple[str, ...] = oracle.WAYS
CBOR, STRUCT = WAYS
MALFORMED, TOO_SMALL, NO_MEMORY = -1, -2, -3

Message = list[Any]


def parts() -> LibraryParts:
    """What the library under test is made of."""
    found = library_parts(FOLDER.experiment.library, FOLDER.path)
    assert found is not None
    return found


def cases(**changes: Value) -> tuple[Case, ...]:
    """The experiment's cases, with these parameters."""
    defaults = {parameter.name: parameter.default for parameter in FOLDER.experiment.parameters}
    return FOLDER.experiment.cases({**defaults, **changes})


class Text(ctypes.Structure):
    _fields_ = (("bytes", c_void_p), ("length", c_size_t))

    @property
    def value(self) -> str | None:
        return None if self.bytes is None else ctypes.string_at(self.bytes, self.length).decode()


class Request(ctypes.Structure):
    _fields_ = (("message", Text), ("number", c_int64))

    @property
    def value(self) -> Message:
        return [self.message.value, self.number]


class Response(ctypes.Structure):
    _fields_ = (("first", Text), ("second", Text))

    @property
    def value(self) -> Message:
        return [self.first.value, self.second.value]


class Complex(ctypes.Structure):
    _fields_ = (
        ("items", POINTER(Request)),
        ("item_count", c_size_t),
        ("tags", POINTER(Text)),
        ("tag_count", c_size_t),
        ("note", Text),
        ("owned", c_void_p * 2),
    )

    @property
    def value(self) -> Message:
        items = [self.items[place].value for place in range(self.item_count)]
        return [items, [self.tags[place].value for place in range(self.tag_count)], self.note.value]


class Payload(ctypes.Structure):
    _fields_ = (("bytes", c_void_p), ("length", c_size_t))

    @property
    def value(self) -> Message:
        return [ctypes.string_at(self.bytes, self.length)]


class Union(ctypes.Union):
    _fields_ = ((REQUEST, Request), (RESPONSE, Response), (COMPLEX, Complex), (PAYLOAD, Payload))


class Native:
    """The functions of `codec.h` and `codec_message.h`, for one way."""

    def __init__(self, path: str, way: str) -> None:
        library = ctypes.CDLL(path)
        name = "cbor" if way == CBOR else "block"
        bytes_in, bytes_out = (c_char_p, c_size_t), (c_void_p, c_size_t)
        self._answer = self._function(library, f"codec_answer_{name}", c_int64, c_int, *bytes_in, *bytes_out)
        self._decode = self._function(library, f"codec_decode_{name}", c_int, c_int, *bytes_in, c_void_p)
        self._encode = self._function(library, f"codec_encode_{name}", c_int64, c_int, c_void_p, *bytes_out)
        bound = "codec_cbor_bound" if way == CBOR else "codec_block_size"
        self._bound = self._function(library, bound, c_size_t, c_int, c_void_p)
        self._free = self._function(library, "codec_message_free", None, c_int, c_void_p)

    @staticmethod
    def _function(library: ctypes.CDLL, name: str, result: Any, *arguments: Any) -> Any:  # noqa: ANN401 (types of C)
        function = library[name]
        function.restype, function.argtypes = result, arguments
        return function

    def function(self, name: str) -> Any:  # noqa: ANN401 (a function of C)
        """One of them with the arguments of C: answer, decode or encode."""
        return getattr(self, f"_{name}")

    def answer(self, shape: str, request: bytes, room: int | None = None) -> bytes | int:
        """The answer of a request into so many bytes, by default as many as it needs; the error where it is refused.

        Nothing outside of them is written.
        """
        size = 4 * len(request) + 64 if room is None else room
        memory = ctypes.create_string_buffer(b"\xa5" * (size + GUARD), size + GUARD)
        length: int = self._answer(SHAPES.index(shape), request, len(request), memory, size)
        assert memory.raw[size:] == b"\xa5" * GUARD, "it wrote behind its memory"
        assert length <= size
        return memory.raw[:length] if length >= 0 else length

    def decode(self, shape: str, data: bytes) -> Message | int:
        """The message that bytes are, or the error."""
        union = Union()
        kept = ctypes.create_string_buffer(data, len(data))  # the message points into it
        error: int = self._decode(SHAPES.index(shape), kept, len(data), byref(union))
        if error != 0:
            return error
        value: Message = getattr(union, shape).value
        self._free(SHAPES.index(shape), byref(union))
        return value

    def encode(self, shape: str, message: Message, room: int | None = None) -> bytes | int:
        """The bytes of a message by the library's own encoder, into memory of the size that it says; or the error."""
        union, kept = as_union(shape, message)
        size = self._bound(SHAPES.index(shape), byref(union)) if room is None else room
        memory = ctypes.create_string_buffer(b"\xa5" * (size + GUARD), size + GUARD)
        length: int = self._encode(SHAPES.index(shape), byref(union), memory, size)
        assert memory.raw[size:] == b"\xa5" * GUARD, "it wrote behind its memory"
        del kept
        return memory.raw[:length] if length >= 0 else length


GUARD = 64
"""Bytes behind an answer's memory that are looked at."""


def natives() -> dict[str, Native]:
    """The library under test as a run builds it, by way."""
    path = find_library(FOLDER.experiment, FOLDER.path, None).path
    return {way: Native(path, way) for way in WAYS}


def as_union(shape: str, message: Message) -> tuple[Union, list[Any]]:
    """A message as C has it, with the memory that it points into."""
    kept: list[Any] = []

    def text(value: str | bytes | None) -> Text:
        if value is None:
            return Text(None, 0)
        data = value.encode() if isinstance(value, str) else value
        kept.append(ctypes.create_string_buffer(data, len(data) + 1))
        return Text(ctypes.addressof(kept[-1]), len(data))

    def array(kind: Any, values: Sequence[Any]) -> Any:  # noqa: ANN401 (types of C)
        kept.append((kind * max(1, len(values)))(*values))
        return ctypes.cast(kept[-1], POINTER(kind))

    union = Union()
    if shape == REQUEST:
        union.request = Request(text(message[0]), message[1])
    elif shape == RESPONSE:
        union.response = Response(*map(text, message))
    elif shape == COMPLEX:
        items, tags, note = message
        requests = [Request(text(each), number) for each, number in items]
        made = Complex(array(Request, requests), len(items), array(Text, list(map(text, tags))), len(tags), text(note))
        union.complex = made
    else:
        payload = text(message[0])
        union.payload = Payload(payload.bytes, payload.length)
    return union, kept
