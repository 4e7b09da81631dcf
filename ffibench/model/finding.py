"""One thing that `ffibench doctor` looked at."""

from __future__ import annotations

from msgspec import Struct


class Finding(Struct, frozen=True, kw_only=True):
    """What is there of one thing that a run needs or is better with."""

    group: str
    """What it belongs to, such as a language."""
    subject: str
    found: str
    """What is there, or what is not and why."""
    fix: str = ""
    """The command that installs it or makes it better; empty where all is well."""
    needed: bool = False
    """Whether a run is not whole without it."""

    @property
    def missing(self) -> bool:
        """Whether this keeps a run from being whole."""
        return self.needed and bool(self.fix)
