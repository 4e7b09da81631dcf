"""Plans of scripted workers, and the promise that nothing is left of them."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.contestants import starts
from support.leftovers import GONE_SECONDS_MAX, assert_as_before, footprint, is_running


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a path short enough for the sockets in it."""
    path = Path(tempfile.mkdtemp(prefix="t-", dir="/tmp"))
    yield path
    shutil.rmtree(path)


@pytest.fixture(autouse=True)
def nothing_left(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever a worker does: no process, zombie, descriptor or temporary folder stays behind."""
    home = folder / "tmp"
    home.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(home))
    affinity = os.sched_getaffinity(0)
    before = footprint()
    yield
    assert_as_before(before)
    assert os.sched_getaffinity(0) == affinity
    assert list(home.iterdir()) == []
    # A child whose worker is gone belongs to init: it ends when the kernel comes to it.
    patience = time.monotonic() + GONE_SECONDS_MAX
    for pid in starts(folder):
        while is_running(pid):
            assert time.monotonic() < patience, f"process {pid} was left behind"
            time.sleep(0.01)
