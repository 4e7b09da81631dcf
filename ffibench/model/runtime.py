"""Interpreters and compilers that a machine has, and what it lacks."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Missing(Struct, frozen=True, kw_only=True):
    """Something that is not installed on this machine, and the command that installs it."""

    reason: str
    fix: str
    never: bool = False
    """Whether no installation would help, so that a run without it is complete."""


class Runtime(Struct, frozen=True, kw_only=True):
    """One interpreter or compiler found on this machine."""

    language: str
    label: str
    """Name and version, `CPython 3.11.7`; unique among the runtimes of a run."""
    version: str
    executable: str
    identity: str
    """Everything that a build for this runtime depends on; part of the build's key."""
    context: Mapping[str, str]
    """Values for the templates of a binding: include folders, flags, suffixes."""
