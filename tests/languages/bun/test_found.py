"""Bun is found on PATH, or told how to install."""

from __future__ import annotations

from pathlib import Path

import pytest

from ffibench.languages import languages
from ffibench.languages.bun import LANGUAGE
from ffibench.languages.programs import _runtime
from ffibench.model.runtime import Missing, Runtime

INSTALL = "npm install -g bun"


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the whole of PATH."""
    monkeypatch.setenv("PATH", str(tmp_path))
    _runtime.cache_clear()
    return tmp_path


def found() -> Runtime | Missing:
    (only,) = LANGUAGE.runtimes((), ())
    return only


def fake_bun(home: Path, then: str) -> Path:
    script = home / "bun"
    script.write_text(f"#!/bin/sh\n{then}\n", encoding="ascii")
    script.chmod(0o755)
    return script


def test_bun_is_one_of_the_languages_that_are_asked_for() -> None:
    assert languages()["bun"] is LANGUAGE
    assert (LANGUAGE.optional, LANGUAGE.asked, LANGUAGE.lock) == (True, True, None)


def test_its_program_is_the_one_that_npm_s_link_leads_to(path: Path) -> None:
    program = path / "bun.exe"
    program.touch()
    fake_bun(path, f'echo "bun 1.4.5 {program}"')
    runtime = found()
    assert isinstance(runtime, Runtime)
    assert (runtime.label, runtime.version, runtime.executable) == ("bun 1.4.5", "1.4.5", str(program))


def test_no_bun_names_the_package_of_npm(path: Path) -> None:
    assert found() == Missing(reason="there is no bun on PATH", fix=INSTALL)


def test_what_npm_installed_without_its_program_says_so(path: Path) -> None:
    script = fake_bun(path, "echo 'Error: the postinstall script was not run' >&2; exit 1")
    missing = Missing(reason=f"{script} does not run as bun: Error: the postinstall script was not run", fix=INSTALL)
    assert found() == missing
