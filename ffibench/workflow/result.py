"""What a run gives: all that was measured with its comparison, and what can be made of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from ffibench.errors import FfibenchError
from ffibench.model import Comparison, Run
from ffibench.report.exports import exports
from ffibench.report.options import ReportOptions
from ffibench.report.report import Report, make_report
from ffibench.results.compare import compare
from ffibench.results.gate import Judgement
from ffibench.results.store import last_run, write
from ffibench.results.store import load as load_run
from ffibench.results.validity import CANNOT


class Result(Struct, frozen=True, kw_only=True):
    """A run with its comparison."""

    run: Run
    """All that was measured, with the plan and the provenance."""
    comparison: Comparison
    """Ratios to the baseline with intervals and ties: `comparison.rows` has one row a contestant and case."""
    file: Path | None = None
    """The run file; None where it could not be written."""

    @property
    def valid(self) -> bool:
        """Whether every contestant that was meant took part to the end and did what the experiment expects.

        A row of a case that its contestant says it cannot run takes nothing away.
        """
        failed = any(record.failure is not None for each in self.run.rounds for record in each.records)
        invalid = any(audit.verdict == "invalid" for audit in self.run.all_audits)
        lacking = any(not row.valid and not (row.reason or "").startswith(CANNOT) for row in self.comparison.rows)
        lost = self.run.ending == "files removed"
        return not (self.run.plan.unavailable or failed or invalid or lacking or lost)

    def report(self, options: ReportOptions | None = None, judgements: Sequence[Judgement] = ()) -> Report:
        """Return all that is said of the run, as values; `judgements` are those of gates."""
        return make_report(self.run, self.comparison, options, judgements)

    def export(self, name: str, options: ReportOptions | None = None) -> str:
        """Return the run in a format: the NAME of an `--export-NAME`.

        Raises FfibenchError where there is no such format.
        """
        known = exports()
        if name not in known:
            raise FfibenchError(f"there is no export {name!r}", fix=f"use one of {', '.join(known)}")
        return known[name].text(self.report(options))

    def write(self, name: str, file: str | Path, options: ReportOptions | None = None) -> None:
        """Write the run to a file in a format. Raises FfibenchError as `export` does, and OSError."""
        write(self.export(name, options).encode(), Path(file))

    def __repr__(self) -> str:
        """Name the run: all its slices would fill pages."""
        rows, rounds = len(self.comparison.rows), len(self.run.rounds)
        return f"<Result of {self.run.plan.experiment}: {rows} rows, {rounds} rounds, ended by {self.run.ending}>"

    def _repr_markdown_(self) -> str:
        """Show the tables in a notebook."""
        return self.export("markdown")


def load(file: str | Path | None = None) -> Result:
    """Return the run of a file, of an interrupted run too; without a file, the last run that was kept.

    Each row is judged again and its comparison computed again, from what was measured. Raises FfibenchError where the
    file is not a run file.
    """
    path = last_run() if file is None else Path(file)
    run = load_run(path)
    return Result(run=run, comparison=compare(run), file=path)
