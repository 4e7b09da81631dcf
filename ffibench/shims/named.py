"""Which templates a template names, since a shim is made of these too: a change of theirs makes another one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

NAMED = re.compile(r"""\{%-?\s*(?:extends|include|import|from)\s+["']([^"']+)["']""")
"""How one names another: `{% extends "python/cffi.py.j2" %}`."""


def with_named(paths: Sequence[Path], folders: Sequence[Path]) -> list[Path]:
    """Return these files and the templates that they name, and that these name in turn, each after what names it.

    `folders` are those in which templates are looked for.
    """
    found = dict.fromkeys(paths)
    waiting = [path for path in paths if path.suffix == ".j2"]
    while waiting:
        for name in _named(waiting.pop()):
            path = next((folder / name for folder in folders if (folder / name).is_file()), None)
            if path is not None and path not in found:
                found[path] = None
                waiting.append(path)
    return list(found)


@cache
def _named(template: Path) -> tuple[str, ...]:
    return tuple(NAMED.findall(template.read_text(encoding="utf-8")))
