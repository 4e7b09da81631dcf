"""`ffibench run fanout`: threads into one native context, in every cell that was asked for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli, assert_told

SMALL = ("--rounds", "1", "--slices", "1", "--set", "per_thread=50")


def run_of(cli: Cli, file: Path, *arguments: str) -> dict[str, Any]:
    answer = cli("run", "fanout", *SMALL, *arguments, "--json", str(file))
    assert answer.returncode == 0, answer.stdout + answer.stderr
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module")
def usual(cli: Cli, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return run_of(cli, tmp_path_factory.mktemp("fanout") / "run.json")


def test_c_runs_every_cell_and_python_the_sharded_one(usual: dict[str, Any]) -> None:
    cells: dict[str, set[str]] = {}
    for row in usual["summary"]:
        cells.setdefault(row["contestant"], set()).add(row["series"])
    queues = {f"{queue}-{wake}" for queue in ("mutex", "sharded", "mpsc") for wake in ("every", "edge")}
    assert cells.pop("c") == {"lock-every", *queues}
    assert len(cells) == 13
    assert all(found == {"sharded-edge"} for found in cells.values())


def test_every_request_of_every_thread_is_delivered_once(usual: dict[str, Any]) -> None:
    assert all(row["valid"] for row in usual["summary"])
    assert {row["point"]["threads"] for row in usual["summary"]} == {1, 2, 4, 8}
    for case in usual["plan"]["cases"]:
        submits = case["point"]["threads"] * 50
        assert case["iterations"] == submits
        assert case["receipt"]["delivered"] == submits
        assert {case["receipt"][what] for what in ("duplicates", "missing", "disorders", "strays")} == {0}


def test_the_audit_counts_one_submit_an_operation(usual: dict[str, Any]) -> None:
    assert {audit["verdict"] for audit in usual["audits"]} == {"accepted"}
    for audit in usual["audits"]:
        calls = {each["name"]: each["calls"] for each in audit["functions"]}
        assert calls["fanout_submit"] == audit["operations"]


def test_what_would_be_a_deadlock_says_so_and_the_rest_runs(cli: Cli, tmp_path: Path) -> None:
    cells = ("--set", "queues=lock,mutex", "--set", "wakes=every", "--set", "threads=2", "--set", "callback=host")
    run = run_of(cli, tmp_path / "run.json", *cells, "-c", "python/capi", "-c", "python/capi~nogil")
    rows = {(row["contestant"], row["case"]): row for row in run["summary"]}
    assert not rows["python/capi", "lock-every"]["valid"]
    assert "deadlock" in rows["python/capi", "lock-every"]["reason"]
    others = [row for key, row in rows.items() if key != ("python/capi", "lock-every")]
    assert len(others) == 7
    assert all(row["valid"] for row in others)


@pytest.mark.parametrize(
    ("parameter", "words"),
    [
        ("threads=0", "--set threads"),
        ("threads=10000000", "--set threads"),
        ("queues=heap", "heap"),
        ("wakes=never", "never"),
        ("callback=often", "often"),
        ("per_thread=-1", "--set per_thread"),
    ],
)
def test_mistakes_are_told(cli: Cli, parameter: str, words: str) -> None:
    assert_told(cli("run", "fanout", "--set", parameter), words)
