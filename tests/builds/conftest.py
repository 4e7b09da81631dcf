"""A cache that nothing else is built in."""

from __future__ import annotations

from pathlib import Path

import pytest

from ffibench.paths import cache_folder


@pytest.fixture
def private_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give each test a cache that nothing else is built in."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return cache_folder("shims")
