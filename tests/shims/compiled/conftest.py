"""Shims of odd.h by the bindings whose objects are the template's own, not those of ctypes or cffi."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType

import pytest
from support.built import built
from support.shim_fixtures import COMPILED

from ffibench.builds.library import library_identity
from ffibench.builds.project import Project, build
from ffibench.builds.sources import sources_project
from ffibench.headers.reader import read_header
from ffibench.model import LibrarySources
from ffibench.worker.load import import_file

HEADER = Path(__file__).parent / "odd.h"


@pytest.fixture(scope="session")
def odd_artifacts(make_project: Callable[..., Project]) -> Mapping[str, Path]:
    """Each of these bindings' shim of all functions of odd.h."""
    library = library_identity(build(sources_project(LibrarySources(sources=("odd.c",)), HEADER.parent)))
    functions = [function.name for function in read_header(HEADER).functions]
    made = {name: make_project(name, header=HEADER, functions=functions, library=library) for name in COMPILED}
    return built(made)


@pytest.fixture(params=COMPILED)
def name(request: pytest.FixtureRequest) -> str:
    """Each of these bindings in turn."""
    return str(request.param)


@pytest.fixture
def odd(name: str, odd_modules: Mapping[str, ModuleType]) -> ModuleType:
    """The binding's shim of odd.h."""
    return odd_modules[name]


@pytest.fixture(scope="session")
def odd_modules(odd_artifacts: Mapping[str, Path]) -> Mapping[str, ModuleType]:
    """The shims of odd.h, all in one process."""
    return {name: import_file(str(path)) for name, path in odd_artifacts.items()}
