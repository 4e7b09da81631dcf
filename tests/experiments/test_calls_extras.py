"""The promise: where a package of the idioms of `calls` is missing, its row or case names the extra that brings it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import pytest

from ffibench.catalog import candidates, find_experiment
from ffibench.languages.python.environments import private_environment
from ffibench.paths import asset
from ffibench.worker.load import import_contestant


@pytest.fixture
def without_swig(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    version = metadata.version

    def lacking(name: str) -> str:
        if name == "swig":
            raise metadata.PackageNotFoundError(name)
        return version(name)

    monkeypatch.setattr(metadata, "version", lacking)
    yield
    monkeypatch.undo()


def test_where_swig_is_missing_its_row_names_the_extra(without_swig: None) -> None:
    found = {each.contestant.name: each for each in candidates(find_experiment("calls"))}
    missing = found["python/swig~idiom"].missing
    assert missing is not None
    assert missing.fix == "pip install 'ffibench[swig]'"
    assert "swig is not installed" in missing.reason
    assert found["python/capi~idiom"].missing is None


def test_where_numpy_is_missing_one_case_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    loop = import_contestant(str(asset("experiments/calls/shims/python/python.py")))
    del sys.modules[loop.__name__]  # a worker has one contestant, but another test may have another
    native = SimpleNamespace(total=sum, calls_counted=int)  # no loop is run
    work = next(loop.contestant(native, {"cases": "idiom_ndarray:1,idiom_list_in:1"}))
    assert work.cases["idiom_ndarray"] == "NumPy is not installed; pip install 'ffibench[numpy]'"
    assert not isinstance(work.cases["idiom_list_in"], str)


PIP_FOUND = "ERROR: Could not find a version that satisfies the requirement numpy==9 (from versions: {})\n"
PIP_SAID = PIP_FOUND + "ERROR: No matching distribution found for numpy==9\n"


@pytest.mark.parametrize(("versions", "times"), [("1.21.2, 1.22.0", 1), ("none", 2)])
def test_a_private_environment_gets_the_packages_that_are_here(
    versions: str, times: int, without_swig: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """One that is not made for an interpreter is tried once, one that a network kept away again."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    installed: list[str] = []

    def pretend(command: list[str], **_: object) -> subprocess.CompletedProcess[bytes]:
        if "venv" in command:
            Path(command[-1]).mkdir(exist_ok=True)
            return subprocess.CompletedProcess(command, 0, b"", b"")
        installed.extend(word for word in command if "==" in word)
        return subprocess.CompletedProcess(command, 1, b"", PIP_SAID.format(versions).encode())

    monkeypatch.setattr(subprocess, "run", pretend)
    facts = {"executable": sys.executable, "build": "a build", "implementation": "CPython", "version": "3.10.0"}
    for _ in range(2):
        private_environment(facts, ["numpy", "swig"])
    assert installed == [f"numpy=={metadata.version('numpy')}"] * times
