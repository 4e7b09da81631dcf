"""How one call crosses: each argument and the result by what decides their price, and by nothing else.

Two arguments have one price where kind, C type and what is given are the same. Numbers are made alike, but where a
language keeps them in another form: 64-bit ones, and the results -5 .. 256, of which CPython keeps an object each.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from ffibench.calls.bind import CODES
from ffibench.calls.operations import Called, Given, Made, Operation, size_of
from ffibench.headers.types import CType, Function, Kind, Parameter

PLAIN = 1000
SMALL = 7
"""A result that CPython does not have to make, and a number that fits every type."""
SMALL_MIN, SMALL_MAX = -5, 256
WIDE = 1 << 30
"""From here on CPython keeps a number in several digits."""
REAL = 1.5
SIZE = 16
"""Bytes or items of memory of which nothing is known."""


class Passed(Struct, frozen=True):
    """An argument or a result."""

    kind: Kind
    type: CType
    given: str = ""
    """In the words of a call expression: `1000`, `bytes(16)`, `h` for an address; of a result what it is."""
    with_data: bool = False
    """Of a callback: its user data is the parameter beside it."""
    called: int | None = None
    """Of a callback: how often C calls it; None where that is not known."""

    @property
    def width(self) -> int:
        """How many parameters of C it takes."""
        return 2 if self.with_data else 1


INT = Passed("scalar", CType("int", "int"), str(PLAIN))
"""What all others are compared with."""


class Argument(Struct, frozen=True):
    """A parameter by its name, with what crosses."""

    name: str
    passed: Passed


class Signature(Struct, frozen=True):
    """One call, as often as an operation makes it."""

    function: str
    arguments: tuple[Argument, ...]
    result: Passed
    times: int = 1

    @property
    def arity(self) -> int:
        """The number of parameters in C."""
        return sum(each.passed.width for each in self.arguments)


class Known(Struct, frozen=True):
    """What an experiment says of the values of a function without showing the call."""

    size: int | None = None
    """Bytes of its memory."""
    length: str = ""
    """The parameter that is this size."""
    result: int | None = None


def of_function(function: Function, times: int = 1, known: Known = Known()) -> Signature:  # noqa: B008 (frozen)
    """Return the signature of a function of which the calls are not seen."""
    given = {
        each.name: number(each.type, known.size if each.name == known.length else None)
        if each.kind == "scalar"
        else _unseen(each, SIZE if known.size is None else known.size)
        for each in function.parameters
    }
    return _signature(function, given, known.result, times)


def of_called(
    called: Called, operation: Operation, result: int | None = None, called_back: Mapping[str, int] = {}
) -> Signature:
    """Return the signature of a call that an expression shows.

    Where they are known, `result` is what C answers, and `called_back` how often it calls what was made as a callback.
    """
    made = {each.name: each for each in operation.made}
    given = {each.parameter.name: _shown(each, made) for each in called.arguments}
    back = {each.parameter.name: called_back[each.made] for each in called.arguments if each.made in called_back}
    return _signature(called.function, given, result, back=back)


def _signature(
    function: Function,
    given: Mapping[str, str],
    result: int | None,
    times: int = 1,
    back: Mapping[str, int] = {},
) -> Signature:
    parameters = [each for each in function.parameters if each.kind != "user_data"]
    data = {each.name for each in function.callbacks if each.data is not None}
    arguments = [
        Argument(
            each.name,
            Passed(each.kind, _resolved(each.type), given[each.name], each.name in data, back.get(each.name)),
        )
        for each in parameters
    ]
    declared = function.result
    told = _answer(declared.type, result) if declared.kind == "scalar" else ""
    return Signature(function.name, tuple(arguments), Passed(declared.kind, _resolved(declared.type), told), times)


def _resolved(declared: CType) -> CType:
    """Return a type without the names of typedefs, which change no price."""
    target = None if declared.target is None else _resolved(declared.target)
    parameters = tuple(map(_resolved, declared.parameters))
    return replace(declared, typedefs=(), target=target, parameters=parameters, length=_length(declared))


def _length(declared: CType) -> int | None:
    """An array's own; a parameter that was declared as one is a pointer."""
    return declared.length if declared.category == "array" else None


def _shown(given: Given, made: Mapping[str, Made]) -> str:
    parameter = given.parameter
    if parameter.kind == "scalar":
        return number(parameter.type, given.number)
    if given.is_null or (parameter.kind == "callback" and not given.made):
        return "NULL"
    if given.made:
        return _unseen(parameter, size_of(made[given.made]))
    return _unseen(parameter, SIZE)


def _unseen(parameter: Parameter, size: int) -> str:
    """Spell an argument that is no number; `size` is in bytes."""
    item = parameter.type.target or parameter.type
    spelled: Mapping[Kind, str] = {
        "bytes": f"bytes({size})",
        "string": f'"x" * {size}',
        "buffer": f"buffer({size})",
        "array": f'array("{CODES.get(item.base, "b")[0]}", {_items(item, size)})',
        "cell": "out(value)",
        "callback": "callback()",
    }
    return spelled.get(parameter.kind, "h")


def _items(item: CType, size: int) -> int:
    width = {"double": 8, "long": 8, "unsigned long": 8, "long long": 8, "unsigned long long": 8}.get(item.base, 4)
    return max(1, min(size // width, 127))


def number(declared: CType, value: float | None = None) -> str:
    """Spell a number that is given: it was made before the loop, so that only its width counts."""
    if declared.category == "bool":
        return "True"
    if declared.category == "float":
        return str(REAL)
    if value is not None and abs(value) >= WIDE:
        return str(int(value))
    return str(SMALL if _narrow(declared) else PLAIN)


def _answer(declared: CType, value: int | None) -> str:
    """Spell a number that is returned: a language may have to make it."""
    if declared.category in {"bool", "float"}:
        return number(declared, None)
    if value is not None and abs(value) >= WIDE:
        return str(value)
    small = value is not None and SMALL_MIN <= value <= SMALL_MAX
    return str(SMALL if small or _narrow(declared) else PLAIN)


def _narrow(declared: CType) -> bool:
    return declared.base.rpartition(" ")[2] == "char"
