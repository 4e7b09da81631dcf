"""What the commands are asked for, as typed values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from ffibench.plan.options import PlanOptions
from ffibench.report.options import GridOptions, ReportOptions
from ffibench.results.gate import Gate


class RunOptions(PlanOptions, frozen=True, kw_only=True):
    """The options of a run: contestants, how much is measured, parameters, and what has to hold of it."""

    require_quiet: bool = False
    """Raise where the host is noisy before the first round."""
    gates: Sequence[Gate] = ()
    """Checked before the first round for fitting this run; `ffibench.results.gate.judge_all` judges them."""
    net: bool = False
    """As `ratio` and `reference`: what the cells of a grid will show, checked before the first round too."""
    ratio: bool = False
    reference: str = ""

    @property
    def grid(self) -> GridOptions:
        """What the cells of a grid will show."""
        return GridOptions(net=self.net, ratio=self.ratio, reference=self.reference)


class OutputOptions(Struct, frozen=True, kw_only=True):
    """What is shown of a run, the gates that judge it, and the files that it is exported to."""

    report: ReportOptions = ReportOptions()
    gates: Sequence[Gate] = ()
    files: Mapping[str, str] = {}
    """Name of an export to its file; `-` is standard output."""
