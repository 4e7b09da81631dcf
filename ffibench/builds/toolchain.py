"""The C and C++ compilers, as Meson will find them: `$CC` and `$CXX`, else `cc` and `c++`."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Iterable
from functools import cache

from msgspec import Struct

from ffibench.errors import FfibenchError, fix_for
from ffibench.model.runtime import Missing

VARIABLES = {"c": ("CC", "cc"), "cpp": ("CXX", "c++")}
FLAG_VARIABLES = ("CPPFLAGS", "CFLAGS", "CXXFLAGS", "LDFLAGS")
INSTALL = "apt-get install gcc g++"


class Compiler(Struct, frozen=True, kw_only=True):
    """A compiler: the command that starts it, and the first line of its `--version`."""

    command: tuple[str, ...]
    version: str

    @property
    def label(self) -> str:
        """Name and number, `gcc 12.2.0`, for people."""
        name = "clang" if "clang" in self.version else "gcc" if "Free Software" in self.version else "cc"
        numbers = [word for word in self.version.split() if word[:1].isdigit() and "." in word]
        return f"{name} {numbers[0].split('-')[0] if numbers else ''}".rstrip()


@cache
def compiler(language: str) -> Compiler:
    """Return the compiler of `c` or `cpp`. Raises FfibenchError where there is none."""
    variable, default = VARIABLES[language]
    named = os.environ.get(variable, default)
    try:
        command = tuple(shlex.split(named))
    except ValueError as error:
        raise FfibenchError(
            f"{variable} cannot be read as a command: {named} ({error})", fix="close its quotes"
        ) from None
    if not command or shutil.which(command[0]) is None:
        name = {"c": "C", "cpp": "C++"}[language]
        raise FfibenchError(f"no {name} compiler: {' '.join(command)!r} is not found", fix=INSTALL)
    try:
        answer = subprocess.run([*command, "--version"], capture_output=True, text=True, check=False)
        said = answer.stderr.strip() or f"it ended with status {answer.returncode} and said nothing"
        reason, fix = None if answer.returncode == 0 else said, INSTALL
    except OSError as error:
        reason, fix = str(error.strerror), fix_for(error, INSTALL)
    if reason is not None:
        raise FfibenchError(f"the compiler {shlex.join(command)} --version failed: {reason}", fix=fix)
    return Compiler(command=command, version=" ".join(answer.stdout.split()))


def flags() -> dict[str, str]:
    """Return the flags of the environment that Meson will add."""
    return {name: os.environ[name] for name in FLAG_VARIABLES if name in os.environ}


def preprocessor_flags() -> list[str]:
    """Return the flags of the environment that decide what a header declares."""
    return shlex.split(os.environ.get("CPPFLAGS", ""))


def missing_compiler(languages: Iterable[str]) -> Missing | None:
    """Say which of the compilers for these languages this machine lacks, or None."""
    for language in languages:
        try:
            compiler(language)
        except FfibenchError as error:
            return Missing(reason=error.reason, fix=error.fix)
    return None
