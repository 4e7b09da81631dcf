"""What a reader wants to see of a run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class GridOptions:
    """What the cells of a grid show; by default nanoseconds an operation."""

    net: bool = False
    """Net of the empty loop."""
    ratio: bool = False
    """The ratio to the reference; where that takes little time the overhead."""
    reference: str = ""
    """A contestant, as a table names it, whose ratio is 1.00; empty: the baseline. Another asks for ratios too."""

    @property
    def given(self) -> tuple[str, ...]:
        """The options of a command that differ from the default."""
        reference = f"--reference {self.reference}" if self.reference else ""
        return tuple(filter(None, ("--net" * self.net, "--ratio" * self.ratio, reference)))


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
    net: bool = False
    """As `ratio` and `reference`: what the cells of a grid show; see `GridOptions`."""
    ratio: bool = False
    reference: str = ""

    @property
    def grid(self) -> GridOptions:
        """What the cells of a grid show."""
        return GridOptions(net=self.net, ratio=self.ratio, reference=self.reference)
