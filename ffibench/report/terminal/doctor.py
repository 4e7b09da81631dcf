"""What `ffibench doctor` shows: groups of findings, the command that installs what is missing, and one verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from ffibench.model import Finding
from ffibench.report.table import one_line
from ffibench.report.terminal.layout import WIDTH_MAX

STYLES = {"ok": "green", "note": "yellow", "missing": "bold red"}
"""Of the word that begins a line."""

INDENT = 2


class Checklist:
    """Findings for the width of the console that they are printed to.

    A path is never broken within a name: it folds at its slashes on a terminal that is narrower, and stays whole where
    the output is no terminal.
    """

    def __init__(self, findings: Sequence[Finding]) -> None:
        self._findings = findings

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the groups, and last the verdict."""
        width = min(options.max_width, WIDTH_MAX)
        state_width = max(map(len, STYLES))
        subject_width = max((len(finding.subject) for finding in self._findings), default=0)
        for group, members in groupby(self._findings, key=lambda finding: finding.group):
            printed: set[str] = set()
            yield _line(Text(group, style="bold"))
            for finding in members:
                state = _state(finding)
                head = Text(" " * INDENT).append(f"{state:{state_width}}", STYLES[state])
                head.append(f"  {finding.subject:{subject_width}}  ", "" if finding.fix else "dim")
                room = width - head.cell_len
                found = wrapped(one_line(finding.found), room, fold=options.is_terminal)
                lines = [Text(line) for line in found]
                if finding.fix and finding.fix not in printed:  # several of a group need what one command installs
                    printed.add(finding.fix)
                    fix = wrapped(f"fix: {one_line(finding.fix)}", room, fold=options.is_terminal)
                    lines += [Text(line, style="bold") for line in fix]
                for number, line in enumerate(lines):
                    yield _line((head if number == 0 else Text(" " * head.cell_len)) + line)
            yield _line(Text(""))
        for sentence in wrapped(verdict(self._findings), width, fold=False):
            yield _line(Text(sentence, style="bold"))


def verdict(findings: Sequence[Finding]) -> str:
    """Say in a sentence whether a run would be whole."""
    missing = [finding.subject for finding in findings if finding.missing]
    notes = sum(bool(finding.fix) and not finding.missing for finding in findings)
    if missing:
        things = "1 thing is" if len(missing) == 1 else f"{len(missing)} things are"
        return f"{things} missing: {', '.join(missing)}."
    if notes:
        return f"A run would be whole. {notes} note{'s' if notes > 1 else ''} above could make it better."
    return "A run would be whole."


def wrapped(text: str, width: int, *, fold: bool) -> Iterator[str]:
    """Wrap a text between its words; with `fold`, a word wider than `width` folds after its slashes."""
    line = ""
    for word in text.split():
        pieces = _pieces(word, width) if fold and len(word) > width else [word]
        for number, piece in enumerate(pieces):
            gap = " " if line and number == 0 else ""
            if line and len(line) + len(gap) + len(piece) > width:
                yield line
                line = piece
            else:
                line += gap + piece
    yield line


def _pieces(path: str, width: int) -> list[str]:
    """Cut a path after its slashes into pieces that are as long as fits; a name that is longer stays whole."""
    pieces = [""]
    *folders, name = path.split("/")
    for part in [*(f"{folder}/" for folder in folders), name]:
        if pieces[-1] and len(pieces[-1]) + len(part) > width:
            pieces.append("")
        pieces[-1] += part
    return pieces


def _state(finding: Finding) -> str:
    """Whether all is well, something could be better, or a run needs it."""
    if not finding.fix:
        return "ok"
    return "missing" if finding.needed else "note"


def _line(text: Text) -> Text:
    """A line that the console neither wraps nor crops."""
    text.no_wrap, text.overflow = True, "ignore"
    text.rstrip()
    return text
