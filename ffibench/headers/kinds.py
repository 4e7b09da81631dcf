"""How each parameter crosses the boundary, by its C type, its name and the one after it.

The rules prefer refusal to a guess: where a wrong kind would go unnoticed (`const uint8_t *` may be one
byte or many), none is given and the sentence says how to name one. What is taken for granted instead is
loud when wrong, since each kind has objects of its own: an address or a cell handed to a `buffer`, an array
of other items, are a TypeError.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec.structs import replace

from ffibench.headers.fitting import (
    Structs,
    guessed_result,
    is_bytes,
    misfit,
    possible,
    possible_results,
    struct_misfit,
)
from ffibench.headers.overrides import RETURN, Choice, Overrides, parameter_names
from ffibench.headers.refusals import Refusal
from ffibench.headers.types import CType, Function, Kind, Parameter, Prototype, Result, is_data, place_of_data

_LENGTH_WORDS = {"n", "nb", "num", "sz", "count", "cnt", "cap", "capacity", "amount"}
_LENGTH_ENDINGS = ("len", "length", "size", "nbyte", "bytes", "nitems", "nmemb", "nelem", "nelems")
_SIZED: frozenset[Kind] = frozenset({"bytes", "buffer", "array"})


def classify(prototype: Prototype, structs: Structs, overrides: Overrides) -> Function | Refusal:
    """Return the function with its kinds, or why no kind fits."""
    chosen = overrides.get(prototype.name, {})
    names = parameter_names(prototype)
    result = _result(prototype, structs, chosen)
    impossible = prototype.unusable
    if prototype.variadic:
        impossible = "it takes a variable number of arguments"
    parameters: list[Parameter] = []
    misfits: dict[str, list[str]] = {}
    offers: dict[str, tuple[Kind, ...]] = {}
    for index, (name, declared) in enumerate(zip(names, prototype.types, strict=True)):
        kind = chosen[name].kind if name in chosen else _guess(prototype, index, structs)
        if kind is None:
            misfits.setdefault(misfit(declared, structs), []).append(f"`{declared.declare(name)}`")
            offers[f"{prototype.name}.{name}"] = possible(declared, structs)
        else:
            place = _place_of_length(prototype, index) if kind in _SIZED else None
            parameters.append(Parameter(name, declared, kind, None if place is None else names[place]))
    if result is None:
        misfits[_misfit_of_result(prototype.result, structs)] = [f"its result `{prototype.result.spelling}`"]
        offers[f"{prototype.name}.{RETURN}"] = possible_results(prototype.result, structs)
    elif not impossible and not misfits:
        with_data = _with_user_data(parameters, chosen)
        return Function(prototype.name, with_data, result, prototype.line, prototype.file)
    reasons = {impossible: ()} if impossible else {why: tuple(which) for why, which in misfits.items()}
    if impossible or not all(offers.values()):
        offers = {}
    return Refusal(prototype.name, prototype.file, prototype.line, reasons, offers)


def _result(prototype: Prototype, structs: Structs, chosen: Mapping[str, Choice]) -> Result | None:
    if RETURN in chosen:
        return Result(prototype.result, chosen[RETURN].kind, chosen[RETURN].free)
    kind = guessed_result(prototype.result, structs)
    return None if kind is None else Result(prototype.result, kind)


def _misfit_of_result(declared: CType, structs: Structs) -> str:
    target = declared.target
    why = "is no type that every binding can return"
    if declared.category == "struct":
        why = f"is by value: the struct {struct_misfit(declared, structs)}"
    elif target is not None and target.scalar:
        why = "is the address of values, and nothing says how many"
    return why


def _guess(prototype: Prototype, index: int, structs: Structs) -> Kind | None:
    declared = prototype.types[index]
    fitting = possible(declared, structs)
    target = declared.target
    if target is None:
        return fitting[0] if fitting else None
    sized = _length_of(prototype, _last_of_row(prototype, index)) is not None
    several = declared.length is not None  # declared as an array
    kind: Kind | None = None
    if target.category == "function":
        kind = "callback" if "callback" in fitting else None
    elif target.category in {"struct", "union"}:
        # A length beside it makes it an array of structs: its address is the caller's to answer for.
        kind = "handle" if sized or several else fitting[0]
    elif target.category == "pointer":
        kind = "handle" if several else fitting[0]
    elif "cell" in fitting and index and _length_of(prototype, index - 1) is not None:
        kind = "cell"  # the room in the memory before it, then what was filled
    elif is_bytes(target) and (sized or (several and "string" not in fitting)):
        kind = "bytes" if target.const else "buffer"
    elif "array" in fitting and (sized or several or target.const):
        kind = "array"
    elif target.category == "void":
        kind = "handle"
    elif "cell" in fitting or "string" in fitting:
        kind = "cell" if "cell" in fitting else "string"
    return kind


def _with_user_data(parameters: list[Parameter], chosen: Mapping[str, Choice]) -> tuple[Parameter, ...]:
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
        return declared if counts and (named or (is_bytes(target) and _is_size(declared.target))) else None
    if declared.category not in {"int", "uint"}:
        return None
    if name is None and target.const and is_bytes(target):
        return declared
    return declared if _is_size(declared) or _says_length(name) else None


def _last_of_row(prototype: Prototype, index: int) -> int:
    """Return the last of the pointers to one type that stand in a row from here: `double *to, const double *from`.

    Where a number behind them is the length of the last, it is that of each. A `void *` or a text may be anything.
    """
    target = prototype.types[index].target
    alike = target is not None and target.scalar and not (target.const and target.category == "char")
    following = prototype.types[index + 1].target if index + 1 < len(prototype.types) else None
    if not alike or target is None or following is None or following.base != target.base:
        return index
    last = _last_of_row(prototype, index + 1)
    by_value = last + 1 < len(prototype.types) and prototype.types[last + 1].category != "pointer"
    return last if by_value and _length_of(prototype, index) is None else index


def _place_of_length(prototype: Prototype, index: int) -> int | None:
    """Return the parameter that alone is the length: in `size_t size, size_t nmemb` each is a factor."""
    last = _last_of_row(prototype, index)
    two = last + 2 < len(prototype.types) and prototype.types[last + 2].category in {"int", "uint"}
    if _length_of(prototype, last) is None or (two and _says_length(prototype.names[last + 2])):
        return None
    return last + 1


def _is_size(declared: CType) -> bool:
    return any(name.endswith("size_t") or name == "socklen_t" for name in declared.typedefs)


def _says_length(name: str | None) -> bool:
    """Whether a name says that it is a length: `optvallen`, `sourceLen`, `nByte`, `n`, `item_count`."""
    plain = (name or "").strip("_").rstrip("0123456789")
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", plain)
    return plain.lower().endswith(_LENGTH_ENDINGS) or bool(words and words[-1].lower() in _LENGTH_WORDS)
