"""All that is said of a run, as values, before anything decides how it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ffibench.model import Comparison, Run
from ffibench.report.audit_table import audit_tables
from ffibench.report.charts import Chart, charts_of
from ffibench.report.clock_facts import clock_facts
from ffibench.report.costs import cost_table
from ffibench.report.doubt import warning_facts
from ffibench.report.facts import Fact, facts, gate_facts, printable
from ffibench.report.matrix import matrix_tables
from ffibench.report.options import ReportOptions
from ffibench.report.processes import process_table
from ffibench.report.provenance import provenance_facts
from ffibench.report.summary import summary_facts
from ffibench.report.table import Tabular, one_line
from ffibench.report.tables import details, tables
from ffibench.results.fastest import leads
from ffibench.results.gate import Judgement
from ffibench.results.grid import grids
from ffibench.results.times import key_of


@dataclass(frozen=True)
class Report:
    """What the terminal and the exports render, in the order in which they show it."""

    run: Run
    """For a format that carries all that was measured."""
    comparison: Comparison
    options: ReportOptions
    title: str
    """Name and title of the experiment."""
    tables: tuple[Tabular, ...]
    """One a role: of its one case, its cases as a grid, or its sweep, and one of those that ran at two speeds; empty
    before the first round."""
    details: tuple[Tabular, ...]
    """The full tables of cases that are in a grid of few, or that were asked for."""
    charts: tuple[Chart, ...]
    """Throughput over a swept parameter."""
    matrices: tuple[Tabular, ...]
    """Each row compared with each other, one a case and role, where that is asked for."""
    processes: Tabular | None
    """Seconds of whole processes, where they are asked for and were measured."""
    costs: Tabular | None
    """What each binding costs besides its calls, of a run that was made with `--costs`."""
    audits: tuple[Tabular, ...]
    """Which native functions were called, one a case, where that is asked for."""
    gates: tuple[Fact, ...]
    """What the run says of each gate."""
    summary: tuple[Fact, ...]
    """What the run found, in sentences: who is the fastest, whether all is verified, how far to believe it."""
    warnings: tuple[Fact, ...]
    """Those that the summary does not tell."""
    provenance: tuple[Fact, ...]
    """A few of the facts, in short."""
    facts: tuple[Fact, ...]
    """How the run was done, and on what."""


def make_report(
    run: Run, comparison: Comparison, options: ReportOptions | None = None, judgements: Sequence[Judgement] = ()
) -> Report:
    """Return the report of a run; `judgements` are what `results.gate` says of the gates.

    Raises FfibenchError where the options name a case or a contestant that the run does not have, and for those of a
    grid where it has none.
    """
    options = options or ReportOptions()
    rows = comparison.rows
    found, gridded = leads(run, rows), grids(run, rows)
    fastest = {key_of(row) for lead in found if len(lead.rows) > 1 for row in lead.fastest}
    summary = printable(summary_facts(run, comparison, found, gridded))
    return Report(
        run=run,
        comparison=comparison,
        options=options,
        title=one_line(f"{run.plan.experiment}: {run.plan.title}"),
        tables=tuple(tables(run, rows, options.rate, fastest, options.grid, gridded)) if rows else (),
        details=tuple(details(run, rows, options.rate, fastest, options.cases, every=options.verbose)),
        charts=tuple(charts_of(run, rows)),
        matrices=tuple(matrix_tables(run, rows)) if options.matrix else (),
        processes=process_table(run, rows) if options.shell and rows else None,
        costs=cost_table(run),
        audits=tuple(audit_tables(run.plan, run.audits)) if options.verbose else (),
        gates=tuple(gate_facts(judgements)),
        summary=summary,
        warnings=printable(warning_facts(comparison, before=summary)),
        provenance=printable(provenance_facts(run, comparison)),
        facts=(*facts(run, comparison), *printable(clock_facts(run))),
    )
