"""Messages of any schema, as hypothesis draws them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from ffibench.schema.model import Field, Message
from ffibench.schema.numbers import NUMBERS
from ffibench.schema.wire import Tree

ELEMENTS_MAX = 4
TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)


def trees(message: Message) -> st.SearchStrategy[Tree]:
    """Draw a message, with its fields in any state."""
    parts: list[st.SearchStrategy[Tree]] = []
    oneofs: dict[str, list[Field]] = {}
    for field in message.fields:
        if field.oneof:
            oneofs.setdefault(field.oneof, []).append(field)
            continue
        one = st.fixed_dictionaries({field.name: of_field(field)})
        parts.append(st.just({}) | one if field.label == "optional" else one)
    parts += [st.just({}) | st.one_of([of_member(each) for each in members]) for members in oneofs.values()]
    return st.tuples(*parts).map(lambda found: {name: each for part in found for name, each in part.items()})


def of_member(field: Field) -> st.SearchStrategy[Tree]:
    """Draw a oneof of which this field is set."""
    return st.fixed_dictionaries({field.name: value(field)})


def of_field(field: Field) -> st.SearchStrategy[Any]:
    """Draw a field that is there."""
    if field.label == "repeated":
        return st.lists(value(field), max_size=ELEMENTS_MAX)
    if field.label == "map":
        assert field.message is not None
        key, held = field.message.fields
        return st.dictionaries(value(key), value(held), max_size=ELEMENTS_MAX)
    return value(field)


def value(field: Field) -> st.SearchStrategy[Any]:
    """Draw one element."""
    if field.message is not None:
        return trees(field.message)
    if field.kind in {"float", "double"}:
        return st.floats(allow_nan=False, width=32 if field.kind == "float" else 64)
    if field.kind in {"string", "bytes", "bool"}:
        return {"string": TEXTS, "bytes": st.binary(max_size=12), "bool": st.booleans()}[field.kind]
    extremes = NUMBERS[field.kind].extremes
    return st.integers(int(min(extremes)), int(max(extremes)))
