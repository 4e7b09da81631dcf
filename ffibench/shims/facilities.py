"""What a shim has beside its functions, since some function needs it: structs, cells, NULL, what frees a text."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypedDict

from ffibench.errors import FfibenchError
from ffibench.headers.types import CType, Function, StructType

CELL, NULL = "cell", "NULL"


class Facilities(TypedDict):
    """Of the context of the templates, what follows from the functions; empty or false where none needs it.

    Attributes:
        structs: those that functions take or return by the kinds struct and struct_pointer, with those
            inside them, each after what it is made of.
        struct_names: by C name (`struct point`) the name in the caller's language.
        cells: whether a function has a cell parameter.
        cell_types: what `cell` is asked for, as `cell_type` says, in the order of the functions.
        null: whether a function takes or gives a handle, so that there is a `NULL`.
        frees: the functions that free owned texts.

    """

    structs: tuple[StructType, ...]
    struct_names: Mapping[str, str]
    cells: bool
    cell_types: tuple[str, ...]
    null: bool
    frees: tuple[str, ...]


def facilities(
    functions: Sequence[Function],
    structs: Mapping[str, StructType],
    *,
    constants: Collection[str] = (),
    keywords: Collection[str] = (),
) -> Facilities:
    """Return what a shim of these functions has beside them.

    Raises FfibenchError where one of its names would hide a function or a constant.
    """
    used = tuple(_inside(list(_struct_types(functions)), structs))
    cells = tuple(dict.fromkeys(cell_type(p.type) for f in functions for p in f.parameters if p.kind == "cell"))
    kinds = {kind for f in functions for kind in (f.result.kind, *(p.kind for p in f.parameters))}
    null = "handle" in kinds or "void *" in cells
    taken = {*constants, *(f.name for f in functions)}
    for name, needed in ((CELL, bool(cells)), (NULL, null)):
        if needed and name in taken:
            raise FfibenchError(
                f"the header's own `{name}` would hide the `{name}` that its functions are called with",
                fix="bind a header that declares it under another name",
            )
    return Facilities(
        structs=used,
        struct_names=_names(used, {*taken, *keywords, CELL, NULL}),
        cells=bool(cells),
        cell_types=cells,
        null=null,
        frees=tuple(dict.fromkeys(f.result.free for f in functions if f.result.free)),
    )


def cell_type(pointer: CType) -> str:
    """Return what `cell` is asked for, to be passed as this parameter: `unsigned long`, `void *` for every address."""
    target = pointer.target
    return "void *" if target is None or target.category == "pointer" else target.base


def _struct_types(functions: Iterable[Function]) -> Iterator[CType]:
    for function in functions:
        types = [(function.result.kind, function.result.type), *((p.kind, p.type) for p in function.parameters)]
        for kind, declared in types:
            if kind in {"struct", "struct_pointer"}:
                yield declared if declared.target is None else declared.target


def _inside(types: Iterable[CType], structs: Mapping[str, StructType]) -> dict[StructType, None]:
    """Return the structs of these types and those that they hold, what is held before what holds it."""
    found: dict[StructType, None] = {}
    for declared in types:
        if declared.category == "array" and declared.target is not None:
            found |= _inside([declared.target], structs)
        elif declared.category == "struct":
            layout = structs[declared.tag]
            found |= _inside((field.type for field in layout.fields), structs)
            found[layout] = None
    return found


def _names(structs: Iterable[StructType], taken: Collection[str]) -> dict[str, str]:
    """Name each struct by its tag, or the typedef that it has instead, with `struct_` before it where that is taken."""
    names: dict[str, str] = {}
    for layout in structs:
        name = layout.name.rpartition(" ")[2]
        while name in taken or name in names.values():
            name = f"struct_{name}"
        names[layout.name] = name
    return names
