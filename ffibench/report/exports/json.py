"""`--export-json`: the run file itself."""

from __future__ import annotations

from ffibench.report.exports import Export
from ffibench.report.report import Report


def text(report: Report) -> str:
    """Return the run file."""
    from ffibench.results.store import document  # the help of a command, which lists exports, needs no store

    return document(report.run, report.comparison).decode() + "\n"


EXPORT = Export(
    name="json", aliases=("--json",), help="the run file: all that was measured, and the summary", text=text
)
