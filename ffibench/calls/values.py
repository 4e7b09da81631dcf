"""What a call expression says: its statements and arguments, as frozen values that know no language and no header."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class Number(Struct, frozen=True):
    """An integer, a floating-point number or a truth value, as it is written."""

    value: int | float | bool


class Text(Struct, frozen=True):
    """A string of C, `"text"`: its bytes without the NUL that ends it."""

    data: bytes


class Bytes(Struct, frozen=True):
    """Memory that is read: `size` bytes, in which the pattern repeats. `bytes(n)` counts 0, 1 .. 255, 0 .."""

    pattern: bytes
    size: int

    @property
    def data(self) -> bytes:
        """All the bytes."""
        return (self.pattern * (self.size // len(self.pattern) + 1))[: self.size] if self.pattern else b""


class Buffer(Struct, frozen=True):
    """Memory that the call fills, `buffer(n)`: `size` bytes, zero at first."""

    size: int


class Array(Struct, frozen=True):
    """Numbers side by side: `array("d", 5000)` counts 0, 1, 2 .., `array("i", [3, 1, 2])` has these."""

    code: str
    """Of the item's type, as in Python's module `array`."""
    numbers: tuple[int | float, ...] = ()
    size: int = 0
    """Where it counts, how far."""


class Out(Struct, frozen=True):
    """A value that the call gives through a pointer, `out(name)`; the name is that value afterwards."""

    name: str


class InOut(Struct, frozen=True):
    """A value that the call reads and changes, `inout("unsigned long", 10)`, set again before each operation."""

    type: str
    number: int | float
    name: str = ""


class Null(Struct, frozen=True):
    """`NULL`."""


class Fields(Struct, frozen=True):
    """A struct, `Point(x=1, y=2)`."""

    struct: str
    positional: tuple[Field, ...] = ()
    named: tuple[tuple[str, Field], ...] = ()


class Callback(Struct, frozen=True):
    """A function that C calls back, `callback()`: it takes whatever it is given and answers a number, 0 by itself."""

    answer: int = 0


class Name(Struct, frozen=True):
    """A name that an earlier call bound, or a constant of the header."""

    name: str


Field = Number | Fields | tuple[Number, ...]
"""What a field of a struct is set to: a number, a struct in it, the items of an array."""

Argument = Number | Text | Bytes | Buffer | Array | Out | InOut | Null | Fields | Callback | Name

Comparison = Literal["==", "!=", "<", "<=", ">", ">="]


class Test(Struct, frozen=True):
    """What the result of a call in the set-up has to be."""

    comparison: Comparison
    value: Number | Null | Name


class Step(Struct, frozen=True):
    """One call: `name = function(arguments)`, in a set-up with a test."""

    function: str
    arguments: tuple[Argument, ...]
    name: str = ""
    """What its result is called afterwards; empty: nothing."""
    test: Test | None = None
