"""The promise: a spin takes what it was told to cost, by the worker contract, with nothing but the standard library."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ffibench.selftest.spins import CASE, EMPTY_NS, WORKER
from ffibench.selftest.worker import cost_ns

ITERATIONS = 100
CONTRACT = {
    "cases": f"{CASE}:{ITERATIONS}",
    "slices": "3",
    "warmup": "2",
    "library": str(WORKER),
    "empty_ns": str(EMPTY_NS),
    "cost_ns": "100",
}


def command(**arguments: object) -> list[str]:
    options = {**CONTRACT, **arguments}
    return [sys.executable, "-I", "-S", str(WORKER), *(f"{name}={value}" for name, value in options.items())]


def lines_of(**arguments: object) -> list[dict[str, Any]]:
    answer = subprocess.run(command(**arguments), input="go\n", capture_output=True, text=True, timeout=60, check=True)
    return [json.loads(line) for line in answer.stdout.splitlines()]


def test_it_keeps_to_the_contract() -> None:
    ready, *slices = lines_of()
    assert "ready" in ready
    assert [(one["kind"], one["slice"]) for one in slices] == [
        *(("warmup", number) for number in range(2)),
        *(("timed", number) for number in range(3)),
        *(("empty", number) for number in range(3)),
    ]
    assert {one["case"] for one in slices} == {CASE}
    assert [one.get("receipt") for one in slices] == [*[{"iterations": ITERATIONS}] * 5, *[None] * 3]


def test_no_slice_is_shorter_than_it_was_told() -> None:
    """How much longer it is the machine decides, so that no test asks."""
    told = {"warmup": 100, "timed": 100, "empty": EMPTY_NS}
    for one in lines_of()[1:]:
        assert one["wall_ns"] >= told[one["kind"]] * ITERATIONS
        assert one["cpu_ns"] >= 0


def test_a_drift_and_a_warm_up_are_in_the_slices() -> None:
    drifting = [one["wall_ns"] for one in lines_of(drift=0.5)[1:6]]
    assert all(wall >= (1 + 0.5 * number) * 100 * ITERATIONS for number, wall in enumerate(drifting))
    warming = [one["wall_ns"] for one in lines_of(warming=3, warming_ns=10_000)[1:6]]
    assert all(wall >= 10_000 * ITERATIONS for wall in warming[:3])
    assert all(wall >= 100 * ITERATIONS for wall in warming[3:])


def test_it_waits_for_go() -> None:
    answer = subprocess.run(command(), input="stop\n", capture_output=True, text=True, timeout=60, check=False)
    assert answer.returncode == 1
    assert "expected go" in answer.stderr
    assert len(answer.stdout.splitlines()) == 1


@pytest.mark.parametrize("seed", [1, 2])
def test_of_each_two_processes_one_is_of_either_cost(tmp_path: Path, seed: int) -> None:
    options = {"cost_ns": "100", "other_ns": "110", "seed": str(seed), "starts": str(tmp_path / "starts")}
    costs = [cost_ns(options) for _ in range(40)]
    pairs = list(zip(costs[::2], costs[1::2], strict=True))
    assert {frozenset(pair) for pair in pairs} == {frozenset({100.0, 110.0})}
    assert len(set(pairs)) == 2, "which of the two comes first is drawn"


def test_the_seed_decides_which_comes_first(tmp_path: Path) -> None:
    def costs(seed: int, name: str) -> list[float]:
        options = {"cost_ns": "100", "other_ns": "110", "seed": str(seed), "starts": str(tmp_path / name)}
        return [cost_ns(options) for _ in range(40)]

    assert costs(1, "a") == costs(1, "b")
    assert costs(1, "c") != costs(2, "d")


def test_it_needs_the_standard_library_alone() -> None:
    tree = ast.parse(WORKER.read_text(encoding="utf-8"))
    found = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    found |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert found
    assert {name.partition(".")[0] for name in found} <= sys.stdlib_module_names
