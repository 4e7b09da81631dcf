"""Which kind a parameter must have, by what an expression gives it: `out(x)` makes a cell of it, `NULL` a handle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ffibench.calls.values import Argument, Array, Buffer, Bytes, Callback, Fields, InOut, Name, Null, Out, Step, Text
from ffibench.errors import FfibenchError
from ffibench.headers.fitting import possible
from ffibench.headers.overrides import nearest, parameter_names
from ffibench.headers.reader import Header
from ffibench.headers.types import Kind, Prototype

WANTED: Mapping[type, tuple[Kind, ...]] = {
    Text: ("string", "bytes"),
    Bytes: ("bytes", "string"),
    Buffer: ("buffer",),
    Array: ("array",),
    Out: ("cell",),
    InOut: ("cell",),
    Fields: ("struct", "struct_pointer"),
    Callback: ("callback",),
    Null: ("callback", "handle"),
}
"""What an argument can be given to, the best first. Numbers and names go by the C type alone."""


def implied_kinds(operations: Iterable[tuple[str, Iterable[Step]]], header: Header) -> dict[str, str]:
    """Return `FUNCTION.PARAMETER` to kind for all that expressions, given with their texts, say of it.

    Raises FfibenchError for an unknown function, a wrong number of arguments, an argument that no kind of its parameter
    takes, and where two expressions want different kinds.
    """
    found: dict[str, tuple[Kind, str]] = {}
    for text, steps in operations:
        bound: dict[str, Kind] = {}
        for step in steps:
            prototype = prototype_of(step, header, text)
            for index, (name, argument) in enumerate(zip(parameter_names(prototype), step.arguments, strict=True)):
                kind = _kind(argument, prototype, index, header, text)
                if isinstance(argument, Name) and bound.get(argument.name) in possible(
                    prototype.types[index], header.all_structs
                ):
                    kind = bound[argument.name]
                place = f"{step.function}.{name}"
                known, where = found.setdefault(place, (kind, text)) if kind else ("", "")
                if kind and known != kind:
                    raise FfibenchError(
                        f"{place} is {known} in '{where}' and {kind} in '{text}'", fix="measure them in two runs"
                    )
            bound |= _addresses(step, prototype)
    return {place: kind for place, (kind, _) in found.items()}


def _addresses(step: Step, prototype: Prototype) -> dict[str, Kind]:
    """Return what a step binds to addresses, each with the kind that a parameter which is given it has."""
    found: dict[str, Kind] = {}
    for argument, declared in zip(step.arguments, prototype.types, strict=True):
        target = declared.target
        if isinstance(argument, Out | InOut) and argument.name and target is not None and target.category == "pointer":
            found[argument.name] = "handle"
    if step.name and prototype.result.category == "pointer":
        is_text = prototype.result.target is not None and prototype.result.target.category == "char"
        found[step.name] = "string" if is_text else "handle"
    return found


def prototype_of(step: Step, header: Header, text: str) -> Prototype:
    """Return the declaration of what a step calls. Raises FfibenchError where it does not fit."""
    prototype = header.prototypes.get(step.function)
    if prototype is None:
        raise FfibenchError(
            f"'{text}': {header.path} declares no function `{step.function}`",
            fix=nearest(step.function, header.prototypes),
        )
    wanted, given = len(prototype.types), len(step.arguments)
    if wanted != given:
        declared = ", ".join(
            each.declare(name) for name, each in zip(parameter_names(prototype), prototype.types, strict=True)
        )
        raise FfibenchError(
            f"'{text}' gives `{step.function}` {given} argument{'s'[: given != 1]}, and it takes {wanted}",
            fix=f"it is declared as {step.function}({declared or 'void'}) at {prototype.file}:{prototype.line}",
        )
    return prototype


def _kind(argument: Argument, prototype: Prototype, index: int, header: Header, text: str) -> Kind | None:
    """Return the kind that an argument wants of its parameter; None where the C type alone decides."""
    wanted = WANTED.get(type(argument))
    if wanted is None:
        return None
    declared = prototype.types[index]
    # NULL beside a callback is its user data, which the header's own rules find.
    before = prototype.types[index - 1].target if index else None
    if isinstance(argument, Null) and before is not None and before.category == "function":
        return None
    fitting = possible(declared, header.all_structs)
    kind = next((each for each in wanted if each in fitting), None)
    if kind is None:
        name = parameter_names(prototype)[index]
        raise FfibenchError(
            f"'{text}': `{declared.declare(name)}` of `{prototype.name}` cannot be given {SPELLED[type(argument)]}",
            fix=_fix(argument, fitting),
        )
    return kind


SPELLED: Mapping[type, str] = {
    Text: "a text",
    Bytes: "bytes",
    Buffer: "a buffer to fill",
    Array: "an array",
    Out: "an out value",
    InOut: "a value to change",
    Fields: "a struct",
    Callback: "a callback",
    Null: "NULL",
}

OFFERS: Mapping[Kind, str] = {
    "scalar": "a number",
    "bytes": 'bytes(N) or b"..."',
    "string": '"text"',
    "buffer": "buffer(N)",
    "array": 'array("d", N) with the letter of its type',
    "cell": 'out(NAME) or inout("TYPE", N)',
    "handle": "NULL or a name that an earlier call bound",
    "callback": "callback()",
    "struct": "a struct, NAME(field=...)",
    "struct_pointer": "a struct, NAME(field=...)",
}


def _fix(argument: Argument, fitting: Iterable[Kind]) -> str:
    offers = list(dict.fromkeys(OFFERS[kind] for kind in fitting))
    return f"give it {' or '.join(offers)}" if offers else "call a plain function around it instead"
