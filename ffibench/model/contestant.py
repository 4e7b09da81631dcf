"""A contestant: who takes part."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Lock = Literal["held", "released"]
"""What a binding does with its language's lock, such as Python's GIL, during a native call."""

BASELINE = "c"
CONTROL = "control"
PAIR = "pair"
"""The language of a contestant whose roles are played by two of different languages or bindings."""


class Contestant(Struct, frozen=True, kw_only=True):
    """One language with one binding, `python/pybind11~nogil`, under one interpreter."""

    name: str
    language: str
    lock: Lock | None = None
    """None where its language has no lock, or where it is not known what becomes of it."""
    interpreter: str = ""
    """Name and version of what runs it: `CPython 3.11.7`, `perl 5.36.0`, `gcc 12.2.0`."""
    version: str = ""
    """Version of the binding; empty where only the worker can tell."""
    own_library: bool = False
    """It brings its own copy of the library and cannot be told to use another."""
    static: bool = False
    """It is linked statically, so that no call of it can be counted from outside."""
