"""Names of parameters and functions in C that are made of the names of fields."""

from __future__ import annotations

from collections.abc import Sequence

from ffibench.headers.words import matcher
from ffibench.languages.cpp import KEYWORDS

OWN = ("bytes", "bytes_length", "bytes_size", "counts", "counts_size")
"""Parameters of the functions that are no columns."""
CALLED = ("decode_columns", "encode_columns", "size_of_columns")
"""What a function that has columns for parameters calls."""
C_WORDS = ("linux", "restrict", "typeof", "typeof_unqual", "unix")
"""Keywords of C that are none of C++, and the macros that GNU's C has without an underscore."""
GLOBS = ("_*", "*_t")
"""What compilers and `stdint.h` have for their own; so are names without a small letter, as macros are."""

SUFFIXES = {"value": "", "text": "", "present": "_present", "lengths": "_lengths", "count": "_count"}
SUFFIXES |= {"counts": "_counts", "case": "_case"}
"""What the role of a column adds to its name."""


class Names:
    """The names that are taken."""

    def __init__(self) -> None:
        self._reserved = matcher({*KEYWORDS, *C_WORDS, *GLOBS, *OWN, *CALLED})
        self._taken: set[str] = set()
        self._labels: set[str] = set()

    def column(self, path: Sequence[str], role: str, *, plain: bool) -> str:
        """Return the name of a column, and take those of its parameters.

        One that means something else in C, or is taken, gets an underscore at its end.
        """
        name = "_".join(path) + SUFFIXES[role]
        if self._reserved(name) or name == name.upper():
            name += "_"
        while self._taken & parameters(name, role, plain=plain):
            name += "_"
        self._taken |= parameters(name, role, plain=plain)
        return name

    def label(self, path: Sequence[str]) -> str:
        """Return what tells the functions of a message from those of others."""
        name = "_".join(path)
        while name in self._labels:
            name += "_"
        self._labels.add(name)
        return name


def parameters(name: str, role: str, *, plain: bool) -> set[str]:
    """Return the names of all parameters that a column has in any function."""
    if plain:
        return {name, f"{name}_out"}
    return {name, f"{name}_length" if role == "text" else f"{name}_count", f"{name}_size"}
