"""Which files of the library under test a live process has mapped: from its memory map, not from its own report."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from ffibench.builds.library import library_identity
from ffibench.host.procfs import ROOT
from ffibench.model import LibraryIdentity

VERSION = re.compile(r"(-[0-9a-f]{8})?(\.so|\.dylib|\.\d).*$")


def mapped_libraries(pid: int, library: str) -> tuple[LibraryIdentity, ...] | None:
    """Return every mapped file that is `library`, or another copy of it by name; None where maps cannot be read.

    `libzmq-2f02442c.so.5.2.5`, as a wheel carries it, and `libzmq.so.5` are copies of one library by name.
    A file that has since been deleted or replaced has no sha256. Raises ProcessLookupError where the process has
    exited, and OSError where its map must not be read.
    """
    if sys.platform != "linux":
        return None
    stem = library_stem(library)
    return tuple(_identity(path) for path in sorted(mapped_paths(pid)) if library_stem(path) == stem)


def mapped_paths(pid: int, *, root: Path = ROOT) -> set[str]:
    """Return the files that a live process has mapped. Raises as `mapped_libraries` does."""
    # The columns are address, permissions, offset, device, inode and, if it is a file, the path: proc(5).
    lines = (root / f"proc/{pid}/maps").read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    if not lines:  # a zombie has no memory
        raise ProcessLookupError(f"process {pid} has ended")
    return {line.split(maxsplit=5)[5] for line in lines if line.count("/")}


def _identity(path: str) -> LibraryIdentity:
    """Hash a mapped file; one that was deleted is named with ` (deleted)`, and there is no file of it."""
    try:
        return library_identity(Path(path))
    except FileNotFoundError:
        return LibraryIdentity(path=path, sha256="")


def library_stem(path: str) -> str:
    """Return a library's name without the hash of a wheel, the suffix and the version: `libzmq`."""
    return VERSION.sub("", Path(path).name)
