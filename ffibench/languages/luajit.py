"""LuaJIT: the `luajit` on PATH, else the one that the wheel lupa carries, inside a process of the tool's own Python."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path

from ffibench.languages.base import Language, shim_argument
from ffibench.languages.programs import first_line, program_runtimes, run_program
from ffibench.model.runtime import Missing, Runtime
from ffibench.paths import asset

INSTALL = "apt-get install luajit"
WHEEL = "lupa"

ASKED = ("-e", "require 'ffi' io.write(jit.version)")
"""A LuaJIT that was built without its FFI has no binding here, and says so."""

VERSION = re.compile(r"LuaJIT (?P<version>\d[\w.+-]*)")

KEYWORDS = frozenset(
    """
    and break do else elseif end false for function goto if in local nil not or repeat return then true until while
    """.split()
)


class LuaJIT(Language):
    """Lua 5.1 with a JIT compiler that knows its FFI."""

    name = "luajit"
    title = "LuaJIT"
    suffix = ".lua"
    warmup = 6  # a loop is hot, and compiled, after 56 iterations; the cases with the fewest have 10
    keywords = KEYWORDS

    def runtimes(self, requested: Sequence[str], packages: Sequence[str]) -> Sequence[Runtime | Missing]:
        """Find luajit, or the wheel."""
        found = program_runtimes(
            self.name, ["luajit"], requested, install=INSTALL, asked=ASKED, version=VERSION, label=self.title
        )
        if requested or isinstance(found[0], Runtime):
            return found
        inside = _of_wheel()
        return found if inside is None else [inside]

    def command(
        self, runtime: Runtime, source: Path, artifact: Path | None, options: Mapping[str, str] | None = None
    ) -> Sequence[str]:
        """Run the kit, which runs the experiment's file."""
        kit = str(asset("native/kits/luajit/ffibench.lua"))
        off = ["-joff"] if (options or {}).get("jit") == "off" else []
        return [*_program(runtime), *off, kit, f"source={source}", *shim_argument(artifact)]


def _program(runtime: Runtime) -> list[str]:
    return _launched() if runtime.context.get("launched") else [runtime.executable]


def _launched() -> list[str]:
    """What is started in place of `luajit`: isolated from the user's environment, and without bytecode left behind."""
    return [sys.executable, "-I", "-B", str(asset("native/kits/luajit/launcher.py"))]


def _of_wheel() -> Runtime | Missing | None:
    """The LuaJIT in lupa; None where that is not installed."""
    try:
        wheel = metadata.version(WHEEL)
    except metadata.PackageNotFoundError:
        return None
    answer = run_program([*_launched(), *ASKED])
    said = VERSION.search(answer.stdout)
    if answer.returncode != 0 or said is None:
        why = first_line(answer.stderr) or f"status {answer.returncode}"
        return Missing(
            reason=f"there is no luajit on PATH, and that of {WHEEL} {wheel} does not run: {why}", fix=INSTALL
        )
    return Runtime(
        language=LuaJIT.name,
        label=f"{LuaJIT.title} {said[1]}",
        version=said[1],
        executable=sys.executable,
        identity=f"{sys.executable} {WHEEL} {wheel} {answer.stdout}",
        context={"launched": "yes"},
    )


LANGUAGE = LuaJIT()
