"""Nim is found with its version, or told how to install; one without --mm:orc is too old."""

from __future__ import annotations

from pathlib import Path

import pytest

from ffibench.languages.nim import LANGUAGE
from ffibench.model.runtime import Missing, Runtime

INSTALL = "apt-get install nim"


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the whole of PATH."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def fake_nim(folder: Path, version: str) -> Path:
    """A program that says of itself what nim says."""
    program = folder / "nim"
    program.write_text(f"#!/bin/sh\necho 'Nim Compiler Version {version} [Linux: amd64]\nCompiled at 2023-02-12'\n")
    program.chmod(0o755)
    return program


def found() -> Runtime | Missing:
    (only,) = LANGUAGE.runtimes((), ())
    return only


@pytest.mark.parametrize("version", ["1.6.10", "2.2.4", "1.10.0", "2.3.1"])
def test_its_version_and_its_program_are_known(path: Path, version: str) -> None:
    program = fake_nim(path, version)
    runtime = found()
    assert isinstance(runtime, Runtime)
    assert (runtime.label, runtime.executable) == (f"nim {version}", str(program))
    assert runtime.context == {"executable": str(program)}


def test_none_is_missing_with_the_command(path: Path) -> None:
    assert found() == Missing(reason="there is no nim on PATH", fix=INSTALL)


@pytest.mark.parametrize("version", ["1.4.8", "0.20.2"])
def test_one_without_the_memory_management_of_a_call_is_too_old(path: Path, version: str) -> None:
    fake_nim(path, version)
    reason = f"nim {version} is too old: it has no --mm:orc, which came with nim 1.6"
    assert found() == Missing(reason=reason, fix=INSTALL)
