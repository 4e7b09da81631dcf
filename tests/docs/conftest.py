"""A run that the commands of the documentation can show again, and the files that they expect to find."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.command import Cli
from support.pages import PAGES, write_files


@pytest.fixture(scope="session")
def run_file(cli: Cli, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of one small run, which is also the last that was kept. Its binding needs no compiler but C's."""
    file = tmp_path_factory.mktemp("documented") / "run.json"
    answer = cli("run", "xsub", "-c", "python/ctypes", "--rounds", "1", "--iterations", "1k", "--json", str(file))
    assert answer.returncode == 0, answer.stderr
    return file


@pytest.fixture
def workplace(run_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a reader stands: a folder with a run file and what the pages in `docs/` tell them to write."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(run_file, tmp_path)
    for name, text in PAGES.items():
        if name.startswith("docs/"):
            write_files(text, tmp_path)
    return tmp_path
