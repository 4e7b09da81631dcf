"""`--python`: another interpreter's workers, in an environment of their own, on the same library by its hash."""

from __future__ import annotations

import json
import venv
from pathlib import Path

import pytest
from support.command import Cli

SMALL = ("--rounds", "1", "--iterations", "1k")
CHOSEN = ("-c", "*/capi", "-c", "*/cffi-api", "-c", "*/pyzmq", *SMALL)
PACKAGED = ("-c", "*/cffi-abi", "-c", "*/pyzmq", *SMALL)


@pytest.fixture(scope="module")
def another(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Make an interpreter without packages that is not the tool's own."""
    folder = tmp_path_factory.mktemp("another")
    venv.create(folder, with_pip=False)
    return str(folder / "bin" / "python")


def test_another_interpreter_runs_on_the_same_library(cli: Cli, another: str, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    answer = cli("run", "xsub", "--python", another, *CHOSEN, "--json", str(file))
    assert answer.returncode == 0, answer.stdout + answer.stderr
    run = json.loads(file.read_text(encoding="utf-8"))
    libraries = {record["key"].partition(" ")[0]: record["libraries"][0] for record in run["rounds"][0]["records"]}
    assert {library["sha256"] for library in libraries.values()} == {run["plan"]["library"]["sha256"]}
    # pyzmq loads the copy in its own environment; the shims were linked to the tool's.
    assert "environments" in libraries["python/pyzmq"]["path"]
    assert libraries["python/capi"]["path"] == run["plan"]["library"]["path"]


def test_without_network_the_rows_that_need_packages_say_so(cli: Cli, another: str, tmp_path: Path) -> None:
    offline = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "", "XDG_CACHE_HOME": str(tmp_path)}
    answer = cli("run", "xsub", "--python", another, *PACKAGED, **offline)
    assert answer.returncode == 1
    said = " ".join(answer.stdout.split())
    assert "cffi could not be installed for CPython" in said
    assert "pyzmq could not be installed for CPython" in said
    asked = cli("run", "xsub", "--python", another, "-c", "python/pyzmq", **offline)
    assert asked.returncode == 1
    assert "python/pyzmq cannot run here" in asked.stderr
