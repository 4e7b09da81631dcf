"""Templates are compiled once; where nothing can be kept they are rendered all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from ffibench.builds import templates
from ffibench.builds.templates import render_text
from ffibench.paths import cache_path


@pytest.fixture
def template(private_folders: None, tmp_path: Path) -> Path:
    path = tmp_path / "hello.j2"
    path.write_text("hello {{ name }}")
    return path


def test_it_is_kept_compiled_and_a_change_is_seen(template: Path) -> None:
    assert render_text(template, {"name": "you"}) == "hello you"
    (folder,) = cache_path("").glob("templates-*")
    assert list(folder.iterdir())
    template.write_text("good bye {{ name }}")
    assert render_text(template, {"name": "you"}) == "good bye you"


def test_what_cannot_be_kept_is_rendered(template: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jinja2.FileSystemBytecodeCache.dump_bytecode", lambda *_: (_ for _ in ()).throw(OSError()))
    assert render_text(template, {"name": "you"}) == "hello you"


def test_without_a_cache_it_is_rendered(template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    templates._compiled.cache_clear()
    assert render_text(template, {"name": "you"}) == "hello you"
    templates._compiled.cache_clear()
