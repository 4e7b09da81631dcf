"""Which of the libraries that were asked for no process mapped."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path

from ffibench.audit.counting import CountedLibrary


def unmatched(patterns: Sequence[str], libraries: Sequence[CountedLibrary]) -> list[str]:
    """Return the patterns that match none of the counted libraries.

    A library may have been opened under a different name than its file's: `libz.so.1` links to `libz.so.1.3`.
    """
    if libraries and len(patterns) == 1:
        return []
    return [pattern for pattern in patterns if not any(_matches(Path(each.path), pattern) for each in libraries)]


def _matches(library: Path, pattern: str) -> bool:
    """Whether a file's name or path matches, or the name of a link to it does."""
    if fnmatchcase(library.name, pattern) or fnmatchcase(str(library), pattern):
        return True
    asked = Path(pattern)
    folder = Path(asked.anchor) if "/" in pattern else library.parent
    with suppress(OSError, ValueError):  # a file that was removed, a pattern that is not a path
        return any(each.samefile(library) for each in folder.glob(str(asked.relative_to(asked.anchor))))
    return False
