"""An experiment with every form of a call, prepared for one contestant."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from support.expressed import SHAPES, Prepare

from ffibench.plan.options import ContestantOptions
from ffibench.workflow.prepare import prepare


@pytest.fixture(scope="session")
def prepared(private_folders: None) -> Prepare:
    """Build what a contestant needs, once in a session."""
    return cache(lambda name: prepare(str(SHAPES), ContestantOptions(contestants=(name,))))


@pytest.fixture(scope="session")
def generated(prepared: Prepare) -> dict[str, Path]:
    """The generated loop of C and of each language that is there by default."""
    sources = (source for name in ("python/ctypes", "perl/*") for source in prepared(name).folder.sources)
    return {source.language: source.path for source in sources if source.generated}
