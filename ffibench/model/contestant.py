"""A contestant: one language with one binding."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

Lock = Literal["held", "released"]
"""What a binding does with its language's lock, such as Python's GIL, during a native call."""

RuntimeState = Literal["none", "waits", "continues"]
"""What a language's runtime does while one of its threads is in a native call: there is none, as in C; it waits, since
that thread is its only one or must first return; it continues, and can collect garbage or schedule other work."""

BASELINE = "c"
CONTROL = "control"
PAIR = "pair"
"""The language of a contestant that fills its roles with two different languages or bindings."""


class Contestant(Struct, frozen=True, kw_only=True):
    """One language with one binding, `python/pybind11~nogil`, under one interpreter."""

    name: str
    language: str
    lock: Lock | None = None
    """None where its language has no lock, or where it is not known what becomes of it."""
    runtime: RuntimeState = "waits"
    """Where it has no lock: a binding that holds a lock lets the runtime wait, one that releases it lets it go on."""
    callbacks: bool = True
    """Whether a native call may call back into the language; bindings that are promised that it does not save work."""
    interpreter: str = ""
    """Name and version of what runs it: `CPython 3.11.7`, `perl 5.36.0`, `gcc 12.2.0`."""
    version: str = ""
    """Version of the binding; empty where only the worker knows it."""
    packages: Mapping[str, str] = {}
    """Of the packages that its file declares to require, name to version: `cbor2` to `6.3.0`."""
    own_library: bool = False
    """It brings its own copy of the library and cannot use another."""
    native: bool = True
    """Whether it calls the library at all; a control that does the work in its own language does not."""
    cases: tuple[str, ...] = ()
    """Globs of the cases that its loop has, by their keys; empty: all."""
    static: bool = False
    """It is statically linked, so its calls cannot be counted from outside."""
