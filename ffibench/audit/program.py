"""The program that the kernel loads for a command: found on PATH, past `#!` lines and past `env`."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path

from ffibench.errors import FfibenchError

FIRST_LINE_BYTES_MAX = 256
"""The kernel reads this much of a file for its `#!` line: BINPRM_BUF_SIZE, Linux 5.1 and later."""

STEPS_MAX = 10
"""Scripts whose interpreter is a script, each perhaps through env; the kernel itself follows five."""

NOT_FOUND = 127
NOT_EXECUTABLE = 126
"""The exit statuses of a shell for a command that it cannot start."""

ENV_OPTIONS_WITH_VALUE = {"-u", "--unset", "-C", "--chdir"}


def program_of(command: Sequence[str]) -> Path:
    """Return the ELF file that the kernel loads for a command: for a script, its interpreter.

    `env` is followed to the program that it starts. Raises FfibenchError, with the exit status of a shell,
    for a command that cannot be started.
    """
    words = tuple(command)
    for _ in range(STEPS_MAX):
        path = executable(words[0])
        head = _head(path)
        if head.startswith(b"#!"):
            words = (*_interpreter(head, path), str(path), *words[1:])
        elif not head.startswith(b"\x7fELF"):
            raise FfibenchError(
                f"{path} is neither a program nor a script with a #! line",
                fix=f"name its interpreter, as in sh {path}",
                status=NOT_EXECUTABLE,
            )
        elif Path(words[0]).name == "env" and (started := started_by_env(words[1:])):
            words = started
        else:
            return path
    raise FfibenchError(
        f"the #! lines of {command[0]} name one script after the other",
        fix="give the program itself",
        status=NOT_EXECUTABLE,
    )


def printable(text: str) -> str:
    r"""Return a word of the system as Unicode: bytes that are not UTF-8 are written `\xff`."""
    return os.fsencode(text).decode("utf-8", "backslashreplace")


def executable(name: str) -> Path:
    """Return the file of a command's first word, as execvp(3) finds it. Raises FfibenchError where there is none."""
    found = shutil.which(name)
    if found is not None:
        return Path(found)
    if "/" not in name:
        raise FfibenchError(f"no program {name} on PATH", fix="give its path, or install it", status=NOT_FOUND)
    if Path(name).is_file():
        raise FfibenchError(f"{name} is not executable", fix=f"chmod +x {shlex.quote(name)}", status=NOT_EXECUTABLE)
    raise FfibenchError(f"no program at {name}", fix="give the path of one", status=NOT_FOUND)


def started_by_env(arguments: Sequence[str]) -> tuple[str, ...]:
    """Return the command that env(1) starts, from its arguments; empty where it only prints."""
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if word in {"-S", "--split-string"} and rest:
            rest[:1] = _split(rest[0])
        elif word.startswith("-S") and len(word) > 2:
            rest[:0] = _split(word[2:])
        elif word.startswith("--split-string="):
            rest[:0] = _split(word.partition("=")[2])
        elif word in ENV_OPTIONS_WITH_VALUE:
            rest[:1] = []
        elif not word.startswith("-") and "=" not in word:
            return (word, *rest)
    return ()


def _split(text: str) -> list[str]:
    """Split as `env -S` does, whose quoting is close enough to a shell's for the name of a program."""
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


def _head(path: Path) -> bytes:
    """Read the part of a file that the kernel reads."""
    try:
        with path.open("rb") as file:
            return file.read(FIRST_LINE_BYTES_MAX)
    except OSError as error:
        raise FfibenchError(
            f"{path} cannot be read, so its interpreter is unknown: {error.strerror}",
            fix="chmod +r it",
            status=NOT_EXECUTABLE,
        ) from None


def _interpreter(head: bytes, script: Path) -> tuple[str, ...]:
    """Return the interpreter of a script, and the one argument that the kernel makes of the rest of the line."""
    words = os.fsdecode(head.partition(b"\n")[0][2:]).strip(" \t\0").split(maxsplit=1)
    if not words or not Path(words[0]).exists():
        raise FfibenchError(
            f"the first line of {script} names {words[0] if words else 'nothing'} as its interpreter, "
            "which does not exist",
            fix="correct the line, or name the interpreter in the command",
            status=NOT_FOUND,
        )
    return tuple(words)
