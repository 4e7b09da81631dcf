"""What a user says of a parameter or a result, `FUNCTION.PARAMETER=KIND`, checked against the header."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

from msgspec import Struct

from ffibench.errors import FfibenchError
from ffibench.headers.fitting import Structs, possible, possible_results
from ffibench.headers.types import KINDS, Kind, Prototype

RETURN = "return"
"""The place of a function's result, which is no parameter's name, since it is a keyword of C."""


class Choice(Struct, frozen=True):
    """The kind that a user chose, and for an `owned` text the function that frees it."""

    kind: Kind
    free: str = ""


Overrides = Mapping[str, Mapping[str, Choice]]


def read_overrides(kinds: Mapping[str, str], prototypes: Iterable[Prototype], structs: Structs) -> Overrides:
    """Check `{"FUNCTION.PARAMETER": "KIND"}` against the header and return it by function, then parameter.

    The place `FUNCTION.return` is the result; `owned:FUNCTION` names what frees an owned text, `free` or a
    function of the header. Raises FfibenchError for a function, parameter or kind that does not exist, with
    the nearest that do, and for a kind that cannot fit the C type, with those that can.
    """
    declared = {prototype.name: prototype for prototype in prototypes}
    checked: dict[str, dict[str, Choice]] = {}
    for place, spelled in kinds.items():
        function, _, parameter = place.partition(".")
        wanted, _, free = spelled.partition(":")
        option = f"`--kind {place}={spelled}`"
        if function not in declared:
            raise FfibenchError(
                f"{option}: the header declares no function `{function}`", fix=nearest(function, declared)
            )
        prototype = declared[function]
        types = {**dict(zip(parameter_names(prototype), prototype.types, strict=True)), RETURN: prototype.result}
        where = f"{prototype.file}:{prototype.line}: `{function}`"
        if parameter not in types:
            raise FfibenchError(f"{option}: {where} has no parameter `{parameter}`", fix=nearest(parameter, types))
        returned = parameter == RETURN
        fitting = (possible_results if returned else possible)(types[parameter], structs)
        kind = next((each for each in KINDS if each == wanted), None)
        if kind is None:
            raise FfibenchError(f"{option}: there is no kind `{wanted}`", fix=nearest(wanted, KINDS))
        if kind not in fitting:
            spelling = types[parameter].spelling if returned else types[parameter].declare(parameter)
            raise FfibenchError(
                f"{option}: {where} {'returns' if returned else 'declares'} `{spelling}`, which cannot be {wanted}",
                fix=f"use {' or '.join(fitting)}" if fitting else "declare a plain function around it instead",
            )
        if kind == "owned" or ":" in spelled:
            _check_free(option, kind, free, declared)
        checked.setdefault(function, {})[parameter] = Choice(kind, free)
        if free in declared:  # a lone `char *` would be a cell; this one is a text's address
            (freed,) = parameter_names(declared[free])
            if f"{free}.{freed}" not in kinds:
                checked.setdefault(free, {})[freed] = Choice("handle")
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


def _check_free(option: str, kind: Kind, free: str, declared: Mapping[str, Prototype]) -> None:
    """Raise FfibenchError unless `free` names a function that takes one address of a text or of anything."""
    if kind != "owned":
        raise FfibenchError(f"{option}: only an owned text is freed", fix=f"leave `:{free}` away")
    if not free:
        raise FfibenchError(f"{option}: nothing is named that frees the text", fix="use `owned:free_function`")
    if free == "free":
        return
    if free not in declared:
        known = nearest(free, [*declared, "free"])
        raise FfibenchError(f"{option}: the header declares no function `{free}` to free the text", fix=known)
    prototype = declared[free]
    targets = [each.target for each in prototype.types]
    target = targets[0] if len(targets) == 1 else None
    if target is None or target.category not in {"void", "char"} or prototype.variadic or prototype.unusable:
        raise FfibenchError(
            f"{option}: {prototype.file}:{prototype.line}: `{free}` does not take one `void *` or `char *`",
            fix="name the function that the library documents for it, or `free`",
        )
