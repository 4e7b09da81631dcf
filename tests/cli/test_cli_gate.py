"""`--gate`: the exit status and the sentence, of a run that is kept and of one that is about to begin."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from support.command import Cli, assert_told
from support.run_files import save_compared
from support.runs import Along, run_of, swept_run


def kept(tmp_path: Path, processors: int = 8) -> str:
    along = {"lock": (50.0, 52.0), "sharded": (50.0, 26.0)}
    times: Mapping[str, Mapping[str, Along]] = {
        name: {"c": {1: [first] * 8, 2: [last] * 8}} for name, (first, last) in along.items()
    }
    file = tmp_path / f"run-{processors}.json"
    save_compared(swept_run(times, processors=processors, audited=False), file)
    return str(file)


def test_a_gate_that_is_met_changes_no_status_and_is_told_under_the_table(cli: Cli, tmp_path: Path) -> None:
    answer = cli("show", kept(tmp_path), "--gate", "sharded=1.5")
    assert (answer.returncode, answer.stderr) == (0, "")
    assert "sharded=1.5 passed: sharded of c does 1.92 times as much" in " ".join(answer.stdout.split())


def test_a_gate_that_fails_ends_with_status_1_after_the_report(cli: Cli, tmp_path: Path) -> None:
    answer = cli("show", kept(tmp_path), "--gate", "lock=1.5", "--gate", "sharded=1.5")
    assert_told(answer, "gate lock=1.5 failed: lock of c does 0.962 times as much at threads=2 as at threads=1")
    assert re.search(r"^gate +lock=1.5 failed", answer.stdout, re.MULTILINE)
    assert re.search(r"^gate +sharded=1.5 passed", answer.stdout, re.MULTILINE)


def test_on_few_processors_nothing_passes_and_nothing_fails(cli: Cli, tmp_path: Path) -> None:
    answer = cli("show", kept(tmp_path, processors=2), "--gate", "lock=1.5", "--gate", "sharded=1.5")
    assert (answer.returncode, answer.stderr) == (0, "")
    assert answer.stdout.count("is not applicable: this machine has 2 processors") == 2
    assert "passed" not in answer.stdout


@pytest.mark.parametrize(
    ("gate", "words", "status"),
    [
        ("shard=2", "c has no series 'shard' in this run (did you mean sharded?); use one of lock, sharded", 1),
        ("sharded=fast", "'fast' is no factor; write a gate like 1.5 or sharded=1.5", 2),
    ],
)
def test_a_gate_that_cannot_be_judged_is_told_before_anything_is_shown(
    cli: Cli, tmp_path: Path, gate: str, words: str, status: int
) -> None:
    answer = cli("show", kept(tmp_path), "--gate", gate)
    assert_told(answer, words, status=status)
    assert answer.stdout == ""


def test_a_run_without_a_sweep_has_no_gate(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "flat.json"
    save_compared(run_of({"c": [10.0] * 6}, audited=False), file)
    assert_told(cli("show", str(file), "--gate", "1.5"), "nothing is swept", "add --sweep NAME=1,2,4")


def test_a_run_that_sweeps_nothing_is_stopped_before_it_measures(cli: Cli, tally: Path) -> None:
    answer = cli("run", str(tally), "-c", "c", "--gate", "1.5")
    assert_told(answer, "nothing is swept in this run")
    assert answer.stdout == ""
