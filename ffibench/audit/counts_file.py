"""The file that a command counts into: made, in memory where there is such a folder, and removed."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import F_ADD_SEALS, F_SEAL_GROW, F_SEAL_SEAL, F_SEAL_SHRINK, fcntl
from mmap import ACCESS_READ, mmap
from pathlib import Path

from ffibench.audit import shared_memory

MEMORY = Path("/dev/shm")
"""A folder whose files are in memory."""


@contextmanager
def counts_file(head: bytes, file_bytes: int) -> Iterator[tuple[Path, mmap]]:
    """Provide a file that begins with `head`, in a folder of its own, and its mapping, until the context ends.

    Raises OSError where the file system has no room for what the file holds from its start.
    """
    with tempfile.TemporaryDirectory(prefix="ffibench-count-", dir=_memory(), ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "counts"
        with _made(path, head, file_bytes) as shared:
            yield path, shared


@contextmanager
def unnamed_file(head: bytes, file_bytes: int) -> Iterator[tuple[int, mmap]]:
    """Provide a file as above that has no path: its descriptor, to be inherited, and its mapping.

    Who gets the descriptor cannot change the file's size.
    """
    descriptor = os.memfd_create("ffibench", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        os.write(descriptor, head)
        os.truncate(descriptor, file_bytes)
        fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)
        with mmap(descriptor, file_bytes, access=ACCESS_READ) as shared:
            yield descriptor, shared
    finally:
        os.close(descriptor)


def _made(path: Path, head: bytes, file_bytes: int) -> mmap:
    """Make the file, with memory for what it holds from the start, and map it."""
    with path.open("xb+") as file:
        file.write(head)
        file.truncate(file_bytes)
        file.flush()
        os.posix_fallocate(file.fileno(), 0, shared_memory.reserved_bytes(head))
        return mmap(file.fileno(), file_bytes, access=ACCESS_READ)


def _memory() -> Path | None:
    """Return a folder in memory, where there is one; None for the folder of temporary files."""
    return MEMORY if MEMORY.is_dir() and os.access(MEMORY, os.W_OK | os.X_OK) else None
