"""Rust: the experiment's file is a whole program, compiled by the `rustc` on PATH; cargo fetches crates alone."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ffibench.languages.base import Language
from ffibench.languages.programs import program_runtimes
from ffibench.model.runtime import Missing, Runtime

INSTALL = "apt-get install rustc"
OLDEST = (1, 63)
"""That of Debian 12. The kit needs `asm!` (1.59) and `ExitCode` (1.61)."""

KEYWORDS = frozenset(
    """
    Self abstract as async await become box break const continue crate do dyn else enum extern false final fn for gen if
    impl in let loop macro match mod move mut override priv pub ref return self static struct super trait true try type
    typeof unsafe unsized use virtual where while yield
    """.split()
)


class Rust(Language):
    """The Rust language."""

    name = "rust"
    title = "Rust"
    suffix = ".rs"
    keywords = KEYWORDS

    def runtimes(self, requested: Sequence[str], packages: Sequence[str]) -> Sequence[Runtime | Missing]:
        """Find rustc."""
        return program_runtimes(
            self.name,
            ["rustc"],
            requested,
            install=INSTALL,
            asked=["--version", "--verbose"],
            version=re.compile(r"^release: (?P<version>\S+)", re.MULTILINE),
            oldest=OLDEST,
        )


LANGUAGE = Rust()
