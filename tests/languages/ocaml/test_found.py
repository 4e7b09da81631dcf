"""OCaml is found with its version and its folder, and what a stub or a lock needs is told where it is missing."""

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


@pytest.mark.parametrize("version", ["4.13.1", "4.14.2", "5.3.0", "5.2.0+flambda"])
def test_its_version_and_its_folder_are_known(path: Path, version: str) -> None:
    program = fake_ocamlopt(path, version)
    runtime = found()
    assert isinstance(runtime, Runtime)
    assert (runtime.label, runtime.executable) == (f"ocaml {version}", str(program))
    assert runtime.context == {"executable": str(program), "home": f"{path}/lib"}


def test_none_is_missing_with_the_command(path: Path) -> None:
    assert found() == Missing(reason="there is no ocamlopt on PATH", fix=INSTALL)


def test_an_old_one_says_for_which_the_kit_is_written(path: Path) -> None:
    fake_ocamlopt(path, "4.08.1")
    assert found() == Missing(reason="ocaml 4.08.1 is too old: its kit is written for OCaml 4.13", fix=INSTALL)


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
