"""codec through every Python shim: messages are encoded in Python, answered by the library, and decoded in Python.

ffibench: requires=cbor2
"""

from __future__ import annotations

import struct

from cbor2 import CBORDecodeError

from ffibench.worker.contract import Loops, Options, Receipt, Work, planned_cases

from ._messages import ROTATED, as_fields, fixtures
from ._shapes import SHAPES, PayloadView, Request

TYPE_CHECKING = False
if TYPE_CHECKING:  # a worker starts in less time without
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from ._messages import Message
    from ._shapes import Shape

BAD = (ValueError, CBORDecodeError, struct.error)


class Bench:
    """What the loops of a case work on, and leave for the receipt."""

    def __init__(self, native: Any, case: str, size: int) -> None:  # noqa: ANN401
        """Take the case's key, `payload_struct_total_view`, and the bytes of a payload."""
        shape, way, step, *kind = case.split("_")
        self.native = native
        self.step = step
        self.is_block = way == "struct"
        self.warm = kind != ["default", "heap"]
        self.shape: Shape = PayloadView(size) if kind == ["view"] else SHAPES[shape](size)
        self.encode, self.decode = self.coder(self.shape)
        self.call = native.codec_answer_block if self.is_block else native.codec_answer_cbor
        first = self.encode(next(iter(self.shape.messages(1))))
        self.room = len(first) + max(len(self.encode(each)) for each in fixtures(shape)) + ROTATED
        self.answer = bytearray(self.room)
        self.view = memoryview(self.answer)
        self.request = first
        self.ready = [bytearray(self.room)] * self.shape.ready
        self.length = 0
        self.value: Message = None
        self.sum = 0

    def coder(self, shape: Shape) -> tuple[Callable[[Message], bytes], Callable[[memoryview], Message]]:
        """Return what encodes and decodes messages of a shape."""
        return (shape.to_struct, shape.from_struct) if self.is_block else (shape.to_cbor, shape.from_cbor)

    def loops(self) -> Loops:
        """Return the loops of the case's step."""
        runs = {"encode": self.encodes, "call": self.calls, "decode": self.decodes, "total": self.totals}
        return Loops(runs[self.step], self.nothing, self.before, self.after)

    def given(self, iterations: int) -> Iterable[object]:
        """Return what the iterations of the case's step are given: messages, answers, or the one message."""
        if self.step == "call":
            return range(iterations)
        return self.shape.blocks(self.ready, iterations) if self.step == "decode" else self.shape.messages(iterations)

    def encodes(self, iterations: int) -> None:
        """Encode each message; the bytes before are dropped."""
        encode, total = self.encode, 0
        for message in self.shape.messages(iterations):
            request = encode(message)
            total += len(request)
        self.request, self.sum = request, total

    def calls(self, iterations: int) -> None:
        """Have the same message answered."""
        call, number, request, answer, room, total = *self.calling(), 0
        size = len(request)
        for _ in range(iterations):
            length = call(number, request, size, answer, room)
            if length < 0:
                raise ValueError(f"the library refuses a message: {length}")
            total += length
        self.length, self.sum = length, total

    def decodes(self, iterations: int) -> None:
        """Decode answers that are ready; the values before are dropped."""
        decode, light, total = self.decode, self.shape.light, 0
        for block in self.shape.blocks(self.ready, iterations):
            value = decode(block)
            total += light(value)
        self.value, self.sum = value, total

    def totals(self, iterations: int) -> None:
        """Encode a message, have it answered, decode the answer."""
        call, number, _, answer, room, total = *self.calling(), 0
        encode, decode, light, view = self.encode, self.decode, self.shape.light, self.view
        for message in self.shape.messages(iterations):
            request = encode(message)
            length = call(number, request, len(request), answer, room)
            if length < 0:
                raise ValueError(f"the library refuses a message: {length}")
            value = decode(view[:length])
            total += light(value)
        self.request, self.length, self.value, self.sum = request, length, value, total

    def nothing(self, iterations: int) -> None:
        """Make what iterations are given, and nothing of it."""
        total, length = 0, self.room
        for _ in self.given(iterations):
            if length < 0:
                raise ValueError(f"the library refuses a message: {length}")
            total += length

    def calling(self) -> tuple[Any, int, bytes, bytearray, int]:
        """Return the native function, and what it is given."""
        return self.call, self.shape.number, self.request, self.answer, self.room

    def before(self, _iterations: int) -> None:
        """Drop what the slice before left, and warm the heap where the case has it so."""
        self.value = None
        if self.warm and self.native.codec_warm_heap() != 0:
            raise OSError("the heap cannot be kept warm: malloc is not glibc's")
        self.request = self.encode(next(iter(self.shape.messages(1))))
        if self.step == "decode":
            self.ready = [self.checked(self.encode(each)) for each in self.shape.messages(self.shape.ready)]

    def after(self, iterations: int) -> Receipt:
        """Digest the fixtures' messages, and what the loop left of its last one."""
        requests, answers, fields = [], [], []
        for message in fixtures(self.shape.name):
            request = self.encode(message)
            answer = self.checked(request)
            requests.append(request)
            answers.append(answer)
            fields.append(as_fields(self.decode(memoryview(answer))))
        if self.step == "decode":
            last = (iterations - 1) % ROTATED
            *_, self.request = (self.encode(each) for each in self.shape.messages(last + 1))
        requests.append(self.request)
        called = self.step in {"call", "total"}
        answers.append(bytearray(self.view[: self.length]) if called else self.checked(self.request))
        if self.step in {"encode", "call"}:
            self.value = self.decode(memoryview(answers[-1]))
        elif not isinstance(self.shape, PayloadView):
            for memory in [self.answer] if called else self.ready:
                memory[:] = bytes(len(memory))  # what was decoded must not change with it
        fields.append(as_fields(self.value))
        return {
            "messages": iterations,
            "sum": self.sum,
            "requests": self.digest(requests),
            "answers": self.digest(answers),
            "fields": self.digest(fields),
            "refused": self.refused(),
        }

    def checked(self, request: bytes) -> bytearray:
        """Have a message answered outside of a loop. Raises ValueError where the library refuses it."""
        answer = bytearray(len(request) + ROTATED)
        length = self.native.codec_check(self.is_block, self.shape.number, request, len(request), answer, len(answer))
        if length < 0:
            raise ValueError(f"the library refuses a message: {length}")
        return answer[:length]

    def digest(self, parts: list[Any]) -> int:
        """Return the digest of parts that follow each other."""
        digest = 0
        for part in parts:
            digest = self.native.codec_digest(digest, bytes(part), len(part))
        return digest

    def refused(self) -> int:
        """Count the bad messages that host and library refuse: one that is not UTF-8, one that ends too soon."""
        encode, decode = self.coder(SMALL)
        good = encode(("a text", 1))
        found = 0
        for bad in (good[:-1], good.replace(b"t", b"\xff", 1)):
            found += self.native.codec_check(self.is_block, SMALL.number, bad, len(bad), bytearray(64), 64) < 0
            try:
                decode(memoryview(bad))
            except BAD:
                found += 1
        return found


SMALL = Request(0)


def contestant(native: Any, options: Options) -> Iterator[Work]:  # noqa: ANN401
    """Make the loops of each case that is planned."""
    size = int(options["size"])
    cases = {case: Bench(native, case, size).loops() for case, _ in planned_cases(options["cases"])}
    yield Work(cases, library_version=text_of(native.codec_version()))


def text_of(text: bytes | str) -> str:
    """Return a text of C, which bindings give as either."""
    return text.decode() if isinstance(text, bytes) else text
