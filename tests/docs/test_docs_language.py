"""The promise of docs/extending-language.md: its files, and nothing else, add a language."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.pages import PAGES, ROOT, blocks, write_files

PAGE = PAGES["docs/extending-language.md"]


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository's files in a folder of their own, with those of the page."""
    home = tmp_path_factory.mktemp("clone")
    for name in ("ffibench", "native", "experiments"):
        shutil.copytree(ROOT / name, home / name, ignore=shutil.ignore_patterns("__pycache__"))
    taken = [each.file for each in blocks(PAGE) if each.file is not None and (home / each.file).exists()]
    assert taken == []  # nothing that is there is edited
    assert len(write_files(PAGE, home)) >= 4
    return home


def ffibench(clone: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(clone), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "ffibench", *arguments]
    return subprocess.run(command, cwd=clone, env=environment, capture_output=True, text=True, check=False)


def test_its_command_measures_the_language(clone: Path, tmp_path: Path) -> None:
    (command,) = (each for block in blocks(PAGE) for each in block.commands)
    assert command == "ffibench run xsub -c 'toy/*'"
    file = tmp_path / "run.json"
    small = ("--rounds", "1", "--iterations", "200", "--cold", "--json", str(file))
    answer = ffibench(clone, "run", "xsub", "-c", "toy/*", *small)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    (row,) = (each for each in json.loads(file.read_text())["summary"] if each["contestant"] == "toy/plain")
    assert (row["valid"], row["audit"], row["block"]) == (True, "accepted", "runtime continues")
    assert row["cold_ns"] > 0


def test_it_is_in_doctor_and_in_no_run_that_does_not_ask_for_it(clone: Path) -> None:
    answer = ffibench(clone, "list", "xsub")
    assert "toy/plain" in answer.stdout, answer.stderr
    missing = ffibench(clone, "run", "xsub", "-c", "toy/plain", "--with", "toy=/nowhere/python3")
    assert missing.returncode != 0
    assert "--with toy: /nowhere/python3 does not run as toy" in missing.stderr
    everybody = ffibench(clone, "run", "xsub", "-c", "c", "--rounds", "1", "--with", "toy=/nowhere/python3")
    assert everybody.returncode == 0, everybody.stderr  # nobody asked for it
