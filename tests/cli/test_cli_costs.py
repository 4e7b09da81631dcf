"""`ffibench run --costs`: what each binding costs once, measured in the rounds of the run, of every experiment."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli

SMALL = ("--iterations", "200", "--rounds", "2", "--slices", "1", "--costs")
TITLE = "what a binding costs besides its calls"


@pytest.fixture(scope="module")
def run_file(cli: Cli, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with its audit, of which a part is a delivery to a real peer: the first call must not arrive there."""
    file = tmp_path_factory.mktemp("costs") / "run.json"
    chosen = ("-c", "python/capi", "-c", "python/ctypes", "-c", "python/pyzmq", "-c", "perl/*")
    answer = cli("run", "xsub", *chosen, *SMALL, "--json", str(file))
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert f"xsub: {TITLE}" in answer.stdout
    return file


def rows(file: Path) -> dict[str, Any]:
    document = json.loads(file.read_text(encoding="utf-8"))
    return {row["contestant"]: row for row in document["costs"]}


def test_every_contestant_has_a_row_and_c_an_empty_one(run_file: Path) -> None:
    found = rows(run_file)
    assert set(found) >= {"c", "python/capi", "python/ctypes", "python/pyzmq"}
    assert "control" not in found
    assert found["c"]["import_ns"] is found["c"]["parts"] is None
    for name in set(found) - {"c"}:
        assert found[name]["first_call_ns"]["median"] > found[name]["import_ns"]["median"] > 0, name


def test_a_binding_that_is_built_has_all_of_it(run_file: Path) -> None:
    capi = rows(run_file)["python/capi"]["parts"]
    assert capi["built"]
    assert capi["compile_seconds"] > 0
    assert set(capi["sources"]) == {"zmq_capi.c"}
    assert 0 < capi["stripped_bytes"] < capi["modules"]["zmq_capi.so"]
    assert "compile_seconds" not in rows(run_file)["python/ctypes"]["parts"]
    assert rows(run_file)["python/pyzmq"]["parts"] is None


def test_the_table_is_shown_again_and_in_markdown(cli: Cli, run_file: Path) -> None:
    answer = cli("show", str(run_file), "--export-markdown", "-")
    assert answer.returncode == 0, answer.stderr
    assert f"### xsub: {TITLE}" in answer.stdout
    assert "| `python/capi` |" in answer.stdout.partition(TITLE)[2]
    assert TITLE in cli("show", str(run_file)).stdout


def test_a_run_that_was_not_asked_has_none(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    answer = cli("run", "xsub", "-c", "python/ctypes", *SMALL[:-1], "--no-audit", "--json", str(file))
    assert answer.returncode == 0, answer.stderr
    assert TITLE not in answer.stdout
    document = json.loads(file.read_text(encoding="utf-8"))
    assert document["costs"] == document["bindings"] == []
    assert all("costs" not in record for each in document["rounds"] for record in each["records"])


def test_a_header_of_ones_own_has_costs(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    calls = ("--call", "labs(-1000)", "--library", "libc.so.6")
    answer = cli("run", "stdlib.h", *calls, "-c", "python/ctypes", *SMALL, "--json", str(file))
    assert answer.returncode == 0, answer.stdout + answer.stderr
    ctypes = rows(file)["python/ctypes"]
    assert ctypes["first_call_ns"]["median"] > ctypes["import_ns"]["median"]


def test_roles_that_wait_for_each_other_have_imports_and_no_first_call(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    chosen = ("--vary", "subscriber", "-c", "python/ctypes", "--set", "matches=10")
    answer = cli("run", "weather", *chosen, "--rounds", "1", "--no-audit", "--costs", "--json", str(file))
    assert answer.returncode == 0, answer.stdout + answer.stderr
    ctypes = rows(file)["python/ctypes"]
    assert ctypes["import_ns"]["median"] > 0
    assert ctypes["first_call_ns"] is None
