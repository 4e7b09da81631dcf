"""`ffibench selftest`: the whole of it runs here; what it finds on this machine no test decides."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace
from support.command import Cli, assert_told, start_cli
from support.leftovers import children_of
from support.runs import run_of
from support.spins import run_of_spins

from ffibench.cli import cli as group
from ffibench.model import Comparison, Run
from ffibench.results.compare import compare
from ffibench.selftest.aa import COPIES, SLOWER
from ffibench.selftest.scenarios import SCENARIOS

SECONDS_MAX = 60


def selftest(file: Path, *options: str) -> Result:
    """`ffibench selftest` in this process, so that its runs can be made up."""
    return CliRunner().invoke(group, ["selftest", "--seed", "7", "--json", str(file), *options])


VERDICTS = {"as known", "inconclusive", "contradicted"}


@pytest.fixture(scope="module")
def answers_file(cli: Cli, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One selftest, whole, which several tests look at."""
    file = tmp_path_factory.mktemp("selftest") / "answers.json"
    answer = cli("selftest", "--seed", "7", "--json", str(file), XDG_DATA_HOME=str(file.parent / "data"))
    assert answer.returncode in {0, 1}, answer.stdout + answer.stderr
    (file.parent / "table.txt").write_text(answer.stdout, encoding="utf-8")
    return file


def test_every_known_answer_is_looked_at(answers_file: Path) -> None:
    answers = json.loads(answers_file.read_text(encoding="utf-8"))
    assert answers["seed"] == 7
    assert not answers["interrupted"]
    checks = [check for run in answers["runs"] for check in run["checks"]]
    assert len(checks) == 21
    assert {check["verdict"] for check in checks} <= VERDICTS
    assert {check["verdict"] for check in checks if check["what"].startswith("receipts")} == {"as known"}
    assert all(bool(check["reason"]) == (check["verdict"] != "as known") for check in checks)


def test_the_table_has_a_line_for_each(answers_file: Path) -> None:
    answers = json.loads(answers_file.read_text(encoding="utf-8"))
    table = (answers_file.parent / "table.txt").read_text(encoding="utf-8")
    for run in answers["runs"]:
        assert run["title"] in table
        for check in run["checks"]:
            assert any(line.startswith(check["what"]) and check["verdict"] in line for line in table.splitlines())
    assert max(map(len, table.splitlines())) <= 100
    assert "seed       7" in table


def test_it_leaves_no_run_among_the_user_s(cli: Cli, answers_file: Path) -> None:
    assert_told(cli("show", XDG_DATA_HOME=str(answers_file.parent / "data")), "no run was kept yet")


@pytest.mark.parametrize("arguments", [("selftest",), ("selftest", "--aa", "500")])
def test_an_interrupt_is_no_traceback(arguments: tuple[str, ...]) -> None:
    process = start_cli(arguments)
    patience = time.monotonic() + SECONDS_MAX
    while not children_of(process.pid):
        assert process.poll() is None
        assert time.monotonic() < patience
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=SECONDS_MAX)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert "interrupted" in (out + err).lower()


def test_an_interrupt_keeps_the_runs_that_were_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    finished = run_of_spins(SCENARIOS[0], tmp_path)
    runs = iter([finished, replace(finished, ending="interrupted")])
    monkeypatch.setattr("ffibench.workflow.selftest.execute", lambda *_, **__: next(runs))
    file = tmp_path / "answers.json"
    answer = selftest(file)
    assert answer.exit_code == 130
    answers = json.loads(file.read_text(encoding="utf-8"))
    assert answers["interrupted"]
    assert [run["title"] for run in answers["runs"]] == ["steady spins"]
    assert "interrupted; in the runs that were finished 12 as known" in answer.stdout


def test_an_interrupt_keeps_the_a_a_runs_that_were_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("c", "control", *COPIES, *SLOWER)
    finished = run_of({name: [100.0 + number for number in range(12)] for name in names})
    runs = iter([finished, finished, replace(finished, ending="interrupted")])
    monkeypatch.setattr("ffibench.workflow.aa.execute_unkept", lambda *_: _raised(next(runs)))
    monkeypatch.setattr("ffibench.workflow.aa._plan", lambda *_: None)
    monkeypatch.setattr("ffibench.workflow.aa.aa_plan", lambda *_: None)
    file = tmp_path / "aa.json"
    answer = selftest(file, "--aa", "40")
    assert answer.exit_code == 130
    found = json.loads(file.read_text(encoding="utf-8"))
    assert (len(found["repeats"]), found["asked"], found["interrupted"]) == (2, 40, True)
    assert "2 of 40 in" in answer.stdout
    assert "any of three copies differ significantly" in answer.stdout


def _raised(run: Run) -> Run:
    if run.ending == "interrupted":
        raise KeyboardInterrupt
    return run


@pytest.mark.parametrize(
    ("spoilt", "status", "attempts"),
    [(0, 0, [1, 1, 1]), (1, 0, [2, 1, 1]), (100, 1, [2, 2, 1])],
    ids=["never", "once", "always"],
)
def test_what_is_contradicted_twice_is_in_the_status(
    spoilt: int,
    status: int,
    attempts: list[int],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A mistake of ours is made again in other processes; what a host did to one run is not."""
    left = iter([True] * spoilt)

    def wrong(run: Run) -> Comparison:
        right = compare(run)
        rows = [replace(row, gross_ns=None if row.gross_ns is None else row.gross_ns * 10) for row in right.rows]
        return replace(right, rows=tuple(rows)) if next(left, False) else right

    scenarios = {scenario.title: scenario for scenario in SCENARIOS}
    monkeypatch.setattr(
        "ffibench.workflow.selftest.execute", lambda plan, **_: run_of_spins(scenarios[plan.title], tmp_path)
    )
    monkeypatch.setattr("ffibench.workflow.selftest.compare", wrong)
    file = tmp_path / "answers.json"
    answer = selftest(file)
    assert answer.exit_code == status
    assert [run["attempts"] for run in json.loads(file.read_text(encoding="utf-8"))["runs"]] == attempts
    assert ("steady spins: contradicted in a first run" in " ".join(answer.stdout.split())) == (spoilt > 0)


def test_an_a_a_run_is_summed_up(cli: Cli) -> None:
    answer = cli("selftest", "--aa", "1", "--seed", "7", "--json", "-")
    assert answer.returncode in {0, 1}, answer.stderr
    found = json.loads(answer.stdout)
    assert found["asked"] == 1
    assert [repeat["seed"] for repeat in found["repeats"]] == [7]
    tallies = {tally["what"]: tally for tally in found["tallies"]}
    assert tallies["runs with a row that is not valid"]["count"] == 0
    assert tallies["intervals that hold the mean of all runs"]["of"] == 7
    assert "A/A: one C program against itself" in answer.stderr
    assert "1 run of at most 15 s" in answer.stderr


@pytest.mark.parametrize(("option", "value"), [("--aa", "0"), ("--aa", "1M"), ("--aa", "some"), ("--seed", "-1")])
def test_counts_that_make_no_sense(cli: Cli, option: str, value: str) -> None:
    assert_told(cli("selftest", option, value), option, status=2)


def test_a_file_that_cannot_be_written_is_told_before_anything_runs(cli: Cli, tmp_path: Path) -> None:
    assert_told(cli("selftest", "--json", str(tmp_path / "no" / "such.json")), "such.json")
