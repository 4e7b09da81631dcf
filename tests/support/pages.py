"""The documentation as its tests read it: pages, their sections, fenced blocks and commands."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES: Mapping[str, str] = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for path in [*(ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "CHANGELOG")), *ROOT.glob("docs/**/*.md")]
}
"""Each page's text by its path in the repository."""

FENCED = re.compile(
    r"^(?P<indent> *)(?:<!-- (?P<marker>[^\n]+?) -->\n(?P=indent))?```(?P<language>\w*)\n(?P<text>.*?)^(?P=indent)```$",
    re.DOTALL | re.MULTILINE,
)
PROMPT = "$ "


@dataclass(frozen=True)
class Block:
    """A fenced block, with what a comment right above it says of it, such as `file: app.py`."""

    language: str
    text: str
    marker: str

    @property
    def file(self) -> str | None:
        """The file that a reader is told to write, by its path."""
        name, _, path = self.marker.partition(": ")
        return path if name == "file" else None

    @property
    def commands(self) -> list[str]:
        """What a reader is told to type, without what is said of it."""
        lines = [line.removeprefix(PROMPT) for line in self.text.splitlines() if line.startswith(PROMPT)]
        return [line.partition("  # ")[0].rstrip() for line in lines]


def blocks(text: str) -> Iterator[Block]:
    """Yield the fenced blocks of a page, or of a part of one, in their order."""
    for found in FENCED.finditer(text):
        yield Block(found["language"], textwrap.dedent(found["text"]), found["marker"] or "")


def prose(text: str) -> str:
    """Return a page without its fenced blocks."""
    return FENCED.sub("", text)


def section(page: str, heading: str) -> str:
    """Return what stands under a heading of the second level."""
    found = re.search(rf"^## {re.escape(heading)}$(.*?)(?=^## |\Z)", PAGES[page], re.DOTALL | re.MULTILINE)
    assert found is not None, f"{page} has no section {heading!r}"
    return found[1]


def write_files(text: str, folder: Path) -> list[str]:
    """Write the files that a page tells a reader to write; return their paths."""
    written = []
    for block in blocks(text):
        if block.file is not None:
            path = folder / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
            written.append(block.file)
    return written


def table(experiment: str) -> list[str]:
    """Return the lines of the one table that is marked as what `ffibench run EXPERIMENT` prints."""
    marker = f"table: ffibench run {experiment}"
    (found,) = [block for text in PAGES.values() for block in blocks(text) if block.marker == marker]
    return found.text.splitlines()
