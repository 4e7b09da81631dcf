"""PyPy: the `pypy3` on PATH, with the worker of Python, its loops and the templates of its cffi and ctypes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import msgspec
from msgspec.structs import replace

from ffibench.languages.programs import does_not_run, program_runtimes, release_of, run_program
from ffibench.languages.python.language import Python
from ffibench.model.runtime import Missing, Runtime
from ffibench.paths import PACKAGE

INSTALL = "apt-get install pypy3"
OLDEST = (3, 9)
"""The version of Python that the worker needs at least: that of the PyPy in Debian 12."""

VERSION = re.compile(r"\[PyPy (?P<version>\d[\w.+-]*)")
VERSION_OF = "import sys; print(__import__(sys.argv[1]).__version__)"
MODULE = re.compile(r"[A-Za-z_]\w*", re.ASCII)


class PyPy(Python):
    """Python with a JIT compiler, whose cffi is a part of it."""

    name = "pypy"
    title = "PyPy"
    optional = True
    asked = True
    warmup = 20  # a loop is hot, and compiled, after 1,039 iterations; but for the longest the cases have 100 or more

    def runtimes(self, requested: Sequence[str], packages: Sequence[str]) -> Sequence[Runtime | Missing]:
        """Find PyPy, and ask it about itself."""
        return program_runtimes(
            self.name,
            ["pypy3", "pypy"],
            requested,
            install=INSTALL,
            version=VERSION,
            label=self.title,
            described=_described,
        )

    def package(self, runtime: Runtime, name: str) -> str | Missing:
        """Import a module as a worker would, and ask for its version."""
        version = _version(runtime.executable, name) if MODULE.fullmatch(name) else ""
        if version:
            return version
        fix = INSTALL if name == "cffi" else f"{runtime.executable} -m pip install {name}"
        return Missing(reason=f"{runtime.label} has no package {name}", fix=fix)

    def build_needs(self, runtime: Runtime, options: Mapping[str, str] | None = None) -> Missing | None:
        """An extension module needs `Python.h`."""
        include = Path(runtime.context["include"])
        if (include / "Python.h").is_file():
            return None
        return Missing(reason=f"{runtime.label} has no Python.h in {include}", fix="apt-get install pypy3-dev")


def _described(runtime: Runtime) -> Runtime | Missing:
    facts = _facts(runtime.executable)
    if isinstance(facts, Missing):
        return facts
    if release_of(facts["version"]) < OLDEST:
        needed = ".".join(map(str, OLDEST))
        reason = f"{runtime.label} is Python {facts['version']}, and workers need {needed} or newer"
        return Missing(reason=reason, fix=INSTALL)
    identity = f"{runtime.identity} {facts['base']} {facts['build']} {facts['suffix']} {facts['include']}"
    # What lies on PATH may be a wrapper, as that of pyenv.
    return replace(runtime, executable=facts["executable"], identity=identity, context=facts)


@cache
def _facts(executable: str) -> Mapping[str, str] | Missing:
    """What one start of PyPy tells about itself."""
    answer = run_program([executable, "-I", str(PACKAGE / "worker" / "describe.py")])
    try:
        return msgspec.json.decode(answer.stdout, type=dict[str, str])
    except msgspec.DecodeError:
        return does_not_run(executable, "PyPy", answer, INSTALL)


@cache
def _version(executable: str, module: str) -> str:
    answer = run_program([executable, "-I", "-c", VERSION_OF, module])
    return answer.stdout.strip() if answer.returncode == 0 else ""


LANGUAGE = PyPy()
