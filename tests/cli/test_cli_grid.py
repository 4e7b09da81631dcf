"""`--net`, `--ratio` and `--reference`: what the grid of a kept run shows, and the mistakes that they allow."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from support.command import Cli, assert_told
from support.grids import many_cases
from support.run_files import RUN, save_compared


@pytest.fixture
def kept(tmp_path: Path) -> str:
    run = many_cases(rounds=12)
    file = tmp_path / "run.json"
    save_compared(replace(run, plan=replace(run.plan, audited=False)), file)
    return str(file)


def test_a_grid_is_in_ns_and_names_the_way_to_one_case(cli: Cli, kept: str) -> None:
    answer = cli("show", kept)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert "ns/op in each case." in answer.stdout
    assert "--case NAME" in answer.stdout
    assert answer.stdout.count("overhead  ") == 0
    one = cli("show", kept, "--case", "scale*")
    assert one.stdout.count("overhead  ") == 1


def test_the_options_change_the_cells_and_the_caption(cli: Cli, kept: str) -> None:
    assert "net of the empty loop" in cli("show", kept, "--net").stdout
    ratio = cli("show", kept, "--ratio").stdout
    assert "Ratio to c in each case where it takes over 10 ns" in ratio
    assert " ns" in next(line for line in ratio.splitlines() if line.startswith("noop()"))
    assert "x" in next(line for line in ratio.splitlines() if line.startswith("scale(1.5)"))
    other = cli("show", kept, "--reference", "python/capi").stdout
    assert "Ratio to python/capi in each case" in other
    assert "`python/capi ns/op`" in cli("show", kept, "--reference", "python/capi", "--export-markdown", "-").stdout


def test_an_unknown_reference_is_told_with_the_nearest_name(cli: Cli, kept: str) -> None:
    answer = cli("show", kept, "--reference", "python/cpi")
    assert_told(answer, "--reference python/cpi: no such contestant in this run (did you mean python/capi")
    assert answer.stdout == ""


def test_a_run_of_one_case_says_that_it_has_no_grid(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    save_compared(RUN, file)
    assert_told(cli("show", str(file), "--ratio"), "--ratio: this run has no grid")


def test_a_run_checks_them_before_its_first_round(cli: Cli) -> None:
    answer = cli("run", "xsub", "-c", "python/ctypes", "--no-audit", "--rounds", "1", "--reference", "python/ctypes")
    assert_told(answer, "--reference python/ctypes: this run has no grid")
