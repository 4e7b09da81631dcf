"""Haskell: GHC. The experiment's file is compiled with the rendered foreign imports and linked as C is."""

from __future__ import annotations

from collections.abc import Sequence

from ffibench.languages.base import Language
from ffibench.languages.programs import program_runtimes
from ffibench.model.runtime import Missing, Runtime

INSTALL = "apt-get install ghc"
OLDEST = (9,)
"""The kit is tried with none before that of Debian 12."""

KEYWORDS = frozenset(
    """
    case class data default deriving do else family forall foreign if import in infix infixl infixr instance let mdo
    module newtype of pattern proc qualified rec role then type where _
    as hiding main pure when opaque
    """.split()
)
"""Those of the language with the extensions that are on, and names that generated code relies on."""


class Haskell(Language):
    """The Haskell language."""

    name = "haskell"
    title = "Haskell"
    suffix = ".hs"
    keywords = KEYWORDS

    def runtimes(self, requested: Sequence[str], packages: Sequence[str]) -> Sequence[Runtime | Missing]:
        """Find ghc."""
        return program_runtimes(
            self.name, ["ghc"], requested, install=INSTALL, asked=("--numeric-version",), oldest=OLDEST
        )


LANGUAGE = Haskell()
