"""The library of `support.expressed`, built."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.expressed import SHAPES

from ffibench.builds.project import build
from ffibench.builds.sources import sources_project
from ffibench.model import LibrarySources


@pytest.fixture(scope="package")
def library(private_folders: None) -> Path:
    return build(sources_project(LibrarySources(sources=("shapes.c",)), SHAPES))
