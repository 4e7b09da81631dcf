"""The files that workers run, and whether they stayed as they were."""

from __future__ import annotations

from msgspec import Struct


class UsedFile(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A file that workers run or load: a binding, a contestant's source, an interpreter.

    The library under test is none of them: each process is asked which file it had mapped.
    """

    path: str
    named: str = ""
    """The file in a worker's command that it belongs to: the module that it was built beside; empty: itself."""
    sha256: str
    """Before the first process was started; of what was built, when it was built."""
    after: str | None = None
    """Its sha256 after the last round; None where it could not be read then, or the run did not come to an end."""

    @property
    def changed(self) -> bool:
        """Whether it is known to have become another one while the run went on."""
        return self.after is not None and self.after != self.sha256

    @property
    def owner(self) -> str:
        """The path in the commands of the workers that use it."""
        return self.named or self.path
