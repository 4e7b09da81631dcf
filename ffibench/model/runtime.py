"""What a machine has and what it lacks, as values."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Missing(Struct, frozen=True, kw_only=True):
    """Something that this machine lacks, and the command that installs it."""

    reason: str
    fix: str


class Runtime(Struct, frozen=True, kw_only=True):
    """One interpreter or compiler found on this machine."""

    language: str
    label: str
    """Name and version, `CPython 3.11.7`; unique among the runtimes of a run."""
    version: str
    executable: str
    identity: str
    """All that a build for this runtime depends on; part of the build's key."""
    context: Mapping[str, str]
    """What the templates of a binding may ask for: include folders, flags, suffixes."""
