"""`--export-markdown`: the table, to paste into an issue."""

from __future__ import annotations

from ffibench.report.markdown import markdown
from ffibench.results.exports import Export

EXPORT = Export(name="markdown", help="the table, to paste into an issue", text=markdown)
