"""The Markdown of a report is one table a case that GitHub reads as we meant it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise

import pytest
from markdown_it import MarkdownIt
from msgspec.structs import replace
from support.runs import Along, swept_run

from ffibench.model import Audit, Comparison, Row, Run
from ffibench.report.case_table import case_tables
from ffibench.report.exports.markdown import markdown
from ffibench.report.facts import facts
from ffibench.report.options import ReportOptions
from ffibench.report.report import make_report
from ffibench.report.table import STAR
from ffibench.results.compare import compare
from ffibench.results.gate import Judgement


def parsed_rows(text: str) -> list[list[str]]:
    """Cells of the tables in `text`, as a parser of GitHub's dialect sees them."""
    rows: list[list[str]] = []
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
    for token, after in zip(tokens, [*tokens[1:], tokens[-1]], strict=True):
        if token.type == "tr_open":
            rows.append([])
        if token.type in {"th_open", "td_open"}:
            rows[-1].append("".join(child.content for child in after.children or ()))
    return rows


@pytest.mark.parametrize("scenario", ["rows", "doubtful_rows", "few_rows", "several_rows"])
def test_the_markdown_is_as_drawn_and_parses(
    request: pytest.FixtureRequest,
    run: Run,
    comparison: Comparison,
    golden: Callable[[str, str], None],
    scenario: str,
) -> None:
    rows: list[Row] = request.getfixturevalue(scenario)
    text = markdown(make_report(run, replace(comparison, rows=tuple(rows)), ReportOptions(rate=100_000)))
    golden(f"markdown-{scenario.partition('_rows')[0]}.md", text)
    (table,) = case_tables(run, rows, 100_000)
    parsed = parsed_rows(text)
    assert {len(row) for row in parsed} == {len(table.headings)}
    body = [row for row in parsed[1:] if row[0] not in {"lock held", "lock released", "no lock"}]
    assert [[row[0].removesuffix(f" {STAR}"), *row[1:]] for row in body] == [
        [cell.strip() for cell in line.cells] for line in table.lines()
    ]


def test_the_fastest_of_each_block_is_starred(run: Run, comparison: Comparison, rows: list[Row]) -> None:
    text = markdown(make_report(run, replace(comparison, rows=tuple(rows))))
    starred = [row[0] for row in parsed_rows(text) if row[0].endswith(STAR)]
    assert starred
    assert set(starred) < {f"{row.contestant} {STAR}" for row in rows}
    assert f"- {STAR}: The fastest of its block." in text


def test_signs_of_markdown_in_names_stay_what_they_are(run: Run, comparison: Comparison, rows: list[Row]) -> None:
    odd = replace(rows[2], contestant="python/a|b~c~d", version="1|2~3~*4*", reason="`x` <b> | [1]: y")
    text = markdown(make_report(run, replace(comparison, rows=(*rows[:2], odd))))
    cells = parsed_rows(text)[-1]
    assert cells[:2] == ["python/a|b~c~d", "1|2~3~*4*"]
    assert {len(row) for row in parsed_rows(text)} == {len(cells)}


def test_the_facts_follow_as_a_list(run: Run, comparison: Comparison) -> None:
    text = markdown(make_report(run, comparison))
    for fact in facts(run, comparison):
        assert f"\n- **{fact.label}**: " in text
    assert f"`{run.plan.library.sha256}`" in text
    assert comparison.warnings[0].fix in text


def test_it_has_all_that_a_terminal_shows(run: Run, comparison: Comparison) -> None:
    audit = Audit(key=run.plan.workers[0].key, case="send", operations=10, verdict="accepted")
    judgements = [Judgement(outcome="passed", text="1.5 passed: c does 3 times as much")]
    options = ReportOptions(matrix=True, shell=True, verbose=True)
    text = markdown(make_report(replace(run, audits=(audit,)), comparison, options, judgements))
    titles = [line for line in text.splitlines() if line.startswith("### ")]
    assert [title.partition(", ")[2] or title.partition(": ")[2] for title in titles] == [
        *("sending small messages through ZeroMQ", "each compared with each", "whole processes"),
        "counted from outside",
    ]
    assert "- **gate**: 1.5 passed" in text


def test_a_chart_is_a_table_of_its_values() -> None:
    along: Mapping[str, Along] = {
        "lock": {1: [50.0] * 6, 2: [100.0] * 6},
        "free": {1: [20.0] * 6, 2: None},
        "sharded": {1: [50.0] * 6, 2: [25.0] * 6},
    }
    run = swept_run({series: {"c": times} for series, times in along.items()})
    chart = markdown(make_report(run, compare(run))).partition("threads: c\n")[2]
    assert parsed_rows(chart) == [["threads", "sharded", "lock"], ["1", "20.0", "20.0"], ["2", "40.0", "10.0"]]


def test_backticks_in_what_is_code_stay_what_they_are(run: Run, comparison: Comparison, rows: list[Row]) -> None:
    odd = replace(rows[2], contestant="python/`a`", version="~~1~~")
    path = "/opt/`a``b`"
    library = replace(run.plan.library, path=path)
    elsewhere = replace(run, plan=replace(run.plan, library=library))
    text = markdown(make_report(elsewhere, replace(comparison, rows=(*rows[:2], odd))))
    assert parsed_rows(text)[-1][:2] == ["python/`a`", "~~1~~"]
    tokens = MarkdownIt("commonmark").parse(text)
    code = [child.content for token in tokens for child in token.children or () if child.type == "code_inline"]
    assert path in code


def test_numbers_stand_to_the_right_and_names_to_the_left(run: Run, comparison: Comparison, rows: list[Row]) -> None:
    tokens = (
        MarkdownIt("commonmark")
        .enable("table")
        .parse(markdown(make_report(run, replace(comparison, rows=tuple(rows)))))
    )
    heads = [(token, after) for token, after in pairwise(tokens) if token.type == "th_open"]
    sides = {after.content: token.attrs["style"] for token, after in heads}
    assert sides["contestant"] == sides["version"] == sides["tie"] == "text-align:left"
    assert sides["ns/op"] == sides["ratio to C"] == "text-align:right"
