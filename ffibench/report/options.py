"""What a reader wants to see of a run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ReportOptions:
    """The options of a report, the same for the terminal and for every export."""

    rate: int | None = None
    """In operations a second: adds the share of a core that each contestant would need for it."""
    matrix: bool = False
    """Add each row compared with each other, in percent."""
    shell: bool = False
    """Add the seconds of whole processes."""
    verbose: bool = False
    """Show all facts and tables on the terminal, and which native functions each contestant called."""
    cases: tuple[str, ...] = ()
    """Globs of cases whose full tables are shown; empty: the report decides."""
