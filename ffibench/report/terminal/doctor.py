"""What `ffibench doctor` shows: a line for each thing, and under what is not well the command that mends it."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType
from rich.text import Text

from ffibench.report.table import one_line
from ffibench.report.terminal.layout import Fitted, definitions
from ffibench.workflow.doctor import Check


def checklist(found: Sequence[Check]) -> RenderableType:
    """Show all checks and, last, how many need something."""
    wanting = [check for check in found if check.fix]
    summary = f"{len(wanting)} of {len(found)} could be better" if wanting else "All is here"
    entries = [_entry(check) for check in found]
    return Fitted(lambda _options: definitions([*entries, (Text(""), Text("")), (Text(""), Text(f"{summary}."))]))


def _entry(check: Check) -> tuple[Text, Text]:
    style = "" if not check.fix else "red" if check.needed else "yellow"
    sign = " " if not check.fix else "!"
    text = Text(one_line(check.found))
    if check.fix:
        text.append(f"\n{check.fix}", style="bold")
    return Text(f"{sign} {check.subject}", style=style or "dim"), text
