"""Every test session builds into a cache of its own, so that nothing is found that it did not build.

The workers of pytest-xdist share it, so that each shim is built once; runs are kept by each of them apart.
FFIBENCH_TESTS_CACHE names a folder to be shared by several sessions, as nox does.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.command import Cli, start_cli

TESTS = Path(__file__).parent

pytest_plugins = ["support.shim_fixtures"]
pytest.register_assert_rewrite("support.contract")


LONG = ("languages", "loops", "experiments", "cli", "docs", "shims", "faults", "builds", "native", "audit", "harness")
"""Folders whose tests build or start much: with them first, no worker is left with a long file at the end."""


def pytest_xdist_auto_num_workers() -> int:
    """One worker more than processors, since many a test waits for a process that waits."""
    return len(os.sched_getaffinity(0)) + 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start with the long files; the worker that is free takes the next file."""
    folders = [*LONG, *sorted({item.path.relative_to(TESTS).parts[0] for item in items} - {*LONG})]
    items.sort(key=lambda item: folders.index(item.path.relative_to(TESTS).parts[0]))


@pytest.fixture(scope="session", autouse=True)
def private_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep shims and runs out of the user's folders; commands started by tests inherit it."""
    own = tmp_path_factory.getbasetemp()
    session = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    cache = Path(os.environ.get("FFIBENCH_TESTS_CACHE", session / "cache"))
    assert cache.is_absolute(), "FFIBENCH_TESTS_CACHE is relative: XDG has such a folder ignored, for the user's own"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(cache))
        patch.setenv("XDG_DATA_HOME", str(own / "data"))
        for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
            patch.delenv(name, raising=False)
        yield


@pytest.fixture(scope="session", autouse=True)
def interruptible() -> Iterator[None]:
    """Started in the background or by nohup, the session ignores a signal each, and so would all that it starts."""
    interrupt = signal.signal(signal.SIGINT, signal.default_int_handler)
    hang_up = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGINT, interrupt)
    signal.signal(signal.SIGHUP, hang_up)


@pytest.fixture(scope="session")
def cli(private_folders: None) -> Cli:
    """Run `ffibench ARGUMENTS` to its end."""

    def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        process = start_cli(arguments, environment)
        out, err = process.communicate(timeout=300)
        return subprocess.CompletedProcess(arguments, process.returncode, out, err)

    return run


@pytest.fixture
def tally(tmp_path: Path) -> Path:
    """An experiment's folder of one's own, to be spoiled."""
    return Path(shutil.copytree(TESTS / "cli/data/tally", tmp_path / "tally"))
