"""Nim: the experiment's file is a whole program, which Nim translates to C. Its own pragmas are its bindings."""

from __future__ import annotations

from collections.abc import Sequence

from ffibench.languages.base import Language
from ffibench.languages.programs import program_runtimes
from ffibench.model.runtime import Missing, Runtime

INSTALL = "apt-get install nim"
OLDEST = (1, 6)
"""Its first version with `--mm:orc`, under which no collector has to know of a native call."""

KEYWORDS = frozenset(
    """
    addr and as asm bind block break case cast concept const continue converter defer discard distinct div do elif else
    end enum except export finally for from func if import in include interface is isnot iterator let macro method mixin
    mod nil not notin object of or out proc ptr raise ref return shl shr static template try tuple type using var when
    while xor yield
    """.split()
)


class Nim(Language):
    """The Nim language, through C."""

    name = "nim"
    title = "Nim"
    suffix = ".nim"
    keywords = KEYWORDS

    def runtimes(self, requested: Sequence[str], packages: Sequence[str]) -> Sequence[Runtime | Missing]:
        """Find the compiler."""
        return program_runtimes(self.name, ("nim",), requested, install=INSTALL, oldest=OLDEST)


LANGUAGE = Nim()
