"""What the tests of callbacks clear up behind them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType

import pytest


@pytest.fixture
def unraisable(monkeypatch: pytest.MonkeyPatch) -> list[type[BaseException]]:
    """The types of the exceptions that nobody could take."""
    seen: list[type[BaseException]] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda about: seen.append(about.exc_type))
    return seen


@pytest.fixture
def forgetting(native: ModuleType) -> Iterator[None]:
    """Leave nothing remembered in C that a later test would call."""
    yield
    native.remember(None, 0)
