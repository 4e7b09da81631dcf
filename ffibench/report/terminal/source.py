"""What `ffibench source` shows: a contestant's loop, its shim as generated, the commands that built it, versions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Group, RenderableType
from rich.syntax import Syntax
from rich.text import Text

from ffibench.builds.project import LOG, project_files
from ffibench.catalog import Candidate
from ffibench.model import LibraryIdentity
from ffibench.report.terminal.layout import Fitted, definitions

GENERATED_LINES_MAX = 100
"""Of a file that Cython, cffi or xsubpp wrote; it is longer than what a person reads."""

COMMAND = re.compile(r"^\[\d+/\d+\] (.*)$", re.MULTILINE)
"""How ninja prints a command that it runs."""


def sources(
    candidate: Candidate, artifact: Path | None, library: LibraryIdentity, *, verbose: bool = False
) -> RenderableType:
    """Show everything that the figures of a contestant come from. `artifact` is its built or rendered shim.

    Long files that a generator made of the binding are named only, where `verbose` does not ask for them.
    """
    contestant = candidate.contestant
    facts = [
        ("contestant", contestant.name),
        ("version", contestant.version or "known when the worker runs"),
        ("lock", candidate.lock and f"{candidate.lock} during a call"),
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
        own, made = _split(folder, project_files(folder))
        for path in own:
            parts += _file("the binding", path)
        for path in made:
            parts += _file("made from it", path) if verbose else _name("made from it", path)
        log = folder / LOG
        if log.is_file():
            parts += _heading(f"the commands, from {log}")
            parts += [Text(line) for line in COMMAND.findall(log.read_text(encoding="utf-8"))]
    return Group(*parts)


def _split(folder: Path, paths: Sequence[Path]) -> tuple[list[Path], list[Path]]:
    """Divide the files of a project into those that tell how the binding is written, and long generated ones."""
    made = [path for path in paths if path.parent != folder and _line_count(path) > GENERATED_LINES_MAX]
    return [path for path in paths if path not in made], made


def _line_count(path: Path) -> int:
    return path.read_text(encoding="utf-8", errors="backslashreplace").count("\n")


def _name(what: str, path: Path) -> Iterator[RenderableType]:
    """A file of which nothing is shown but its length."""
    yield from _heading(f"{what}: {path}")
    yield Text(f"{_line_count(path):,} lines; --verbose prints them", style="dim")


def _file(what: str, path: Path) -> Iterator[RenderableType]:
    """A file under a heading; highlighted where colours are shown at all."""
    yield from _heading(f"{what}: {path}")
    text = path.read_text(encoding="utf-8", errors="backslashreplace")
    lexer = Syntax.guess_lexer(str(path), text)
    yield Syntax(text, lexer, background_color="default").highlight(text.rstrip("\n"))


def _heading(text: str) -> Iterator[RenderableType]:
    yield Text("")
    yield Text(text, style="bold")
