"""What a C header declares, as frozen values: types, parameters, functions and struct layouts."""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import Struct

Kind = Literal[
    "scalar",  # a number, character, bool or enum, by value
    "bytes",  # const memory that the function reads, with its length beside it
    "string",  # const char * that ends at a NUL
    "buffer",  # memory that the function writes (and may read); without a length, as large as documented
    "array",  # numbers in a row, typed, read and, unless const, written
    "cell",  # one value that the function writes (and may read): a number, or an address
    "handle",  # an address that the caller got elsewhere and hands through
    "callback",  # a function pointer: numbers and addresses in, a number or nothing out
    "user_data",  # the void * after a callback, which C hands back to it and looks at nowhere else
    "struct",  # a small struct by value
    "struct_pointer",  # the address of one small struct, read and, unless const, written
    "owned",  # a text that the caller must free, copied and freed at once; a result only
    "void",  # nothing; a result only
]
"""How a parameter or a result crosses the boundary."""
KINDS: tuple[Kind, ...] = get_args(Kind)

Category = Literal[
    "void", "bool", "char", "int", "uint", "float", "enum",
    "pointer", "function", "array", "struct", "union", "other",
]  # fmt: skip
"""What a type is once typedefs are resolved. `char` is plain char alone; `signed char` is an `int`,
`unsigned char` a `uint`; `other` is what no binding can be given (va_list, complex, vectors)."""
SCALARS: frozenset[Category] = frozenset({"bool", "char", "int", "uint", "float", "enum"})


class CType(Struct, frozen=True):
    """A C type, as declared and as resolved.

    Attributes:
        category: what it is once typedefs are resolved.
        base: for void, scalars, structs and unions the resolved C spelling without qualifiers, such
            as `unsigned long` or `struct point`; for an enum the integer type that carries it (by
            the rule of GCC and Clang: `unsigned int` unless a member is negative or larger); empty
            for pointers, functions and arrays, which have a `target`.
        typedefs: the typedef names it was declared by, outermost first: `("z_size_t", "size_t")`.
        tag: how C names the struct, union or enum: `struct point`, `enum colour`, or the typedef's
            name where it has no tag.
        qualifiers: any of `const` and `volatile`.
        target: what a pointer points to, an array's element, a function's result.
        parameters: a function's parameter types.
        variadic: a function with `...`.
        length: an array's number of elements, None where it has none or it is not constant. A pointer has one
            where it is a parameter that was declared as an array, `double v[3]`: 0 where nothing tells it.

    """

    category: Category
    base: str = ""
    typedefs: tuple[str, ...] = ()
    tag: str = ""
    qualifiers: tuple[str, ...] = ()
    target: CType | None = None
    parameters: tuple[CType, ...] = ()
    variadic: bool = False
    length: int | None = None

    @property
    def const(self) -> bool:
        """Whether what has this type may not be written."""
        return "const" in self.qualifiers

    @property
    def scalar(self) -> bool:
        """Whether it is a number, character, bool or enum."""
        return self.category in SCALARS

    @property
    def spelling(self) -> str:
        """The type as declared: `const void *`, `size_t`, `void (*)(int)`."""
        return _write(self, "", resolved=False)

    @property
    def resolved(self) -> str:
        """The same type with every typedef replaced by what it stands for."""
        return _write(self, "", resolved=True)

    def declare(self, name: str, *, resolved: bool = False) -> str:
        """Return the declaration of `name` with this type, without a semicolon: `void (*done)(int)`.

        With `resolved` no typedef stands in it, so that it can be read without the header.
        """
        return _write(self, name, resolved=resolved)


class Parameter(Struct, frozen=True):
    """A parameter: its name, type and kind.

    `length` names the parameter that says how large a `bytes`, `buffer` or `array` is: an integer, or a
    pointer to one that holds the room before the call and what was filled after it (which is itself a
    `cell`). The header does not tell the unit; for `void *` it is bytes, for an `array` usually items.
    """

    name: str
    type: CType
    kind: Kind
    length: str | None = None


class Result(Struct, frozen=True):
    """What a function returns: its type, and its kind: void, scalar, string, owned, handle or struct.

    `free` names the function that frees an `owned` text: one of the header with one parameter, or C's `free`.
    """

    type: CType
    kind: Kind
    free: str = ""


