"""The standard files of the command: one that is closed or cannot be written to costs neither the run nor a traceback.

What goes wrong with standard output is told from every other file that cannot be written. Standard error, on which
there is only what stands beside the result, may be lost: a full log must not cost the table.
"""

from __future__ import annotations

import errno
import io
import os
import select
import sys
from typing import TYPE_CHECKING, TextIO

from ffibench.errors import FfibenchError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

STANDARD_FILES = 3
STDOUT, STDERR = 1, 2


class OutputError(Exception):
    """A standard file cannot be written to, `number` of errno(3). No OSError, which would be taken for another file's.

    Attributes:
        number: the error number; EPIPE where nobody reads it any more, EBADF where it was closed from the start.

    """

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__("standard output is closed" if number == errno.EBADF else os.strerror(number))


class _Output(io.FileIO):
    def write(self, data: ReadableBuffer, /) -> int:
        """Write; wait for a reader where another process has made the file non-blocking. Raises OutputError."""
        try:
            while (written := super().write(data)) is None:
                select.select((), (self,), ())
            return written
        except OSError as error:
            raise OutputError(error.errno or errno.EIO) from None


class _Errors(_Output):
    def write(self, data: ReadableBuffer, /) -> int:
        """Write, or lose it, but for a pipe that nobody reads: it ends the command as that of standard output does."""
        try:
            return super().write(data)
        except OutputError as error:
            if error.number == errno.EPIPE:
                raise
            return memoryview(data).nbytes


_OPENED: list[TextIO] = []
"""Both streams: what a progress line puts in their place may stand there when they are given up."""


def install() -> None:
    """Put streams in place that fail as this module says. What the command starts has the same files as before.

    A closed file becomes one that takes nothing, so that no other file has its number.
    """
    while (number := os.open(os.devnull, os.O_RDONLY)) < STANDARD_FILES:  # the lowest number that is free
        pass
    os.close(number)
    sys.stdout = _stream(_Output(STDOUT, "w", closefd=False), sys.stdout)
    sys.stderr = _stream(_Errors(STDERR, "w", closefd=False), sys.stderr)
    _OPENED[:] = sys.stdout, sys.stderr


def _stream(raw: _Output, before: TextIO | None) -> TextIO:
    """Return a stream with the encoding that Python found for it; None where it was closed."""
    return io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding=getattr(before, "encoding", None),
        errors=getattr(before, "errors", None),
        line_buffering=getattr(before, "line_buffering", False),
    )


def require_output() -> None:
    """Raise FfibenchError where standard output is closed: said before anything is measured."""
    if sys.__stdout__ is None:
        raise FfibenchError(
            "standard output is closed, so that there is no place for the table", fix="> /dev/null discards it"
        )


def give_up() -> None:
    """Send what cannot be written nowhere, since Python would try again at its exit."""
    for stream in _OPENED:
        try:
            stream.flush()
        except OutputError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)
