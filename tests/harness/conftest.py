"""Plans of scripted workers, and the promise that nothing is left of them."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support.contestants import scripted_plan, starts
from support.executed import Recorder
from support.leftovers import GONE_SECONDS_MAX, assert_as_before, footprint, is_running
from support.measured import Measure

from ffibench.harness import process
from ffibench.harness.team import run_worker
from ffibench.model import WorkerRecord


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


@pytest.fixture
def measure(folder: Path) -> Measure:
    """Run the one worker of a plan; keyword arguments are its script's."""

    def run(changes: dict[str, Any] | None = None, **script: object) -> WorkerRecord:
        plan = scripted_plan(folder, {"c": script}, **(changes or {}))
        record = run_worker(plan.workers[0], plan, endpoint=None, cpu=None)
        # Whatever it said must go into the run file.
        assert msgspec.json.decode(msgspec.json.encode(record), type=WorkerRecord) == record
        return record

    return run


@pytest.fixture(params=["told", "polled"])
def each_way_to_learn_of_an_end(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a descriptor for the end of a process, and as on kernels that give none."""
    if request.param == "polled":
        monkeypatch.setattr(process, "exit_fd", lambda pid: None)


@pytest.fixture
def recorder(folder: Path) -> Recorder:
    return Recorder(folder)
