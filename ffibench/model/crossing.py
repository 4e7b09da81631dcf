"""How the functions of a header cross the boundary: what `ffibench kinds` shows."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Crossing(Struct, frozen=True, kw_only=True):
    """A parameter or a result, and what it crosses as."""

    name: str
    """The parameter's, or `return`."""
    declaration: str
    """As in C: `const double *items`; of a result its type."""
    kind: str
    note: str = ""
    """What the kind leaves open: where the length stands, what a cell is made of, what frees a text."""
    others: tuple[str, ...] = ()
    """What else it can be called, by `--kind`."""


class CrossingFunction(Struct, frozen=True, kw_only=True):
    """A function that can be bound, by some technology at least."""

    name: str
    file: str
    line: int
    crossings: tuple[Crossing, ...]
    """Its parameters in their order, then what it returns unless that is nothing."""
    lacking: Mapping[str, tuple[str, ...]] = {}
    """By technology (`perl/xs`) the kinds that it has no template for; those that can bind it are not named."""


class RefusedFunction(Struct, frozen=True, kw_only=True):
    """A function that no technology can bind as it is."""

    name: str
    file: str
    line: int
    said_of: tuple[str, ...] = ()
    """The parameters that the reason is said of, as declared."""
    fix: str = ""
    """The options that make it fit; empty where there are none."""


class HeaderKinds(Struct, frozen=True, kw_only=True):
    """A header, function by function."""

    header: str
    functions: tuple[CrossingFunction, ...]
    refused: Mapping[str, tuple[RefusedFunction, ...]]
    """By reason, that of the most functions first; each function once."""
    technologies: tuple[str, ...]
    """All that render bindings: `python/ctypes`, `perl/xs`."""
    structs: Mapping[str, str] = {}
    """By the name in Python what makes a struct: `Point` to `Point(x, y)`."""
    library: str = ""
    """The file that was asked what it exports; empty where none was."""
    not_exported: tuple[CrossingFunction, ...] = ()
    """Of `functions` those that it does not."""
