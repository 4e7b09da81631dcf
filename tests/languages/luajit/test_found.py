"""LuaJIT is found on PATH, else in the wheel lupa, or told why it does not run; its compiler can be off."""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from ffibench.languages.luajit import INSTALL, LANGUAGE
from ffibench.model.runtime import Missing, Runtime
from ffibench.shims.technology import technologies


def found() -> Runtime | Missing:
    (only,) = LANGUAGE.runtimes((), ())
    return only


def program(folder: Path, text: str) -> Path:
    script = folder / "luajit"
    script.write_text(f"#!/bin/sh\n{text}\n", encoding="ascii")
    script.chmod(0o755)
    return script


@pytest.fixture
def without_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    def version(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", version)


@pytest.mark.usefixtures("without_wheel")
def test_one_that_was_built_without_ffi_does_not_run(path: Path) -> None:
    program(path, "echo \"module 'ffi' not found\" >&2; exit 1")
    missing = found()
    assert isinstance(missing, Missing)
    assert missing.reason == f"{path}/luajit does not run as LuaJIT: module 'ffi' not found"
    assert missing.fix == INSTALL


@pytest.mark.usefixtures("path")
def test_a_wheel_that_does_not_run_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(metadata, "version", lambda name: "2.8" if name == "lupa" else "0")
    monkeypatch.setattr(sys, "executable", str(program(tmp_path, "echo no module named lupa.luajit21 >&2; exit 1")))
    missing = found()
    assert isinstance(missing, Missing)
    assert missing.reason.endswith("that of lupa 2.8 does not run: no module named lupa.luajit21")


@pytest.mark.parametrize("compiles", ["on", "off"])
def test_the_compiler_is_off_where_the_binding_says_so(luajit: Runtime, tmp_path: Path, compiles: str) -> None:
    (technology,) = (each for each in technologies() if each.language == "luajit")
    binding = technology.bindings["ffi" if compiles == "on" else "ffi~joff"]
    source = tmp_path / "luajit.lua"
    source.write_text("io.write(jit.status() and 'on' or 'off', ' ', require('ffibench').option('message'))")
    command = [*LANGUAGE.command(luajit, source, None, binding.options), "message=ä=€ \udcff"]
    answer = subprocess.run(command, capture_output=True, check=False)
    assert (answer.stdout, answer.stderr) == (compiles.encode() + " ä=€ ".encode() + b"\xff", b"")
