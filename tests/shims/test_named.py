"""A shim is made of the templates that its own name, too; and a binding may need a package of its own."""

from __future__ import annotations

from pathlib import Path

from ffibench.shims.named import with_named
from ffibench.shims.technology import read_technology, technologies


def written(folder: Path, **texts: str) -> list[Path]:
    folder.mkdir(parents=True)
    for name, text in texts.items():
        (folder / f"{name}.j2").write_text(text, encoding="utf-8")
    return sorted(folder.iterdir())


def test_templates_are_followed_as_they_name_each_other(tmp_path: Path) -> None:
    own = written(tmp_path / "own", one='{% extends "other/two.j2" %}', apart="nothing")
    other = written(
        tmp_path / "other",
        two="{%- import 'other/three.j2' as three with context %}{% include \"gone.j2\" %}",
        three='{% from "own/one.j2" import nothing %}',
        four="nobody names it",
    )
    found = with_named(own, [tmp_path / "own", tmp_path])
    assert found == [*own, other[2], other[1]]


def test_the_reserved_words_of_a_borrowed_template_are_reserved(tmp_path: Path) -> None:
    (technology,) = (each for each in technologies() if (each.language, each.name) == ("python", "cffi-api"))
    folder = tmp_path / "python" / "mine"
    written(folder, module='{% extends "cffi.py.j2" %}')
    (folder / "technology.toml").write_text('artifact = "x"\n[bindings.mine]\nlock = "held"\n', encoding="utf-8")
    assert read_technology(folder).reserved >= technology.reserved


def test_a_binding_may_need_a_package_of_its_own(tmp_path: Path) -> None:
    folder = tmp_path / "php" / "mine"
    folder.mkdir(parents=True)
    text = 'artifact = "x"\npackage = "FFI"\n[bindings.mine]\n[bindings."mine~jit"]\npackage = "opcache"\n'
    (folder / "technology.toml").write_text(text, encoding="utf-8")
    assert read_technology(folder).packages == {"FFI", "opcache"}
