"""What Node, Deno and Bun have in common: the words of JavaScript, and the kit that their workers begin with."""

from __future__ import annotations

from pathlib import Path

from ffibench.languages.base import shim_argument
from ffibench.paths import asset

KIT = "native/kits/javascript/ffibench.mjs"

KEYWORDS = frozenset(
    """
    arguments await break case catch class const continue debugger default delete do else enum eval export extends false
    finally for function if implements import in instanceof interface let new null package private protected public
    return static super switch this throw true try typeof var void while with yield Infinity NaN undefined
    """.split()
)
"""Words that no variable of a module can have, and the numbers that it cannot change."""


def worker_arguments(source: Path, artifact: Path | None) -> list[str]:
    """Return the kit, and what it reads first: the experiment's file and the shim."""
    return [str(asset(KIT)), f"source={source}", *shim_argument(artifact)]
