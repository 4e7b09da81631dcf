"""Fixtures of the command line's tests."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

DATA = Path(__file__).parent / "data"


@pytest.fixture
def tally(tmp_path: Path) -> Path:
    """An experiment's folder of one's own, to be spoiled."""
    return Path(shutil.copytree(DATA / "tally", tmp_path / "tally"))
