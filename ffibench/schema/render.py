"""From the columns of a schema to its codec: a header that every binding can be made of, and its source in C."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ffibench.builds.templates import template_environment
from ffibench.paths import asset
from ffibench.schema.columns import Column, Layout, Step
from ffibench.schema.model import Schema
from ffibench.schema.numbers import U32

SOURCES = "native/lib/codec/utf8.c"
"""What a library of codecs is made of beside them."""


def include_folder() -> Path:
    """Return the folder of `runtime.h`, which a codec includes."""
    return asset("native/schema")


def fixed_sources() -> tuple[Path, ...]:
    """Return the files in C that a library of codecs needs once beside them."""
    return (asset(SOURCES),)


def render_codec(schema: Schema, layout: Layout) -> dict[str, str]:
    """Return the files of a codec by name: `NAME_codec.h` and `NAME_codec.c`.

    A suite may be called `complex` or `string`, which are headers of C.
    """
    environment = template_environment(include_folder())
    strings = [each.values for each in _all(layout.steps) if each.kind == "string"]
    flags = {each.values.name for each in _all(layout.steps) if each.kind == "bool" and each.values is not None}
    flags |= {each.name for each in layout.columns if each.role == "present"}
    sizes = _sizes(layout)
    values = {
        "suite": schema.name,
        "root": schema.root.name,
        "columns": layout.columns,
        "arrays": layout.arrays,
        "steps": layout.steps,
        "messages": tuple(layout.messages()),
        "views": layout.views,
        "strings": strings,
        "told": {each.name: _told(each) for each in layout.columns},
        "fixed": sizes.pop("", 0),
        "conditional": list(sizes.items()),
        "absent": [each for each in layout.plains if each.name in _conditional(layout)],
        "given": given(layout),
        "filled": filled(layout),
        "parameters": _parameters,
        "stored": {each.name: "flag" if each.name in flags else each.number.name for each in layout.columns},
        "length_of": length_of,
    }
    return {
        f"{schema.name}_codec.{suffix}": environment.get_template(template).render(values)
        for suffix, template in (("h", "header.h.j2"), ("c", "codec.c.j2"))
    }


def given(layout: Layout) -> tuple[str, ...]:
    """Return the parameters of columns that are read: plain values, then each array with its length.

    In this order no number stands behind an array that is not its length, from which readers of headers conclude.
    """
    plains = (f"{each.number.c} {each.name}" for each in layout.plains)
    arrays = (f"{_array(each, 'const ')}, size_t {length_of(each)}" for each in layout.arrays)
    return (*plains, *arrays)


def filled(layout: Layout) -> tuple[str, ...]:
    """Return the parameters of columns that are filled: each array with its room, then a cell for each plain value."""
    arrays = (f"{_array(each, '')}, size_t {each.name}_size" for each in layout.arrays)
    return (*arrays, *(f"{each.number.c} *{each.name}_out" for each in layout.plains))


def length_of(column: Column) -> str:
    """Return the parameter that says how many elements an array has that is read."""
    return f"{column.name}_length" if column.role == "text" else f"{column.name}_count"


def _array(column: Column, const: str) -> str:
    return f"{const}{'void' if column.role == 'text' else column.number.c} *{column.name}"


def _parameters(columns: tuple[str, ...], *others: str) -> str:
    """Return a list of parameters: in a line where there are few, else a line for each."""
    every = (*columns, *others)
    line = ", ".join(every)
    return line or "void" if len(line) <= 60 or not columns else "\n    " + ",\n    ".join(every)


def _told(column: Column) -> str:
    """Say what a column is."""
    plain = column.plain
    words = {
        "value": f"{column.number.c} of `{column.path}`",
        "text": f"the bytes of `{column.path}`, one behind the other",
        "lengths": f"uint32_t, how many bytes each `{column.path}` has",
        "count": f"uint32_t, how many of `{column.path}` there are",
        "counts": f"uint32_t, how many of `{column.path}` there are each time",
        "present": f"uint8_t, 1 where `{column.path}` is there, else 0",
        "case": f"uint32_t, the number of the field of `{column.path}` that is set, 0 for none",
    }
    return words[column.role] + (", plain" if plain else "")


def _all(steps: tuple[Step, ...]) -> Iterator[Step]:
    for each in steps:
        yield each
        yield from _all(each.steps)


def _sizes(layout: Layout) -> dict[str, int]:
    """Return how many bytes an encoding has beside its arrays, by what must be so in C; "" for what is always there."""
    sizes: dict[str, int] = {}
    for condition, step in _once(layout.steps, ""):
        inner = condition
        if step.present is not None:
            sizes[condition] = sizes.get(condition, 0) + step.present.number.size
            inner = _also(condition, f"from->{step.present.name}")
        own = step.values.number.size if step.form == "number" and step.values and step.values.plain else U32.size
        if step.repeated or step.form != "message":
            sizes[inner] = sizes.get(inner, 0) + own
    return sizes


def _conditional(layout: Layout) -> set[str]:
    """Return the names of plain values that need not be there."""
    names: set[str] = set()
    for condition, step in _once(layout.steps, ""):
        columns = (step.present, step.counts, step.values)
        names |= {each.name for each in columns if each and each.plain and condition}
        names |= {each.name for each in columns[1:] if each and each.plain and step.present}
    return names


def _once(steps: tuple[Step, ...], condition: str) -> Iterator[tuple[str, Step]]:
    """Yield the steps that are done once at most, with what must be so for them in C."""
    for each in steps:
        yield condition, each
        inner = _also(condition, f"from->{each.present.name}") if each.present else condition
        if each.form == "oneof" and each.values is not None:
            for member in each.steps:
                yield from _once((member,), _also(condition, f"from->{each.values.name} == {member.tag}"))
        elif not each.repeated:
            yield from _once(each.steps, inner)


def _also(condition: str, another: str) -> str:
    return f"{condition} && {another}" if condition else another