class Function(Struct, frozen=True):
    """A function that every binding can be given, and where it was declared (`line` from 1).

    `hidden`: the header defines a macro of its name, as zlib.h does of `gzgetc`. What is compiled against the header
    must take the macro away, or it would not call the library.
    """

    name: str
    parameters: tuple[Parameter, ...]
    result: Result
    line: int
    file: str
    hidden: bool = False

    @property
    def callbacks(self) -> tuple[Callback, ...]:
        """What C calls through the parameters of kind `callback`, in their order."""
        beside = dict(zip(self.parameters, self.parameters[1:], strict=False))
        return tuple(
            _callback(each, beside[each].name if each in beside and beside[each].kind == "user_data" else None)
            for each in self.parameters
            if each.kind == "callback"
        )

    @property
    def declaration(self) -> str:
        """The plain C prototype with its semicolon, as cffi's `cdef` and Cython's `cdef extern` take it."""
        inner = ", ".join(parameter.type.declare(parameter.name) for parameter in self.parameters)
        return self.result.type.declare(f"{self.name}({inner or 'void'})") + ";"


class Callback(Struct, frozen=True):
    """What C calls through a parameter of kind `callback`.

    Attributes:
        name: the parameter's.
        data: name of the parameter beside it that comes back as an argument, None where there is none.
        arguments: what C gives: `scalar`, `handle` for any address, `user_data` for what comes back.
        result: what C takes: void or scalar.

    """

    name: str
    data: str | None
    arguments: tuple[Parameter, ...]
    result: Result


def place_of_data(callback: CType) -> int | None:
    """Return which argument of a function pointer can be its user data: the only plain `void *`, first or last."""
    types = () if callback.target is None else callback.target.parameters
    places = [place for place, each in enumerate(types) if is_data(each)]
    return places[0] if len(places) == 1 and places[0] in {0, len(types) - 1} else None


def is_data(declared: CType) -> bool:
    """Whether this is a pointer to what C knows nothing of and may have written: `void *`."""
    target = declared.target
    return declared.category == "pointer" and target is not None and target.category == "void" and not target.qualifiers


def _callback(parameter: Parameter, data: str | None) -> Callback:
    called = parameter.type.target
    if called is None or called.target is None:
        raise ValueError(f"{parameter.name} is no function pointer")
    place = None if data is None else place_of_data(parameter.type)
    arguments: list[Parameter] = []
    for index, declared in enumerate(called.parameters):
        kind: Kind = "user_data" if index == place else "scalar" if declared.scalar else "handle"
        arguments.append(Parameter(f"argument_{index}", declared, kind))
    result = Result(called.target, "scalar" if called.target.scalar else "void")
    return Callback(parameter.name, data, tuple(arguments), result)


class Field(Struct, frozen=True):
    """A member of a struct."""

    name: str
    type: CType


class StructType(Struct, frozen=True):
    """A struct by its C name (`struct point`, or the typedef's name where it has no tag).

    An opaque struct has no fields, and `opaque` says why: it is only declared, or its layout does
    not follow from its fields alone (bit-fields, unnamed members, packing, alignment).
    """

    name: str
    fields: tuple[Field, ...] = ()
    opaque: str = ""


class Prototype(Struct, frozen=True):
    """A function as declared, before kinds: parameter names are None where the header has none."""

    name: str
    names: tuple[str | None, ...]
    types: tuple[CType, ...]
    result: CType
    variadic: bool
    line: int
    file: str
    unusable: str = ""


def _write(declared: CType, inner: str, *, resolved: bool) -> str:
    """Return the declaration of `inner`, which grows outwards from the name as C's declarators do."""
    target = declared.target
    if target is None or (declared.typedefs and not resolved):
        plain = declared.tag or declared.base
        name = plain if resolved or not declared.typedefs else declared.typedefs[0]
        return " ".join(filter(None, (*declared.qualifiers, name, inner)))
    if declared.category == "pointer":
        inner = f"*{' '.join(declared.qualifiers)} {inner}" if declared.qualifiers else f"*{inner}"
        if target.category in {"function", "array"} and (resolved or not target.typedefs):
            inner = f"({inner.rstrip()})"
    elif declared.category == "function":
        parameters = [_write(each, "", resolved=resolved) for each in declared.parameters]
        inner += f"({', '.join([*parameters, *(['...'] * declared.variadic)]) or 'void'})"
    else:
        inner += f"[{'' if declared.length is None else declared.length}]"
    return _write(target, inner.rstrip(), resolved=resolved)
