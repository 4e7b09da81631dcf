"""`--export-markdown`: the whole report as GitHub Markdown, to paste into an issue."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ffibench.report.exports import Export
from ffibench.report.facts import Fact
from ffibench.report.report import Report
from ffibench.report.table import STAR, STAR_NOTE, Heading, Line, Tabular

_SPECIAL = re.compile(r"([\\`*_~|<>\[\]#])")


def markdown(report: Report) -> str:
    """Give a report as GitHub Markdown: its tables with their notes, charts as tables of values, facts as a list."""
    tables = [*report.tables, *report.details, *(chart.table() for chart in report.charts), *report.matrices]
    tables += [each for each in (report.processes, report.costs) if each is not None]
    parts = [part for tabular in (*tables, *report.audits) for part in _section(tabular)]
    parts += [_list(facts) for facts in ((*report.summary, *report.gates, *report.warnings), report.facts) if facts]
    return "\n\n".join(parts) + "\n"


def _list(facts: Sequence[Fact]) -> str:
    return "\n".join(_fact(fact) for fact in facts)


def _section(tabular: Tabular) -> list[str]:
    parts = [f"### {_escaped(tabular.title)}", _escaped(tabular.caption), _table(tabular)]
    stars = [(STAR, STAR_NOTE)] if any(line.fastest for line in tabular.lines()) else []
    notes = [*stars, *tabular.notes]
    if notes:
        parts.append("\n".join(f"- {_escaped(mark)}: {_escaped(note)}" for mark, note in notes))
    return parts


def _table(tabular: Tabular) -> str:
    headings = tabular.headings
    rows = [
        [_code(heading.text).replace("|", "\\|") if _is_contestant(heading) else heading.text for heading in headings],
        ["---:" if heading.numeric else ":---" for heading in headings],
    ]
    if any(heading.group for heading in headings):  # no format of tables here has a head over several columns
        rows.append([f"*{_escaped(heading.group)}*" if heading.group else "" for heading in headings])
    for block in tabular.blocks:
        if block.name:
            rows.append([f"*{_escaped(block.name)}*", *[""] * (len(headings) - 1)])
        rows += [_cells(headings, line) for line in block.lines]
    return "\n".join(_line(row) for row in rows)


def _is_contestant(heading: Heading) -> bool:
    return heading.numeric and heading.key.startswith("contestant ")


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cells(headings: Sequence[Heading], line: Line) -> list[str]:
    first, *others = (_cell(heading, text) for heading, text in zip(headings, line.cells, strict=True))
    return [f"{first} {STAR}" if line.fastest else first, *others]


def _cell(heading: Heading, text: str) -> str:
    """Show a cell; a contestant is code, so that GitHub sees neither `@` nor `~` in it."""
    text = text.strip()
    return _code(text).replace("|", "\\|") if heading.key == "contestant" else _escaped(text)


def _fact(fact: Fact) -> str:
    text = _code(fact.text) if fact.literal else _escaped(fact.text)
    fix = f" {_escaped(fact.fix)}" if fact.fix else ""
    return f"- **{fact.label}**: {text}{fix}"


def _code(text: str) -> str:
    """Show a text as it is: between more backticks than it has in a row."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence, gap = "`" * (longest + 1), " " * ("`" in text)
    return f"{fence}{gap}{text}{gap}{fence}"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)


EXPORT = Export(name="markdown", help="the table, to paste into an issue", text=markdown)
