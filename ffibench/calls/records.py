"""A struct that an expression writes, `Point(x=1, y=2)`, as its numbers: each with its place in the struct."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NoReturn

from ffibench.calls.operations import Leaf, Record
from ffibench.calls.scalars import carried
from ffibench.calls.values import Field, Fields, Number
from ffibench.errors import FfibenchError
from ffibench.headers.types import CType, StructType


def record(fields: Fields, declared: CType, structs: Mapping[str, StructType], text: str) -> Record:
    """Return a struct for a parameter of this type, by value or by pointer; what is not set is 0.

    Raises FfibenchError for another struct, a field that it does not have, and a number that does not fit.
    """
    wanted = declared.target if declared.category == "pointer" and declared.target is not None else declared
    struct = structs[wanted.tag]
    names = {each.rpartition(" ")[2] for each in (struct.name, *wanted.typedefs)}
    if fields.struct not in names:
        raise FfibenchError(
            f"'{text}' gives {fields.struct}(...) where a `{wanted.spelling}` is taken",
            fix=f"write {' or '.join(sorted(names))}(...)",
        )
    return Record(struct, tuple(_leaves(fields, struct, structs, "", text)))


def leaves(struct: StructType, structs: Mapping[str, StructType], path: str = "") -> Iterator[Leaf]:
    """Yield all numbers of a struct, in the order of its memory."""
    for field in struct.fields:
        yield from _of_type(field.type, f"{path}{field.name}", structs)


def _of_type(declared: CType, path: str, structs: Mapping[str, StructType]) -> Iterator[Leaf]:
    if declared.category == "struct":
        yield from leaves(structs[declared.tag], structs, f"{path}.")
    elif declared.category == "array" and declared.target is not None:
        for index in range(declared.length or 0):
            yield from _of_type(declared.target, f"{path}[{index}]", structs)
    else:
        yield Leaf(path, declared)


def _leaves(
    fields: Fields, struct: StructType, structs: Mapping[str, StructType], path: str, text: str
) -> Iterator[Leaf]:
    names = [each.name for each in struct.fields]
    given: dict[str, Field] = dict(zip(names, fields.positional, strict=False))
    for name, value in fields.named:
        if name not in names or name in given:
            _refuse(text, f"{struct.name} has no field {name} left to set", f"its fields are {', '.join(names)}")
        given[name] = value
    if len(fields.positional) > len(names):
        _refuse(text, f"{struct.name} has {len(names)} fields", f"they are {', '.join(names)}")
    for field in struct.fields:
        yield from _field(given.get(field.name, Number(0)), field.type, f"{path}{field.name}", structs, text)


def _field(value: Field, declared: CType, path: str, structs: Mapping[str, StructType], text: str) -> Iterator[Leaf]:
    if declared.category == "struct":
        inner = value if isinstance(value, Fields) else Fields("") if value == Number(0) else None
        if inner is None:
            _refuse(text, f"the field {path} is a struct", f"write {declared.tag.rpartition(' ')[2]}(...)")
        yield from _leaves(inner, structs[declared.tag], structs, f"{path}.", text)
    elif declared.category == "array" and declared.target is not None:
        length = declared.length or 0
        items = value if isinstance(value, tuple) else () if value == Number(0) else None
        if items is None or len(items) > length:
            _refuse(text, f"the field {path} has {length} items", f"write a list of at most {length} numbers")
        for index in range(length):
            item = items[index] if index < len(items) else Number(0)
            yield from _field(item, declared.target, f"{path}[{index}]", structs, text)
    else:
        number = carried(value.value, declared) if isinstance(value, Number) else None
        if number is None:
            _refuse(
                text,
                f"the field `{declared.declare(path)}` does not hold what it is given",
                "give it a number that fits",
            )
        yield Leaf(path, declared, number)


def _refuse(text: str, what: str, fix: str) -> NoReturn:
    raise FfibenchError(f"'{text}': {what}", fix=fix)
