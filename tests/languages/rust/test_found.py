"""rustc is found with its own version, or told how to install; so is cargo, where a binding is of a crate."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from ffibench.catalog import candidates, find_experiment
from ffibench.catalog.selection import select
from ffibench.errors import FfibenchError
from ffibench.languages import languages, programs
from ffibench.languages.rust import INSTALL, LANGUAGE
from ffibench.model.runtime import Missing, Runtime

VERBOSE = """\
rustc {version} (59807616e 2026-04-14)
binary: rustc
host: x86_64-unknown-linux-gnu
release: {version}
LLVM version: 20.1.5
"""


def found() -> Runtime | Missing:
    (only,) = LANGUAGE.runtimes((), ())
    return only


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that is first on PATH; what was found of other compilers is forgotten."""
    monkeypatch.setenv("PATH", str(tmp_path))
    programs._runtime.cache_clear()
    yield tmp_path
    programs._runtime.cache_clear()


def fake(folder: Path, version: str = "1.80.0", *, then: str = "") -> Path:
    script = folder / "rustc"
    said = VERBOSE.format(version=version).replace("\n", "\\n")
    script.write_text(f"#!/bin/sh\n{then}\nprintf '{said}'\n", encoding="ascii")
    script.chmod(0o755)
    return script


def test_rust_is_one_of_the_languages_and_takes_part_where_asked_for() -> None:
    assert languages()["rust"] is LANGUAGE
    assert LANGUAGE.asked
    names = {each.contestant.language for each in candidates(find_experiment("xsub"))}
    assert "rust" not in names


@pytest.mark.parametrize("version", ["1.63.0", "1.80.0", "1.99.0-nightly", "2.0.0-beta.3"])
def test_its_version_is_its_own(path: Path, version: str) -> None:
    script = fake(path, version)
    runtime = found()
    assert isinstance(runtime, Runtime)
    assert (runtime.label, runtime.version) == (f"rustc {version}", version)
    assert runtime.context["executable"] == str(script)
    assert LANGUAGE.build_needs(runtime) is None


def test_one_that_is_too_old_says_so(path: Path) -> None:
    fake(path, "1.48.0")
    runtime = found()
    assert isinstance(runtime, Runtime)
    assert LANGUAGE.build_needs(runtime) == Missing(
        reason="its loops need Rust 1.63 or later, and this is rustc 1.48.0", fix=INSTALL
    )


def test_none_names_the_package(path: Path) -> None:
    assert found() == Missing(reason="there is no rustc on PATH", fix=INSTALL)


def test_a_rustup_without_a_toolchain_is_missing(path: Path) -> None:
    fake(path, then="echo 'error: rustup could not choose a version of rustc to run' >&2; exit 1")
    missing = found()
    assert isinstance(missing, Missing)
    assert missing.reason.endswith("does not run as rustc: error: rustup could not choose a version of rustc to run")


def test_a_crate_needs_cargo_and_plain_declarations_do_not(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake(path)
    for tool in ("cc", "sh"):
        (path / tool).symlink_to(
            next(Path(each) / tool for each in os.defpath.split(":") if (Path(each) / tool).exists())
        )
    contestants = candidates(find_experiment("xsub"), patterns=["rust/*"])
    by_name = {each.contestant.name: each.missing for each in contestants}
    assert by_name["rust/extern"] is None
    for name in ("rust/libloading", "rust/zmq"):
        assert by_name[name] == Missing(
            reason="there is no cargo on PATH, which the build of its binding runs", fix="apt-get install cargo"
        )
    with pytest.raises(FfibenchError, match="rust/libloading cannot run here: there is no cargo on PATH"):
        select(contestants, ["rust/libloading"])
