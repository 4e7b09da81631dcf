"""Cache, header and library may lie in a folder whose name others would read otherwise."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.projects import FEW
from support.shim_fixtures import HEADER, MakeProject

from ffibench.builds.library import library_identity
from ffibench.builds.parallel import build_all
from ffibench.builds.project import build
from ffibench.builds.sources import sources_project
from ffibench.errors import FfibenchError
from ffibench.model import LibrarySources

pytestmark = pytest.mark.usefixtures("private_cache")


ODD = "a b'c,\"d$e#f"
"""A folder's name that a shell, a linker, Meson, ninja, C, C++ and Python each would like to read otherwise."""


USE = """
import sys
from ffibench.worker.load import import_file
for path in sys.argv[1:]:
    native = import_file(path)
    assert native.forty_two() == 42
    assert native.sum_of_void(b"*", 1) == 42
    assert native.name_of(1) == b"one"
    assert native.KINDS_SMALL == 7
"""


def test_cache_header_and_library_may_lie_in_oddly_named_folders(
    make_project: MakeProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / ODD
    folder.mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    for name in ("kinds.h", "kinds.c"):
        shutil.copy(HEADER.with_name(name), folder)
    library = library_identity(build(sources_project(LibrarySources(sources=("kinds.c",)), folder)))
    assert ODD in library.path
    bindings = ("capi", "cffi-abi", "cffi-api", "ctypes", "cython", "nanobind")
    projects = [make_project(name, functions=FEW, header=folder / "kinds.h", library=library) for name in bindings]
    outcomes = build_all(projects, observe=lambda *_: None)
    failed = [str(each) for each in outcomes.values() if isinstance(each, FfibenchError)]
    assert not failed, failed[0]
    paths = [str(outcomes[project.locate()]) for project in projects]
    assert len(paths) == len(bindings)
    used = subprocess.run([sys.executable, "-c", USE, *paths], capture_output=True, text=True, check=False)
    assert used.returncode == 0, used.stderr
