"""How the interpreters that run contestants were built, as far as their languages report it."""

from __future__ import annotations

from collections.abc import Iterable

from ffibench.model import InterpreterBuild
from ffibench.model.runtime import Runtime

BUILT = {"yes": True, "no": False}


def interpreter_builds(runtimes: Iterable[Runtime]) -> tuple[InterpreterBuild, ...]:
    """Return one value for each runtime that describes its build, which a compiler does not."""
    described = {runtime.label: runtime.context for runtime in runtimes if "pgo" in runtime.context}
    return tuple(
        InterpreterBuild(
            name=label,
            debug=BUILT.get(context["debug"], False),
            pgo=BUILT.get(context["pgo"]),
            lto=BUILT.get(context["lto"]),
        )
        for label, context in described.items()
    )
