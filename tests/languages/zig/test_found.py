"""Zig is found on PATH or in its wheel, and one that its kit was not written for says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from ffibench.languages import programs, zig
from ffibench.languages.zig import LANGUAGE
from ffibench.model.runtime import Missing, Runtime

INSTALL = "pip install 'ffibench[zig]'"


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the whole of PATH; there is no wheel."""
    monkeypatch.setenv("PATH", str(tmp_path))
    wheel(monkeypatch, None)
    return tmp_path


def wheel(monkeypatch: pytest.MonkeyPatch, program: Path | None) -> None:
    for module in (programs, zig):
        monkeypatch.setattr(module, "wheel_path", lambda *_: program)


def fake_zig(folder: Path, version: str) -> Path:
    """A program that says of itself what zig says."""
    folder.mkdir(exist_ok=True)
    program = folder / "zig"
    program.write_text(f"#!/bin/sh\n[ \"$1\" = version ] && echo '{version}'\n")
    program.chmod(0o755)
    return program


def found() -> Runtime | Missing:
    (only,) = LANGUAGE.runtimes((), ())
    return only


@pytest.mark.parametrize("version", ["0.15.2", "0.16.0", "0.17.1", "0.17.0-dev.12+abc1234"])
def test_its_version_and_its_program_are_known(path: Path, version: str) -> None:
    program = fake_zig(path, version)
    runtime = found()
    assert isinstance(runtime, Runtime)
    assert (runtime.label, runtime.executable) == (f"zig {version}", str(program))
    assert runtime.context == {"executable": str(program)}


def test_none_is_missing_with_the_command(path: Path) -> None:
    assert found() == Missing(reason="there is no zig on PATH", fix=INSTALL)


@pytest.mark.parametrize(("version", "what"), [("0.14.1", "old"), ("0.18.0", "new"), ("1.0.0", "new")])
def test_one_that_its_kit_is_not_written_for_is_told(path: Path, version: str, what: str) -> None:
    fake_zig(path, version)
    reason = f"zig {version} is too {what}: its kit is written for Zig 0.15 to 0.17"
    assert found() == Missing(reason=reason, fix=INSTALL)


@pytest.mark.parametrize(("on_path", "taken"), [("", "wheel"), ("0.14.1", "wheel"), ("0.17.1", "path")])
def test_the_wheel_is_taken_where_path_has_none_that_fits(
    path: Path, monkeypatch: pytest.MonkeyPatch, on_path: str, taken: str
) -> None:
    inside = fake_zig(path / "wheel", "0.16.0")
    wheel(monkeypatch, inside)
    if on_path:
        fake_zig(path, on_path)
    runtime = found()
    assert isinstance(runtime, Runtime)
    assert runtime.executable == str({"wheel": inside, "path": path / "zig"}[taken])
