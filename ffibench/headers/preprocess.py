"""A C header's text as the C preprocessor leaves it.

Any compiler with the flags of `cc` does includes and macros. Words of compilers that change no type are defined away
on the way, so that the reader never meets them. Line markers and `#define` lines stay: from them the reader learns in
which file a declaration stands, and which constants there are.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from ffibench.errors import FfibenchError

# Words of compilers that change no type. Those with arguments and a meaning are handled in `strip_extensions`.
_DEFINED_AWAY = {
    **dict.fromkeys(("__extension__", "__restrict", "__restrict__", "restrict", "_Noreturn", "__noreturn__"), ""),
    **dict.fromkeys(("__thread", "_Nonnull", "_Nullable", "_Null_unspecified"), ""),
    **dict.fromkeys(("__inline", "__inline__"), "inline"),
    **dict.fromkeys(("__const", "__const__"), "const"),
    **dict.fromkeys(("__volatile", "__volatile__"), "volatile"),
    **dict.fromkeys(("__signed", "__signed__"), "signed"),
    **dict.fromkeys(("__complex", "__complex__"), "_Complex"),
}
_ERROR = re.compile(r": (?:fatal )?error: ")


def preprocess(
    path: Path,
    *,
    compiler: Sequence[str] = ("cc",),
    include: Sequence[Path] = (),
    defines: Sequence[str] = (),
) -> str:
    """Return the header's text with includes and macros done, line markers and `#define` lines kept.

    `compiler` is a command and its flags, `include` folders to search, `defines` macros as `NAME` or
    `NAME=VALUE`. Raises FfibenchError where the header or the compiler is missing, or on the first error.
    """
    if not path.is_file():
        raise FfibenchError(f"there is no header {path}", fix="give the path of a C header file")
    # The language is fixed since newer defaults bring keywords (`bool` in C23) that pycparser rejects.
    command = [*compiler, "-E", "-dD", "-w", "-x", "c", "-std=gnu11"]
    command += [f"-D{name}={meaning}" for name, meaning in _DEFINED_AWAY.items()]
    command += [f"-I{folder}" for folder in include] + [f"-D{macro}" for macro in defines]
    try:
        done = subprocess.run(
            [*command, os.fspath(path)],
            capture_output=True,
            check=False,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, "LC_ALL": "C"},
        )
    except OSError as error:
        name = compiler[0] if compiler else ""
        if isinstance(error, FileNotFoundError):
            raise FfibenchError(f"no C compiler `{name}` found", fix="apt-get install gcc") from None
        raise FfibenchError(f"the C compiler `{name}` cannot be run: {error.strerror}", fix="correct CC") from None
    if done.returncode != 0:
        lines = done.stderr.splitlines() or [f"exit status {done.returncode}"]
        first = next((line for line in lines if _ERROR.search(line)), lines[0])
        fix = "name the folder of what it includes, or the macros it needs"
        raise FfibenchError(f"`{' '.join(compiler)}` cannot preprocess {path}: {first}", fix=fix)
    return done.stdout
