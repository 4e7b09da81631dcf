"""A small C library that calls back, and the shims of it by every binding of Python."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType

import pytest
from support.built import built
from support.calling import ALONE, CLOSURES, DATA, FUNCTIONS, HEADER

from ffibench.model import LibrarySources
from ffibench.shims.library import library_identity, sources_project
from ffibench.shims.project import Project, build
from ffibench.worker.load import import_file


@pytest.fixture(scope="session")
def calling_artifacts(make_project: Callable[..., Project]) -> Mapping[str, Path]:
    """Every binding's shim of callbacks.h, with the functions without user data where the binding takes it."""
    library = library_identity(build(sources_project(LibrarySources(sources=("callbacks.c",)), DATA)))
    projects = {
        name: make_project(
            name,
            header=HEADER,
            source=DATA / "callbacks.c",
            functions=(*FUNCTIONS, *(ALONE if closes else ())),
            library=library,
        )
        for name, closes in CLOSURES.items()
    }
    return built(projects)


@pytest.fixture(scope="session")
def calling_modules(calling_artifacts: Mapping[str, Path]) -> Mapping[str, ModuleType]:
    return {name: import_file(str(path)) for name, path in calling_artifacts.items()}


@pytest.fixture(scope="session")
def native(name: str, calling_modules: Mapping[str, ModuleType]) -> ModuleType:
    """The binding's shim, with the functions of callbacks.h."""
    return calling_modules[name]


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
