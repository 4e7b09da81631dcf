"""What `ffibench source` shows: a contestant's loop, its shim as generated, the commands that built it, versions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from rich.console import Group, RenderableType
from rich.syntax import Syntax
from rich.text import Text

from ffibench.builds.project import LOG, project_files
from ffibench.catalog import Candidate
from ffibench.model import LibraryIdentity
from ffibench.report.terminal.layout import Fitted, definitions

COMMAND = re.compile(r"^\[\d+/\d+\] (.*)$", re.MULTILINE)
"""How ninja prints a command that it runs."""


def sources(
    candidate: Candidate, artifact: Path | None, library: LibraryIdentity, *, verbose: bool = False
) -> RenderableType:
    """Show everything that the figures of a contestant come from. `artifact` is its built or rendered shim."""
    contestant = candidate.contestant
    facts = [
        ("contestant", contestant.name),
        ("version", contestant.version or "told by the worker when it runs"),
        ("lock", candidate.lock),
        ("interpreter", contestant.interpreter),
        ("library", library.path),
        ("sha256", library.sha256),
    ]
    entries = [(Text(label, style="dim"), Text(text)) for label, text in facts if text]
    parts: list[RenderableType] = [
        Fitted(lambda _options: definitions(entries)),
        *_file("the loop", candidate.source.path),
    ]
    if artifact is not None:
        folder = artifact.parent.parent if artifact.parent.name == "build" else artifact.parent
        for path in project_files(folder):
            parts += _file("generated", path)
        log = folder / LOG
        if log.is_file():
            parts += _heading(f"the commands, from {log}")
            parts += [Text(line) for line in COMMAND.findall(log.read_text(encoding="utf-8"))]
    return Group(*parts)


def _file(what: str, path: Path) -> Iterator[RenderableType]:
    """A file under a heading; highlighted where colours are shown at all."""
    yield from _heading(f"{what}: {path}")
    text = path.read_text(encoding="utf-8")
    lexer = Syntax.guess_lexer(str(path), text)
    yield Syntax(text, lexer, background_color="default").highlight(text.rstrip("\n"))


def _heading(text: str) -> Iterator[RenderableType]:
    yield Text("")
    yield Text(text, style="bold")
