"""An operation: calls bound to the functions of a header, with all that a loop of any language needs to know."""

from __future__ import annotations

from array import array

from msgspec import Struct

from ffibench.calls.values import Array, Buffer, Bytes, Callback, Comparison, Text
from ffibench.headers.types import CType, Function, Kind, Parameter, StructType


class Cell(Struct, frozen=True):
    """Memory for one value that a call gives, or reads and changes."""

    number: int | float | None = None
    """What it is set to before each operation; None: it is not."""


class Leaf(Struct, frozen=True):
    """A number in a struct: `x`, `inner.x` or `items[2]`, as C and most languages write it."""

    path: str
    type: CType
    number: int | float = 0


class Record(Struct, frozen=True):
    """A struct with what its fields are set to."""

    struct: StructType
    leaves: tuple[Leaf, ...]


MadeValue = Text | Bytes | Buffer | Array | Cell | Record | Callback


class Made(Struct, frozen=True):
    """What is made before the loop and handed to calls: memory, a cell, a struct, a callback."""

    name: str
    """Unique in its operation, and a keyword of no language."""
    value: MadeValue
    type: CType
    """Of the parameter that it is given to."""
    kind: Kind

    @property
    def form(self) -> str:
        """What it is, in a word for templates: text, bytes, buffer, array, cell, record, callback."""
        return type(self.value).__name__.lower()

    @property
    def counts(self) -> bool:
        """Whether its bytes count 0, 1 .. 255."""
        return isinstance(self.value, Bytes) and self.value.pattern == bytes(range(256))

    @property
    def flat(self) -> bool:
        """Whether all numbers of a struct are its own fields."""
        paths = [leaf.path for leaf in self.value.leaves] if isinstance(self.value, Record) else []
        return not any(mark in path for path in paths for mark in ".[")

    @property
    def cell_type(self) -> str:
        """What `cell` is asked for, where it is one: `unsigned long`, `void *` for every address."""
        return "void *" if self.item.category == "pointer" else self.item.base

    @property
    def item(self) -> CType:
        """The type of the value in a cell, or of an item of an array."""
        return self.type.target or self.type

    @property
    def changed(self) -> bool:
        """Whether a call may change it, so that it belongs to the answer."""
        return self.kind in {"buffer", "cell", "callback"} or (
            self.kind in {"array", "struct_pointer"} and not self.item.const
        )


class Given(Struct, frozen=True):
    """An argument as a loop hands it over: a number, what was made, a bound name; else NULL."""

    parameter: Parameter
    local: str = ""
    """A name of its own in its operation, for a language that keeps arguments in variables."""
    number: int | float | None = None
    made: str = ""
    bound: str = ""
    outer: bool = False
    """Whether the name was bound by the set-up."""

    @property
    def is_null(self) -> bool:
        """Whether it is NULL for a handle; for a callback it is none at all."""
        nothing = self.number is None and not self.made and not self.bound
        return nothing and self.parameter.kind not in {"callback", "user_data"}


class Bound(Struct, frozen=True):
    """The value of a cell under a name of its own, read after the call that gives it."""

    name: str
    cell: str
    type: CType

    @property
    def cell_type(self) -> str:
        """The cell's, as that of `Made`."""
        return "void *" if self.type.category == "pointer" else self.type.base


class Tested(Struct, frozen=True):
    """What a result in the set-up has to be."""

    comparison: Comparison
    number: int | float | None
    """None: NULL."""


class Called(Struct, frozen=True):
    """One call."""

    function: Function
    arguments: tuple[Given, ...]
    answer: str
    """The name of its result among the answers of its operation: the function's, or what the expression calls it."""
    variable: str
    """A name of its own for its result."""
    named: bool = False
    """Whether the expression gives its result a name, which later calls may be given."""
    reads: tuple[Bound, ...] = ()
    """What it gives through cells and later calls are given."""
    test: Tested | None = None


class Operation(Struct, frozen=True):
    """What is timed, with what goes before and after it."""

    key: str
    """Its case's name in the worker contract: letters, digits and underscores."""
    text: str
    """The expression."""
    setup: tuple[Called, ...]
    calls: tuple[Called, ...]
    teardown: tuple[Called, ...]
    made: tuple[Made, ...]
    checked: bool = True
    """Whether answers are compared with those of C."""
    counter: str = ""
    """The function that tells how many calls the library served; empty: there is none."""

    @property
    def bytes(self) -> int:
        """Bytes of memory that one operation hands over."""
        own = {argument.made for call in self.calls for argument in call.arguments}
        return sum(size_of(each) for each in self.made if each.name in own)

    @property
    def functions(self) -> dict[str, Function]:
        """The functions that it calls, by name, those before and after it too."""
        calls = (*self.setup, *self.calls, *self.teardown)
        return {call.function.name: call.function for call in calls}


def size_of(made: Made) -> int:
    """Return the bytes of memory that was made to be read or filled; 0 for cells, structs and callbacks."""
    match made.value:
        case Text(data=data):
            return len(data)
        case Bytes(size=size) | Buffer(size=size):
            return size
        case Array(code=code, numbers=numbers, size=size):
            return array(code).itemsize * (len(numbers) or size)
        case _:
            return 0
