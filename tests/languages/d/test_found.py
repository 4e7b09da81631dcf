"""gdc is found, or told how to install."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ffibench.languages import languages
from ffibench.languages.d import LANGUAGE
from ffibench.model.runtime import Missing, Runtime


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """A gdc that answers what it is asked; PATH is its folder."""
    monkeypatch.setenv("PATH", str(tmp_path))

    def make(answer: str) -> Path:
        script = tmp_path / "gdc"
        script.write_text(f"#!/bin/sh\n{answer}\n", encoding="ascii")
        script.chmod(0o755)
        return script

    return make


def found() -> Runtime | Missing:
    (only,) = LANGUAGE.runtimes((), ())
    return only


def test_it_is_one_of_the_languages() -> None:
    assert languages()["d"] is LANGUAGE
    assert LANGUAGE.asked


def test_its_version_is_its_own(fake: Callable[[str], Path]) -> None:
    script = fake("echo 13.2.0")
    runtime = found()
    assert isinstance(runtime, Runtime)
    assert (runtime.label, runtime.version, runtime.context) == ("gdc 13.2.0", "13.2.0", {"executable": str(script)})


def test_none_names_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert found() == Missing(reason="there is no gdc on PATH", fix="apt-get install gdc")


@pytest.mark.parametrize(
    ("answer", "reason"), [("echo 10.2.1", "gdc 10.2.1 is older than GCC 12"), ("exit 2", "does not run as gdc")]
)
def test_an_old_one_and_a_broken_one_are_missing(fake: Callable[[str], Path], answer: str, reason: str) -> None:
    fake(answer)
    missing = found()
    assert isinstance(missing, Missing)
    assert reason in missing.reason
    assert missing.fix == "apt-get install gdc"
