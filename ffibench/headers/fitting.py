"""Which kinds a C type can cross as, and why it has none: the type alone, before names and neighbours."""

from __future__ import annotations

from collections.abc import Mapping

from ffibench.headers.types import CType, Kind, StructType

Structs = Mapping[str, StructType]

STRUCT_SCALARS = 16
"""Of how many scalars a struct may be made, in fields, nested structs and arrays, that a program's own code makes
and reads. Larger ones, and those that hold addresses (`zmq_msg_t`, `z_stream`), belong to their library."""

_BYTE_TYPES = {"char", "signed char", "unsigned char"}


def possible(declared: CType, structs: Structs) -> tuple[Kind, ...]:
    """Return the kinds that a parameter of this C type can be called with, the likeliest first."""
    target = declared.target
    fitting: tuple[Kind, ...] = ("handle",)
    if declared.scalar:
        fitting = ("scalar",)
    elif declared.category == "struct":
        fitting = () if struct_misfit(declared, structs) else ("struct",)
    elif declared.category != "pointer" or target is None:
        fitting = ()
    elif target.category == "function":
        fitting = ("callback", "handle") if _callable(target) else ("handle",)
    elif target.category == "struct" and not struct_misfit(target, structs):
        fitting = ("struct_pointer", "handle")
    elif target.category == "pointer":
        fitting = ("handle",) if target.const else ("cell", "handle")
    elif is_bytes(target) and target.const:
        fitting = ("string", "bytes", "handle") if target.category == "char" else ("bytes", "handle")
    elif is_bytes(target):
        fitting = ("buffer", "handle") if target.category == "void" else ("buffer", "cell", "handle")
    elif is_number(target):
        fitting = ("array", "handle") if target.const else ("array", "cell", "handle")
    return fitting


def possible_results(declared: CType, structs: Structs) -> tuple[Kind, ...]:
    """Return the kinds that a result of this C type can have; the first is the guess where `guessed_result` has one."""
    target = declared.target
    fitting: tuple[Kind, ...] = ()
    if declared.category == "void":
        fitting = ("void",)
    elif declared.scalar:
        fitting = ("scalar",)
    elif declared.category == "struct":
        fitting = () if struct_misfit(declared, structs) else ("struct",)
    elif declared.category == "pointer" and target is not None:
        fitting = ("string", "owned", "handle") if target.category == "char" else ("handle",)
    return fitting


def guessed_result(declared: CType, structs: Structs) -> Kind | None:
    """Return the kind of a result, None where only the user can say that an address will do."""
    fitting = possible_results(declared, structs)
    target = declared.target
    opaque = target is None or not (target.scalar or target.category in {"function", "array"})
    return fitting[0] if fitting and (opaque or fitting[0] == "string") else None


def struct_misfit(declared: CType, structs: Structs) -> str:
    """Say, to follow "the struct", why programs cannot make one of this type; nothing where they can."""
    return _scalars(declared, structs)[1]


def misfit(declared: CType, structs: Structs) -> str:
    """Say, to follow the parameter's declaration, why its kind is not known."""
    target = declared.target
    if declared.category == "struct":
        return f"by value: the struct {struct_misfit(declared, structs)}"
    if declared.category != "pointer" or target is None:
        return "by value: not every binding can pass this type"
    if target.category == "function":
        return "is a callback that takes more than numbers and addresses, or gives more than a number, or a long double"
    if target.base == "long double":
        return "points to long double, which is no number to every binding"
    if not target.scalar:
        return "points to neither bytes, numbers nor a struct"
    return "has no length beside it, so it may be one value or many"


def is_bytes(declared: CType) -> bool:
    """Whether memory of this type is bytes to its caller: void, and the types of one byte."""
    return declared.category == "void" or declared.base in _BYTE_TYPES


def is_number(declared: CType) -> bool:
    """Whether every binding has items of this type in memory: a scalar, but for long double."""
    return declared.scalar and declared.base != "long double"


def _scalars(declared: CType, structs: Structs) -> tuple[int, str]:
    """Return of how many scalars a field or struct is made, and what hinders; it stops where there are too many."""
    count, why = 0, ""
    if declared.category == "struct":
        count, why = _scalars_of_struct(structs.get(declared.tag), structs)
    elif declared.category == "array" and declared.target is not None:
        each, why = _scalars(declared.target, structs)
        count = each * (declared.length or 0)
        why = why or ("" if count else "holds an array without a constant length")
    elif is_number(declared):
        count = 1
    else:
        nouns = {"pointer": "a pointer", "union": "a union", "float": "a long double"}
        why = f"holds {nouns.get(declared.category, 'what not every binding can pass')}"
    return count, why or (f"is made of more than {STRUCT_SCALARS} scalars" if count > STRUCT_SCALARS else "")


def _scalars_of_struct(layout: StructType | None, structs: Structs) -> tuple[int, str]:
    if layout is None or "<" in layout.name:
        return 0, "has no name" if layout else "is not declared"
    count, why = 0, layout.opaque or ("" if layout.fields else "has no fields")
    for field in layout.fields:
        more, why = _scalars(field.type, structs)
        count += more
        if field.type.category == "struct" and why and not why.startswith(("holds", "is made")):
            why = f"holds a struct that {why}"
        if why or count > STRUCT_SCALARS:
            break
    return count, why


def _callable(function: CType) -> bool:
    """Whether every binding can make a function of this type: of scalars and addresses to a scalar or nothing.

    An address as a result would be that of memory which nobody keeps; `long double` is no number to cffi.
    """
    result = function.target
    plain = result is not None and (result.category == "void" or result.scalar)
    every = all(each.scalar or each.category == "pointer" for each in function.parameters)
    return plain and every and not function.variadic and "long double" not in _bases(function)


def _bases(function: CType) -> set[str]:
    return {each.base for each in (function.target, *function.parameters) if each is not None}
