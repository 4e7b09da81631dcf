"""Where an extra of ffibench is not installed, what needs it says so, and nothing else is kept from being done."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command import Cli, assert_told

LACKING = """
from importlib import metadata

found = metadata.Distribution.from_name

def lacking(name):
    if name in {"zcbor", "cbor2"}:
        raise metadata.PackageNotFoundError(name)
    return found(name)

metadata.Distribution.from_name = staticmethod(lacking)
"""
TOLD = "the Python package zcbor is not installed, of whose sources the library under test is made; "
FIX = "pip install 'ffibench[codec]'"


@pytest.fixture
def lacking(tmp_path: Path) -> str:
    """What the environment has as PYTHONPATH to lack the packages of codec."""
    (tmp_path / "sitecustomize.py").write_text(LACKING, encoding="utf-8")
    return str(tmp_path)


def test_a_run_says_what_installs_it(cli: Cli, lacking: str) -> None:
    assert_told(cli("run", "codec", PYTHONPATH=lacking), TOLD + FIX)


def test_doctor_notes_it_and_misses_nothing(cli: Cli, lacking: str) -> None:
    answer = cli("doctor", PYTHONPATH=lacking)
    assert answer.returncode == 0
    (line,) = (each for each in answer.stdout.splitlines() if " codec library " in each)
    assert line.split()[0] == "note"
    assert FIX in answer.stdout
    assert answer.stdout.splitlines()[-1].startswith("A run would be whole.")


def test_a_build_of_all_goes_on(cli: Cli, lacking: str) -> None:
    answer = cli("build", "-c", "c", PYTHONPATH=lacking)
    assert answer.returncode == 0
    assert answer.stderr == f"codec is left out: {TOLD}{FIX}\n"
    assert [line.split()[0] for line in answer.stdout.splitlines()] == ["c", "control"] * 4


def test_one_that_was_named_is_missed(cli: Cli, lacking: str) -> None:
    assert_told(cli("build", "codec", PYTHONPATH=lacking), TOLD + FIX)
