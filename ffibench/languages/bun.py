"""Bun: the `bun` on PATH. It calls C by itself, through wrappers that it compiles with a compiler of its own."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from ffibench.languages.base import Language
from ffibench.languages.javascript import KEYWORDS, worker_arguments
from ffibench.languages.programs import program_runtimes
from ffibench.model.runtime import Missing, Runtime

INSTALL = "npm install -g bun"
"""Debian has no package of it; that of npm carries the program."""

ASKED = ("-e", "console.log(`bun ${Bun.version} ${process.execPath}`)")
VERSION = re.compile(r"^bun (?P<version>\S+) (?P<program>.+)$", re.MULTILINE)


class Bun(Language):
    """JavaScript in Bun."""

    name = "bun"
    title = "Bun"
    suffix = ".mjs"
    warmup = 20
    keywords = KEYWORDS

    def runtimes(self, requested: Sequence[str], packages: Sequence[str]) -> Sequence[Runtime | Missing]:
        """Find bun."""
        return program_runtimes(self.name, ["bun"], requested, install=INSTALL, asked=ASKED, version=VERSION)

    def command(
        self, runtime: Runtime, source: Path, artifact: Path | None, options: Mapping[str, str] | None = None
    ) -> Sequence[str]:
        """Run the kit, which fetches nothing."""
        return [runtime.executable, "run", "--no-install", *worker_arguments(source, artifact)]


LANGUAGE = Bun()
