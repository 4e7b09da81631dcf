"""What each command does, step by step: typed options in, observers for progress, values out; no terminal.

    from ffibench.workflow import RunOptions, run

    result = run("xsub", RunOptions(mode="quick", contestants=("python/c*",)))

The names of this package are imported when they are first used, so that `ffibench doctor` need not load what
measures.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ffibench.results.compare import compare
    from ffibench.workflow.measure import run
    from ffibench.workflow.options import RunOptions
    from ffibench.workflow.result import Result, load

__all__ = ["Result", "RunOptions", "compare", "load", "run"]

_HOMES = {
    "Result": "ffibench.workflow.result",
    "RunOptions": "ffibench.workflow.options",
    "compare": "ffibench.results.compare",
    "load": "ffibench.workflow.result",
    "run": "ffibench.workflow.measure",
}


def __getattr__(name: str) -> object:
    """Import a name of the Python interface."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """Return what a notebook completes."""
    return sorted([*globals(), *__all__])
