"""The one error type that reaches a user, and what it says of a machine that lacks something."""

from __future__ import annotations

import errno
import os


class FfibenchError(Exception):
    """A mistake or trouble, told to the user in one sentence: `reason; fix`.

    Either part may quote a file or a program that is not the user's own, so whatever a terminal would act on is
    spelled out.

    Attributes:
        reason: what was wrong, and where.
        fix: the command or change that removes it; empty where the reason says it.
        status: the exit status that the command ends with.

    """

    def __init__(self, reason: str, fix: str = "", *, status: int = 1) -> None:
        self.reason, self.fix, self.status = _harmless(reason), _harmless(fix), status
        super().__init__(f"{self.reason}; {self.fix}" if fix else self.reason)


class MissingExtraError(FfibenchError):
    """A package is not installed that an extra of ffibench brings: what needs it cannot be done, all else can."""


LACKING = {
    errno.ENOMEM: ("the system gives no more memory", "ulimit -v unlimited removes a limit of the shell"),
    errno.EMFILE: ("this shell allows too few open files", "ulimit -n 1024 allows more"),
    errno.ENFILE: ("the system has too many open files", "end a program that holds many"),
    errno.EAGAIN: ("this user may start no more processes or threads", "ulimit -u 4096 allows more, or end some"),
    errno.EFBIG: ("this shell allows only smaller files than are needed", "ulimit -f unlimited allows larger ones"),
}
"""What a call to the system is refused for, whatever it was for, and what gives it back."""

FULL = {errno.ENOSPC, errno.EDQUOT, errno.EROFS}
NO_THREAD = "can't start new thread"


def fix_for(error: OSError, otherwise: str) -> str:
    """Return what removes an error of the system: what gives back what it lacks, `otherwise` where it lacks nothing."""
    return LACKING[error.errno][1] if error.errno in LACKING else otherwise


def named_in(text: str) -> int | None:
    """Return the error of the system, of those that a machine lacks something for, that a program's output names."""
    return next((number for number in (*LACKING, *FULL) if os.strerror(number) in text), None)


def of_system(error: Exception) -> FfibenchError | None:
    """Return what a user is told of an error that nobody expected where it came: what the machine lacks.

    None for a mistake of ours.
    """
    number = error.errno if isinstance(error, OSError) else None
    if isinstance(error, MemoryError):
        number = errno.ENOMEM
    elif isinstance(error, RuntimeError) and str(error) == NO_THREAD:
        number = errno.EAGAIN
    if number in LACKING:
        reason, fix = LACKING[number]
        return FfibenchError(reason, fix)
    return _of_file(error) if isinstance(error, OSError) else None


def _of_file(error: OSError) -> FfibenchError | None:
    if error.errno in FULL:
        return FfibenchError(
            f"cannot write {error.filename or 'a file'}: {error.strerror}",
            fix="`df` shows which disk is full; TMPDIR, XDG_CACHE_HOME and XDG_DATA_HOME choose others",
        )
    if error.filename is None:
        return None
    return FfibenchError(f"{error.filename}: {error.strerror}", fix="see whether it is there, and may be used by you")


def spelled_out(text: str) -> str:
    r"""Return a text in which nothing acts on a terminal: `\n` for a line end, `\xff` for a byte that is not UTF-8."""
    return "".join(char if char.isprintable() else _escape(char) for char in text)


def _escape(char: str) -> str:
    # Of a name of the system: os.fsdecode(3) has such a byte as one of these characters.
    byte = ord(char) - 0xDC00
    return f"\\x{byte:02x}" if 0x80 <= byte <= 0xFF else char.encode("unicode_escape").decode()


def _harmless(text: str) -> str:
    """Spell out what cannot be read, but for line ends and tabs."""
    return "".join(char if char in "\n\t" else spelled_out(char) for char in text)
