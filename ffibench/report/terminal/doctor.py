"""What `ffibench doctor` shows: a line for each thing, and under what is not well the command that mends it."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType
from rich.text import Text

from ffibench.model import Finding
from ffibench.report.table import one_line
from ffibench.report.terminal.layout import Fitted, definitions


def checklist(found: Sequence[Finding]) -> RenderableType:
    """Show all checks and, last, how many need something."""
    wanting = [finding for finding in found if finding.fix]
    summary = f"{len(wanting)} of {len(found)} could be better" if wanting else "All is here"
    entries = [_entry(finding) for finding in found]
    return Fitted(lambda _options: definitions([*entries, (Text(""), Text("")), (Text(""), Text(f"{summary}."))]))


def _entry(finding: Finding) -> tuple[Text, Text]:
    style = "" if not finding.fix else "red" if finding.needed else "yellow"
    sign = " " if not finding.fix else "!"
    text = Text(one_line(finding.found))
    if finding.fix:
        text.append(f"\n{finding.fix}", style="bold")
    return Text(f"{sign} {finding.subject}", style=style or "dim"), text
