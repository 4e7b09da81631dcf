"""How each parameter crosses the boundary, by its C type, its name and the one after it.

The rules prefer refusal to a guess: where a wrong kind would go unnoticed (`int *` may be one value
or many), none is given and the sentence says how to name one. What is taken for granted instead is
loud when wrong, since the C signature stays the same: an address handed to a `buffer` is a TypeError.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from ffibench.errors import FfibenchError
from ffibench.headers.types import (
    KINDS,
    CType,
    Function,
    Kind,
    Parameter,
    Prototype,
    Result,
    StructType,
    is_data,
    place_of_data,
)

Structs = Mapping[str, StructType]
Overrides = Mapping[str, Mapping[str, Kind]]

SMALL_STRUCT_FIELDS = 8
"""A struct is small when it has 1 to 8 fields, all scalars: what every binding can build from plain
arguments. Others (`zmq_msg_t`, `z_stream`) belong to their library and are handles."""

_BYTE_TYPES = {"char", "signed char", "unsigned char"}
_LENGTH_WORDS = {"n", "nb", "num", "sz", "count", "cnt", "cap", "capacity", "amount"}
_LENGTH_ENDINGS = ("len", "length", "size", "nbyte", "bytes", "nitems", "nmemb", "nelem", "nelems")


def possible(declared: CType, structs: Structs) -> tuple[Kind, ...]:
    """Return the kinds that a parameter of this C type can be called with, the likeliest first."""
    target = declared.target
    fitting: tuple[Kind, ...] = ()
    if declared.scalar:
        fitting = ("scalar",)
    elif small_struct(declared, structs):
        fitting = ("struct",)
    elif declared.category != "pointer" or target is None:
        fitting = ()
    elif target.category == "function":
        fitting = ("callback", "handle") if _callable(target) else ("handle",)
    elif small_struct(target, structs):
        fitting = ("struct_pointer", "handle")
    elif target.category != "void" and not target.scalar:
        fitting = ("handle",)
    elif not target.const:
        fitting = ("buffer", "handle")
    else:
        fitting = ("string", "bytes", "handle") if target.category == "char" else ("bytes", "handle")
    return fitting


def small_struct(declared: CType, structs: Structs) -> bool:
    """Whether this type is a struct that goes by value, by `SMALL_STRUCT_FIELDS`."""
    layout = structs.get(declared.tag) if declared.category == "struct" else None
    fields = layout.fields if layout else ()
    return 0 < len(fields) <= SMALL_STRUCT_FIELDS and all(field.type.scalar for field in fields)


def classify(prototype: Prototype, structs: Structs, overrides: Overrides) -> Function | FfibenchError:
    """Return the function with its kinds, or the error that says why no kind fits."""
    chosen = overrides.get(prototype.name, {})
    names = parameter_names(prototype)
    result = _result_kind(prototype.result, structs)
    impossible = prototype.unusable
    if prototype.variadic:
        impossible = "it takes a variable number of arguments"
    if result is None and not impossible:
        impossible = f"its result `{prototype.result.spelling}` is none of void, scalar, string, handle, struct"
    parameters: list[Parameter] = []
    misfits: dict[str, list[str]] = {}
    offers: dict[str, tuple[Kind, ...]] = {}
    for index, (name, declared) in enumerate(zip(names, prototype.types, strict=True)):
        kind = chosen.get(name) or _guess(prototype, index, structs)
        if kind is None:
            misfits.setdefault(_misfit(declared, structs), []).append(f"`{declared.declare(name)}`")
            offers[f"{prototype.name}.{name}"] = possible(declared, structs)
        else:
            sized = kind in {"bytes", "buffer"} and _one_length(prototype, index)
            parameters.append(Parameter(name, declared, kind, names[index + 1] if sized else None))
    if result is not None and not impossible and not misfits:
        result_of = Result(prototype.result, result)
        with_data = _with_user_data(parameters, chosen)
        return Function(prototype.name, with_data, result_of, prototype.line, prototype.file)
    reason = impossible or ", and ".join(f"{', '.join(which)} {misfit}" for misfit, which in misfits.items())
    fix = "declare a plain function around it instead"
    if not impossible and all(offers.values()):
        options = " ".join(f"--kind {place}={kinds[0]}" for place, kinds in offers.items())
        fitting = ", ".join(dict.fromkeys(kind for kinds in offers.values() for kind in kinds))
        fix = f"say what is meant, as in `{options}` (what can fit: {fitting})"
    return FfibenchError(f"{prototype.file}:{prototype.line}: `{prototype.name}` fits no kind: {reason}", fix)


def read_overrides(kinds: Mapping[str, str], prototypes: Iterable[Prototype], structs: Structs) -> Overrides:
    """Check `{"FUNCTION.PARAMETER": "KIND"}` against the header and return it by function, then parameter.

    Raises FfibenchError for a function, parameter or kind that does not exist, with the nearest that
    do, and for a kind that cannot fit the parameter's C type, with those that can.
    """
    declared = {prototype.name: prototype for prototype in prototypes}
    checked: dict[str, dict[str, Kind]] = {}
    for place, wanted in kinds.items():
        function, _, parameter = place.partition(".")
        option = f"`--kind {place}={wanted}`"
        if function not in declared:
            raise FfibenchError(
                f"{option}: the header declares no function `{function}`", fix=nearest(function, declared)
            )
        prototype = declared[function]
        types = dict(zip(parameter_names(prototype), prototype.types, strict=True))
        where = f"{prototype.file}:{prototype.line}: `{function}`"
        if parameter not in types:
            raise FfibenchError(f"{option}: {where} has no parameter `{parameter}`", fix=nearest(parameter, types))
        fitting = possible(types[parameter], structs)
        kind = next((each for each in KINDS if each == wanted), None)
        if kind is None:
            raise FfibenchError(f"{option}: there is no kind `{wanted}`", fix=nearest(wanted, KINDS))
        if kind not in fitting:
            spelled = types[parameter].declare(parameter)
            raise FfibenchError(
                f"{option}: {where} declares `{spelled}`, which cannot be {wanted}",
                fix=f"use {' or '.join(fitting)}" if fitting else "declare a plain function around it instead",
            )
        checked.setdefault(function, {})[parameter] = kind
    return checked


def nearest(name: str, known: Iterable[str]) -> str:
    """Return "use the nearest: ..." with the names most like this one, or all where none is, at most 9."""
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.6)
    if near:
        return f"use the nearest: {', '.join(near)}"
    return f"use one of: {', '.join(names)}" if 0 < len(names) <= 9 else "use a name that stands in the header"


def parameter_names(prototype: Prototype) -> tuple[str, ...]:
    """Return the parameter names, unnamed ones by their position: `arg0`, `arg1`."""
    taken = set(prototype.names)
    names = []
    for index, name in enumerate(prototype.names):
        given = name or f"arg{index}"
        while name is None and given in taken:
            given += "_"
        names.append(given)
    return tuple(names)


def _guess(prototype: Prototype, index: int, structs: Structs) -> Kind | None:
    fitting = possible(prototype.types[index], structs)
    target = prototype.types[index].target
    if target is None:
        return fitting[0] if fitting else None
    sized = _length_of(prototype, index) is not None
    kind: Kind | None = None
    if target.category == "function":
        kind = "callback" if "callback" in fitting else None
    elif target.category in {"struct", "union"}:
        # A length beside it makes it an array of structs: its address is the caller's to answer for.
        kind = "handle" if sized else fitting[0]
    elif sized and (_is_bytes(target) or (target.scalar and not target.const)):
        kind = "bytes" if target.const else "buffer"
    elif target.category == "void":
        kind = "handle"
    elif "buffer" in fitting and index and _length_of(prototype, index - 1) is not None:
        kind = "buffer"  # one integer: the room in the buffer before it, then what was filled
    elif "string" in fitting:
        kind = "string"
    return kind


def _with_user_data(parameters: list[Parameter], chosen: Mapping[str, Kind]) -> tuple[Parameter, ...]:
    """Tell the user data of the callback, by C's habit of a `void *` right after the function pointer.

    Two callbacks may share one address, or have one of them none; then it stays the caller's to answer for.
    """
    places = [index for index, each in enumerate(parameters) if each.kind == "callback"]
    place = places[0] + 1 if len(places) == 1 else len(parameters)
    if place < len(parameters) and place_of_data(parameters[place - 1].type) is not None:
        beside = parameters[place]
        if beside.kind == "handle" and beside.name not in chosen and is_data(beside.type):
            parameters = [*parameters[:place], replace(beside, kind="user_data"), *parameters[place + 1 :]]
    return tuple(parameters)


def _length_of(prototype: Prototype, index: int) -> CType | None:
    """Return the type of the next parameter where it carries this pointer's length, else None."""
    target = prototype.types[index].target
    if target is None or index + 1 == len(prototype.types):
        return None
    name, declared = prototype.names[index + 1], prototype.types[index + 1]
    if declared.category == "pointer" and declared.target is not None:
        # Two `size_t *` in a row are two results, so a type alone does not make the second a length.
        counts = declared.target.category in {"int", "uint"} and not (declared.target.const or target.const)
        named = _says_length(name) and not _says_length(prototype.names[index])
        return declared if counts and (named or (_is_bytes(target) and _is_size(declared.target))) else None
    if declared.category not in {"int", "uint"}:
        return None
    if name is None and target.const and _is_bytes(target):
        return declared
    return declared if _is_size(declared) or _says_length(name) else None


