"""The tables in the documentation are such as ffibench prints today, and the picture shows the same run."""

from __future__ import annotations

import html
import re
import shlex
from itertools import pairwise

import pytest
from support.command import Cli
from support.pages import ROOT, blocks, section, table

from ffibench.catalog import candidates
from ffibench.languages import languages
from ffibench.model import BASELINE, Call
from ffibench.plan.options import ContestantOptions
from ffibench.workflow.prepare import prepare

# One round of every contestant; over a sweep, its first two points.
ROUND = ["--rounds", "1", "--no-audit"]
SMALL = {
    "xsub": [*ROUND, "--iterations", "1k"],
    "weather": [*ROUND, "--set", "matches=10"],
    "fanout": [*ROUND, "--set", "per_thread=50", "--set", "threads=1,2"],
}
# Of a grid, whose shims nothing else needs, three bindings that need no compiler, of both blocks of Python's.
GRID = ["--rounds", "1", "--iterations", "1k", *("-c", "python/ctypes*"), *("-c", "python/cffi-abi")]
ASKED = {"python/ctypes", "python/ctypes-pydll", "python/cffi-abi"}
BORDER, RULE = "\N{BOX DRAWINGS LIGHT VERTICAL}", "\N{BOX DRAWINGS LIGHT HORIZONTAL}"
BLOCKS = {"held": "lock held", "released": "lock released", None: "no lock"}
ROW = re.compile(r"(c|control|[a-z]+/\S+) ")
FACT = re.compile(r"([a-z0-9]+)  +\S")


def rows(lines: list[str]) -> set[str]:
    return {found[1] for line in lines if (found := ROW.match(line))}


def facts(lines: list[str]) -> set[str]:
    """What the lines under the tables are about."""
    return {found[1] for line in lines if (found := FACT.match(line)) and not ROW.match(line)}


def heads(lines: list[str]) -> set[tuple[str, str]]:
    """The contestants over the columns of a grid's parts, each with its block; their names are broken, to the right."""
    found = set()
    for end in rules(lines):
        start = max(number for number in range(end) if not lines[number])
        for part in zip(*(line.split(BORDER) for line in lines[start + 1 : end]), strict=True):
            block, *pieces = ({each.end(): each[0] for each in re.finditer(r"\S+", line)} for line in part)
            for column in pieces[-1]:
                found.add((" ".join(block.values()), "".join(piece.get(column, "") for piece in pieces)))
    return found - {("", "case")}


def cases(lines: list[str]) -> list[list[str]]:
    """The first cells of the rows of a grid's parts."""
    ends = [next(number for number in range(start, len(lines)) if not lines[number]) for start in rules(lines)]
    return [
        [line.partition("  ")[0] for line in lines[start + 1 : end]]
        for start, end in zip(rules(lines), ends, strict=True)
    ]


def rules(lines: list[str]) -> list[int]:
    return [number for number, line in enumerate(lines) if set(line) == {RULE}]


def line_of(lines: list[str], start: str) -> str:
    """The line that starts so, without its numbers."""
    (found,) = (line for line in lines if line.startswith(start))
    return re.sub(r"[\d,]*\d( rounds?)?", "N", found)


@pytest.mark.parametrize("experiment", SMALL)
def test_a_table_is_one_that_is_printed_today(cli: Cli, experiment: str) -> None:
    shown = cli("run", experiment, *SMALL[experiment]).stdout.splitlines()
    printed = table(experiment)
    assert printed[0] == shown[0]
    perl = {name for name in rows(printed) if name.startswith("perl/")}
    assert bool(perl) == (experiment != "fanout")
    assert rows(printed) == rows(shown) | perl
    assert facts(shown) - {"warning", "disturbed"} <= facts(printed)


def test_a_grid_is_one_that_is_printed_today(cli: Cli) -> None:
    (command,) = (each for block in blocks(section("docs/calls.md", "A run")) for each in block.commands)
    words = shlex.split(command)[1:]
    calls = [word for before, word in pairwise(words) if before == "--call"]
    shown = cli(*words, *GRID).stdout.splitlines()
    printed = table("zlib.h")
    assert printed[0] == shown[0]
    for start in ("ns/op in each case.", "--case NAME", "verified"):
        assert line_of(printed, start) == line_of(shown, start)
    # With one round no interval shades a cell.
    assert facts(shown) - {"warning", "disturbed", "shade"} <= facts(printed)

    options = ContestantOptions(
        contestants=("python/ctypes", "perl/*"),  # one of each language that is there by default
        calls=tuple(Call(expression=each) for each in calls),
        library=words[words.index("--library") + 1],
    )
    everybody = [each.contestant for each in candidates(prepare(words[1], options).folder)]
    today = {("" if each.language == "c" else BLOCKS[each.lock], each.name) for each in everybody}
    assert heads(printed) == today
    assert heads(shown) == {(block, name) for block, name in today if not block or name in ASKED}
    assert all(each == calls for part in (printed, shown) for each in cases(part))
    assert f"{len(everybody) * len(calls)} audits match" in "\n".join(printed)


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


@pytest.mark.parametrize(("run", "image"), [("xsub", "xsub.svg"), ("xsub -c '*'", "languages.svg")])
def test_the_picture_shows_the_run_of_the_table(run: str, image: str) -> None:
    picture = html.unescape((ROOT / "docs/images" / image).read_text(encoding="utf-8"))
    (seed,) = re.findall(r"seed (\d+)", "\n".join(table(run)))
    assert seed in picture
    text = picture.replace("\N{NO-BREAK SPACE}", "")
    assert {name for name in rows(table(run)) if not re.search(f">{re.escape(name)}\N{BLACK STAR}?<", text)} == set()


@pytest.mark.parametrize("run", ["xsub -c '*'", "calls --case int -c '*'"])
def test_a_table_of_all_languages_has_those_that_are_known(run: str) -> None:
    """Not every binding: which of them a machine has differs."""
    found = {name.partition("/")[0] for name in rows(table(run)) if "/" in name}
    assert found - {BASELINE} == languages().keys() - {BASELINE}
