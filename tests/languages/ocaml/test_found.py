"""OCaml is found with its folder, and what a stub or a lock needs is told where it is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from ffibench.languages.ocaml import LANGUAGE
from ffibench.model.runtime import Missing, Runtime

INSTALL = "apt-get install ocaml"


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the whole of PATH."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def fake_ocamlopt(folder: Path, version: str) -> Path:
    """A program that says of itself what ocamlopt says."""
    program = folder / "ocamlopt"
    says = f"case $1 in -version) echo {version};; -where) echo {folder}/lib;; esac"
    program.write_text(f"#!/bin/sh\n{says}\n")
    program.chmod(0o755)
    return program


def found() -> Runtime | Missing:
    (only,) = LANGUAGE.runtimes((), ())
    return only


def test_its_folder_is_known(path: Path) -> None:
    program = fake_ocamlopt(path, "4.14.2")
    runtime = found()
    assert isinstance(runtime, Runtime)
    assert runtime.context == {"executable": str(program), "home": f"{path}/lib"}


def test_stubs_need_its_headers_and_a_lock_its_threads(path: Path) -> None:
    fake_ocamlopt(path, "4.14.2")
    runtime = found()
    assert isinstance(runtime, Runtime)
    for name in ("caml/mlvalues.h", "threads/threads.cmxa"):
        missing = LANGUAGE.build_needs(runtime)
        assert missing == Missing(reason=f"ocaml 4.14.2 has no {path}/lib/{name}", fix=INSTALL)
        (path / "lib" / name).parent.mkdir(parents=True)
        (path / "lib" / name).touch()
    assert LANGUAGE.build_needs(runtime) is None
