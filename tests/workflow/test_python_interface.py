"""The promise: what docs/python.md shows works as a notebook would run it, cell after cell in one namespace."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from support.pages import PAGES, blocks

import ffibench.workflow
from ffibench.errors import FfibenchError
from ffibench.model import Contestant, Unavailable
from ffibench.workflow import Result, RunOptions, compare, load, run
from ffibench.workflow.steps import Measuring, RoundDone, Searching, Step

CELLS = [block.text for block in blocks(PAGES["docs/python.md"]) if block.language == "python"]


@pytest.fixture(scope="module")
def notebook(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The namespace after the last cell; files are written to a folder of its own."""
    names: dict[str, Any] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("notebook"))
        patch.setenv("XDG_DATA_HOME", "data")
        for number, cell in enumerate(CELLS):
            exec(compile(cell, f"docs/python.md, cell {number + 1}", "exec"), names)
        names["folder"] = Path.cwd()
    return names


def test_a_run_is_a_value_with_its_comparison(notebook: dict[str, Any]) -> None:
    result = notebook["result"]
    assert isinstance(result, Result)
    assert result.valid
    assert {row.contestant for row in result.comparison.rows} == {
        "c",
        "control",
        "python/ctypes",
        "python/ctypes-pydll",
    }
    assert repr(result) == "<Result of xsub: 4 rows, 2 rounds, ended by rounds>"
    assert "python/ctypes-pydll" in result._repr_markdown_()


def test_it_is_exported_and_read_again(notebook: dict[str, Any]) -> None:
    assert (notebook["folder"] / "table.md").read_text(encoding="utf-8").startswith("### xsub")
    again = load(notebook["folder"] / "run.json")
    assert again.run == notebook["result"].run
    assert again.comparison == notebook["result"].comparison == compare(again.run)


def test_an_observer_sees_every_step(tally: Path) -> None:
    steps: list[Step] = []
    result = run(str(tally), RunOptions(contestants=("c",), rounds=2, audit=False), observe=steps.append)
    assert isinstance(steps[0], Searching)
    begin = next(number for number, step in enumerate(steps) if isinstance(step, Measuring))
    done = [step for step in steps[begin:] if isinstance(step, RoundDone)]
    assert [len(step.progress.run.rounds) for step in done] == [1, 2]
    assert done[-1].progress.comparison.rows == result.comparison.rows


def test_the_last_run_is_read_without_a_file(tally: Path) -> None:
    result = run(str(tally), RunOptions(contestants=("c",), rounds=1, audit=False, parameters={"size": 5}))
    assert result.run.plan.parameters["size"] == 5
    assert load() == result


def test_a_contestant_that_is_missing_makes_a_result_that_is_not_valid(notebook: dict[str, Any]) -> None:
    result = notebook["result"]
    gone = Unavailable(contestant=Contestant(name="python/gone", language="python"), reason="it is not here")
    assert not replace(result, run=replace(result.run, plan=replace(result.run.plan, unavailable=(gone,)))).valid


@pytest.mark.parametrize(
    ("options", "fix"),
    [
        ({"contestants": "python/c*"}, r"write contestants=\('python/c\*',\)"),
        ({"mode": "fast"}, "use one of quick, default, rigorous"),
        ({"rounds": 0}, "use 1 or more"),
        ({"seed": -1}, "use 0 or more"),
        ({"precision": 2.0}, "between 0 and 1"),
        ({"worker_seconds_max": float("nan")}, "a number of seconds over 0"),
    ],
)
def test_a_value_out_of_range_is_a_mistake_at_once(options: dict[str, Any], fix: str) -> None:
    with pytest.raises(FfibenchError, match=fix):
        RunOptions(**options)


def test_an_unknown_export_names_those_that_there_are(notebook: dict[str, Any]) -> None:
    with pytest.raises(FfibenchError, match="use one of json, markdown"):
        notebook["result"].export("excel")


def test_a_notebook_completes_the_names() -> None:
    assert {"Result", "RunOptions", "compare", "load", "run"} <= set(dir(ffibench.workflow))
    with pytest.raises(AttributeError, match="no attribute 'walk'"):
        ffibench.workflow.walk  # noqa: B018
