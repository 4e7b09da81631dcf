"""Every test session builds into a cache of its own, so that nothing is found that it did not build."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator

import pytest
from support.command import Cli, start_cli


@pytest.fixture(scope="session", autouse=True)
def private_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep shims and runs out of the user's folders; commands started by tests inherit it."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(home / "cache"))
        patch.setenv("XDG_DATA_HOME", str(home / "data"))
        for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
            patch.delenv(name, raising=False)
        yield


@pytest.fixture(scope="session", autouse=True)
def interruptible() -> Iterator[None]:
    """Where the session was started in the background, interrupts are ignored, and would be by what it starts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def cli(private_folders: None) -> Cli:
    """Run `ffibench ARGUMENTS` to its end."""

    def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        process = start_cli(arguments, environment)
        out, err = process.communicate(timeout=300)
        return subprocess.CompletedProcess(arguments, process.returncode, out, err)

    return run
