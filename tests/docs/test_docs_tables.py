"""The tables in the documentation are such as ffibench prints today, and the picture shows the same run."""

from __future__ import annotations

import html
import re

import pytest
from support.command import Cli
from support.pages import ROOT, table

# One round of every contestant; over a sweep, its first two points.
ROUND = ["--rounds", "1", "--no-audit"]
SMALL = {
    "xsub": [*ROUND, "--iterations", "1k"],
    "weather": [*ROUND, "--set", "matches=10"],
    "fanout": [*ROUND, "--set", "per_thread=50", "--set", "threads=1,2"],
}
ROW = re.compile(r"(c|control|(?:python|perl)/\S+) ")
FACT = re.compile(r"([a-z0-9]+)  +\S")


def rows(lines: list[str]) -> set[str]:
    return {found[1] for line in lines if (found := ROW.match(line))}


def facts(lines: list[str]) -> set[str]:
    """What the lines under the tables are about."""
    return {found[1] for line in lines if (found := FACT.match(line)) and not ROW.match(line)}


@pytest.mark.parametrize("experiment", SMALL)
def test_a_table_is_one_that_is_printed_today(cli: Cli, experiment: str) -> None:
    shown = cli("run", experiment, *SMALL[experiment]).stdout.splitlines()
    printed = table(experiment)
    assert printed[0] == shown[0]
    perl = {name for name in rows(printed) if name.startswith("perl/")}
    assert bool(perl) == (experiment != "fanout")
    assert rows(printed) == rows(shown) | perl
    assert facts(shown) - {"warning", "disturbed"} <= facts(printed)


def test_the_figures_of_the_table_agree_with_each_other() -> None:
    pattern = re.compile(
        r"(c|\S+/\S+)(?: \N{BLACK STAR})? +(?:gcc )?[\d.]+ +([\d.,]+) +[\d.,]+ +(-?[\d.,]+)? +([\d.]+)\s"
    )
    found = [pattern.match(line) for line in table("xsub")]
    figures = {match[1]: (float(match[2]), float(match[4])) for match in found if match is not None}
    assert len(figures) >= 17
    baseline, _ = figures["c"]
    for name, (nanoseconds, ratio) in figures.items():
        # The ratio is paired inside rounds, so that it may differ a little from the ratio of the medians.
        assert nanoseconds / baseline == pytest.approx(ratio, rel=0.05), name


def test_the_picture_shows_the_run_of_the_table() -> None:
    picture = html.unescape((ROOT / "docs/images/xsub.svg").read_text(encoding="utf-8"))
    (seed,) = re.findall(r"seed (\d+)", "\n".join(table("xsub")))
    assert seed in picture
    text = picture.replace("\N{NO-BREAK SPACE}", "")
    assert {name for name in rows(table("xsub")) if not re.search(f">{re.escape(name)}\N{BLACK STAR}?<", text)} == set()
