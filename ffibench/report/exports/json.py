"""`--export-json`: the run file itself."""

from __future__ import annotations

from ffibench.model import Comparison, Run
from ffibench.report.exports import Export


def text(run: Run, comparison: Comparison, rate: int | None) -> str:
    """Return the run file."""
    from ffibench.results.store import document  # the help of a command, which lists exports, needs no store

    return document(run, comparison).decode() + "\n"


EXPORT = Export(
    name="json", aliases=("--json",), help="the run file: all that was measured, and the summary", text=text
)
