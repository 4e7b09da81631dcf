"""Deno: the `deno` on PATH, else that of the wheel. It calls C by itself, without a compiler and a package."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from ffibench.languages.base import Language
from ffibench.languages.javascript import KEYWORDS, worker_arguments
from ffibench.languages.programs import program_runtimes
from ffibench.model.runtime import Missing, Runtime

INSTALL = "pip install 'ffibench[languages]'"
WHEEL = ("deno", "bin/deno")
OLDEST = (2,)
"""Deno 1 gives an integer of 64 bits as a Number or as a BigInt, by its value."""

ASKED = ("eval", "console.log(`deno ${Deno.version.deno} ${Deno.execPath()}`)")
VERSION = re.compile(r"^deno (?P<version>\S+) (?P<program>.+)$", re.MULTILINE)

FLAGS = ("run", "--quiet", "--allow-all", "--no-prompt", "--no-config", "--no-lock", "--no-remote", "--no-code-cache")
"""A worker needs nothing of the network, and no code that another one compiled."""


class Deno(Language):
    """JavaScript in Deno."""

    name = "deno"
    title = "Deno"
    suffix = ".mjs"
    warmup = 20
    keywords = KEYWORDS

    def runtimes(self, requested: Sequence[str], packages: Sequence[str]) -> Sequence[Runtime | Missing]:
        """Find deno."""
        return program_runtimes(
            self.name, ["deno"], requested, install=INSTALL, wheel=WHEEL, asked=ASKED, version=VERSION, oldest=OLDEST
        )

    def command(
        self, runtime: Runtime, source: Path, artifact: Path | None, options: Mapping[str, str] | None = None
    ) -> Sequence[str]:
        """Run the kit."""
        return [runtime.executable, *FLAGS, *worker_arguments(source, artifact)]


LANGUAGE = Deno()
