"""A whole report on a terminal: tables first, then what they say in words, then where they are from."""

from __future__ import annotations

from rich.console import Console, Group, RenderableType
from rich.text import Text

from ffibench.report.report import Report
from ffibench.report.terminal.chart import drawn_chart
from ffibench.report.terminal.facts import drawn_facts
from ffibench.report.terminal.table import drawn_table, stacked


def print_report(console: Console, report: Report) -> None:
    """Print a report."""
    console.print(drawn_report(report))


def drawn_report(report: Report) -> RenderableType:
    """Draw the tables, the charts of a sweep, what else was asked for, the summary, and the facts of a run."""
    parts: list[RenderableType] = [Text("No round was finished: there is nothing to tabulate.")]
    if report.tables:
        parts = [*map(drawn_table, report.tables), *map(drawn_chart, report.charts)]
    if report.options.verbose or report.options.cases:
        parts += map(drawn_table, report.details)
    parts += map(drawn_table, report.matrices)
    if report.processes is not None:
        parts.append(drawn_table(report.processes))
    if report.costs is not None:
        parts.append(drawn_table(report.costs))
    parts += map(drawn_table, report.audits)
    said = (*report.summary, *report.gates, *report.warnings)
    if said:
        parts.append(Group(Text("Summary", style="bold"), drawn_facts(said)))
    facts = report.facts if report.options.verbose else report.provenance
    return stacked([*parts, drawn_facts(facts)])
