"""LuaJIT for tests: as the tool finds it, and that of the wheel."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.anywhere import runtime_or_skip

from ffibench.model.runtime import Runtime


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the whole of PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


@pytest.fixture(params=["program", "wheel"])
def luajit(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Runtime:
    """The program on PATH, and the LuaJIT of the wheel."""
    if request.param == "wheel":
        pytest.importorskip("lupa.luajit21", reason="lupa is not installed; pip install lupa")
        monkeypatch.setenv("PATH", os.devnull)
    runtime = runtime_or_skip("luajit")
    if request.param == "program" and "launched" in runtime.context:
        pytest.skip("there is no luajit on PATH; apt-get install luajit")
    return runtime
