"""PHP: the `php` on PATH with its extension FFI, and the JIT compiler of its extension opcache."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from ffibench.languages.base import Language, shim_argument
from ffibench.languages.programs import first_line, program_runtimes, run_program
from ffibench.model.runtime import Missing, Runtime
from ffibench.paths import asset

INSTALL = "apt-get install php-cli"
OLDEST = (8, 1)
"""The kit has functions that never return."""

PLAIN = ("ffi.enable=true", "display_errors=stderr", "log_errors=0", "error_reporting=-1", "memory_limit=-1")
"""What every worker is told, whatever the user's php.ini says: each mistake goes to standard error."""

JIT = (
    "opcache.enable_cli=1",
    "opcache.jit=tracing",
    "opcache.jit_buffer_size=32M",
    "opcache.file_update_protection=0",  # else a loop that was generated just now is not compiled
)
NO_JIT = ("opcache.enable_cli=0",)

JIT_IS_ON = 'if (function_exists("opcache_get_status") && opcache_get_status()["jit"]["on"])'
VERSION_OF = 'echo phpversion($argv[1] === "opcache" ? "Zend OPcache" : $argv[1]) ?: "";'

KEYWORDS = frozenset(
    """
    this GLOBALS _SERVER _GET _POST _FILES _COOKIE _SESSION _REQUEST _ENV http_response_header argc argv
    """.split()
)
"""No variable of a function may be named so. A function or a field of the FFI may have any name."""


class PHP(Language):
    """The PHP language."""

    name = "php"
    title = "PHP"
    suffix = ".php"
    warmup = 7  # a loop is hot, and compiled, after 64 iterations; the cases with the fewest have 10
    keywords = KEYWORDS

    def runtimes(self, requested: Sequence[str], packages: Sequence[str]) -> Sequence[Runtime | Missing]:
        """Find php."""
        asked = ("-r", 'echo "PHP ", PHP_VERSION, PHP_ZTS ? " ZTS" : "", PHP_DEBUG ? " debug" : "";')
        return program_runtimes(
            self.name, ["php"], requested, install=INSTALL, asked=asked, label=self.title, oldest=OLDEST
        )

    def package(self, runtime: Runtime, name: str) -> str | Missing:
        """Look for an extension of PHP as a worker would load it."""
        if name == "opcache" and isinstance(without := self.package(runtime, "FFI"), Missing):
            return without
        version, said = _asked(runtime.executable, name)
        if version:
            return version
        what = "a JIT compiler, which its extension opcache is" if name == "opcache" else f"its extension {name}"
        why = f": {said}" if said else ""
        minor = ".".join(runtime.version.split(".")[:2])
        debian = "common" if name == "FFI" else name.lower()
        return Missing(reason=f"{runtime.label} lacks {what}{why}", fix=f"apt-get install php{minor}-{debian}")

    def command(
        self, runtime: Runtime, source: Path, artifact: Path | None, options: Mapping[str, str] | None = None
    ) -> Sequence[str]:
        """Run the kit, which runs the experiment's file."""
        told = (*PLAIN, *(JIT if (options or {}).get("jit") == "on" else NO_JIT))
        kit = str(asset("native/kits/php/ffibench.php"))
        return [runtime.executable, *_settings(told), kit, f"source={source}", *shim_argument(artifact)]


def _settings(told: Sequence[str]) -> list[str]:
    return [word for each in told for word in ("-d", each)]


@cache
def _asked(executable: str, extension: str) -> tuple[str, str]:
    """The version of an extension, and what php complains of."""
    question = f"{JIT_IS_ON if extension == 'opcache' else ''} {VERSION_OF}"
    answer = run_program([executable, *_settings((*PLAIN, *JIT)), "-r", question, "--", extension])
    return (answer.stdout, "") if answer.returncode == 0 else ("", first_line(answer.stderr))


LANGUAGE = PHP()