def _one_length(prototype: Prototype, index: int) -> bool:
    """Whether the next parameter alone is the length: in `size_t size, size_t nmemb` it is a factor."""
    two = index + 2 < len(prototype.types) and prototype.types[index + 2].category in {"int", "uint"}
    return _length_of(prototype, index) is not None and not (two and _says_length(prototype.names[index + 2]))


def _is_bytes(declared: CType) -> bool:
    return declared.category == "void" or declared.base in _BYTE_TYPES


def _is_size(declared: CType) -> bool:
    return any(name.endswith("size_t") or name == "socklen_t" for name in declared.typedefs)


def _says_length(name: str | None) -> bool:
    """Whether a name says that it is a length: `optvallen`, `sourceLen`, `nByte`, `n`, `item_count`."""
    plain = (name or "").strip("_").rstrip("0123456789")
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", plain)
    return plain.lower().endswith(_LENGTH_ENDINGS) or bool(words and words[-1].lower() in _LENGTH_WORDS)


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


def _result_kind(declared: CType, structs: Structs) -> Kind | None:
    target = declared.target
    if declared.category == "void":
        return "void"
    if declared.scalar:
        return "scalar"
    if declared.category == "struct" and small_struct(declared, structs):
        return "struct"
    if declared.category != "pointer" or target is None:
        return None
    if target.base == "char":
        return "string"
    return "handle" if target.category in {"void", "struct", "union"} else None


def _misfit(declared: CType, structs: Structs) -> str:
    """Say, to follow the parameter's declaration, why its kind is not known."""
    target = declared.target
    if declared.category == "struct":
        layout = structs.get(declared.tag)
        why = layout.opaque if layout and layout.opaque else "is not made of 1 to 8 scalars"
        return f"by value: the struct {why}"
    if declared.category != "pointer" or target is None:
        return "by value: not every binding can pass this type"
    if target.category == "function":
        return "is a callback that takes more than numbers and addresses, or gives more than a number, or a long double"
    if not target.scalar:
        return "points to neither bytes, numbers nor a struct"
    if target.const and not _is_bytes(target):
        return "points to const values other than bytes"
    return "has no length beside it, so it may be one value or many"
