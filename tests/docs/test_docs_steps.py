"""The steps of CONTRIBUTING.md are followed: an export and an experiment are added to a copy of the source."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.pages import ROOT, blocks, section, write_files

PAGE = "CONTRIBUTING.md"


@pytest.fixture
def clone(run_file: Path, tmp_path: Path) -> Path:
    """What a reader works in: the source, and a run file."""
    for name in ("ffibench", "native", "experiments"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(run_file, tmp_path)
    return tmp_path


def follow(heading: str, clone: Path) -> list[str]:
    """Write the files of a section, none of which may be there, then type its commands; return what each printed."""
    text = section(PAGE, heading)
    assert not [block.file for block in blocks(text) if block.file and (clone / block.file).exists()]
    assert write_files(text, clone)
    return [typed(command, clone) for block in blocks(text) for command in block.commands]


def typed(command: str, clone: Path) -> str:
    """What a command prints on standard output, by the source in the copy and not the one that is installed."""
    program, *words = shlex.split(command)
    assert program == "ffibench"
    answer = subprocess.run(
        [sys.executable, "-m", "ffibench", *words], cwd=clone, capture_output=True, text=True, check=False, timeout=300
    )
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


def test_an_export_is_added(clone: Path) -> None:
    (printed,) = follow("Add an export", clone)
    head, *rows = [line.split("\t") for line in printed.splitlines()]
    assert head == ["contestant", "case", "ns_per_operation", "ratio"]
    assert [row[0] for row in rows] == ["c", "control", "python/ctypes"]
    assert float(rows[0][3]) == 1


def test_an_experiment_is_added(clone: Path) -> None:
    listed, report = follow("Add an experiment", clone)
    assert listed.startswith("absolute: the absolute value of a number\n")
    assert {"c", "control", "python/ctypes"} <= {line.split()[0] for line in report.splitlines() if line.strip()}
    # Counted from outside: c, control and python/ctypes.
    (verified,) = [line for line in report.splitlines() if line.startswith("verified")]
    assert verified.endswith(" slices and 3 audits match, 3 of them again among the rounds")


def test_the_steps_name_the_files_that_they_write() -> None:
    for heading in ("Add an export", "Add an experiment"):
        text = section(PAGE, heading)
        for block in blocks(text):
            if block.file:
                assert f"`{block.file}`" in text, block.file
