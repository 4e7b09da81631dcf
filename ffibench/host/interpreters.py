"""How the interpreters that run contestants were built, as far as their languages can tell."""

from __future__ import annotations

from collections.abc import Iterable

from ffibench.model import InterpreterBuild
from ffibench.model.runtime import Runtime

TOLD = {"yes": True, "no": False}


def interpreter_builds(runtimes: Iterable[Runtime]) -> tuple[InterpreterBuild, ...]:
    """Return a value for each runtime that describes its build, once; a compiler does not, and needs not."""
    described = {runtime.label: runtime.context for runtime in runtimes if "pgo" in runtime.context}
    return tuple(
        InterpreterBuild(
            name=label,
            debug=TOLD.get(context["debug"], False),
            pgo=TOLD.get(context["pgo"]),
            lto=TOLD.get(context["lto"]),
        )
        for label, context in described.items()
    )
