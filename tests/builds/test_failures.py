"""What does not build says why in its first line, and leaves nothing."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import NoReturn

import pytest
from support.projects import FEW, meson_project, technology_in, text_project
from support.shim_fixtures import MakeProject

from ffibench.builds.parallel import build_all
from ffibench.builds.project import BuildError, build
from ffibench.errors import FfibenchError

pytestmark = pytest.mark.usefixtures("private_cache")


def test_what_does_not_compile_gives_the_compilers_first_error_and_leaves_nothing(
    make_project: MakeProject, tmp_path: Path, private_cache: Path
) -> None:
    technology = technology_in(tmp_path, "capi")
    template = technology.folder / "module.c.j2"
    template.write_text(template.read_text() + "int broken(void) { return no_such_name; }\n")
    project = make_project("capi", technology=technology, functions=FEW)
    with pytest.raises(BuildError) as caught:
        build(project)
    first = caught.value.message.splitlines()[0]
    assert "kinds_capi.c:" in first
    assert "error:" in first
    assert "no_such_name" in first
    assert caught.value.reason == f"the build of python/capi failed: {first}"
    assert str(caught.value).startswith(f"{caught.value.reason}; `ffibench build` tries again when that is fixed\n")
    assert project.verify() is None
    assert list(private_cache.iterdir()) == []


MAKES = "project('p')\ncustom_target('t', output: 'outcome', build_by_default: true, command: "


@pytest.mark.parametrize(
    ("meson_build", "first"),
    [
        ("project('p', 'c')\nexecutable('outcome', 'a.c')", "undefined reference"),
        ("project('p'", "ERROR: "),
        (f"{MAKES}['python3', '-c', 'import no_such_module'])", "ModuleNotFoundError: "),
        (f"{MAKES}['sh', '-c', 'echo a hint; echo a.nim 1 Error: no name; false'])", "a.nim 1 Error: no name"),
        (f"{MAKES}['false'])", ""),
        (f"{MAKES}['sh', '-c', 'echo \"error[E0425]: no such name\"; exit 1'])", "error[E0425]: no such name"),
        ("project('p')", "it made no outcome"),
    ],
    ids=["linker", "meson", "generator", "compiler", "silent", "rustc", "nothing made"],
)
def test_other_failures_begin_with_what_says_why(meson_build: str, first: str, private_cache: Path) -> None:
    source = "int f(void); int main(void) { return f(); }"
    with pytest.raises(BuildError) as caught:
        build(meson_project("python/broken", meson_build=meson_build, a_c=source))
    assert first in caught.value.message.splitlines()[0]
    assert list(private_cache.iterdir()) == []


def test_a_sentence_of_the_build_itself_is_the_reason(private_cache: Path) -> None:
    with pytest.raises(BuildError) as caught:
        build(meson_project("rust/foo", meson_build="project('p')\nerror('could not fetch foo: no network')"))
    assert caught.value.reason == "the build of rust/foo failed: could not fetch foo: no network"


def test_one_failure_does_not_stop_the_other_builds() -> None:
    bad, good = meson_project("bad", meson_build="project("), text_project()
    outcomes = build_all([bad, good], observe=lambda *_: None)
    assert isinstance(outcomes[bad.locate()], BuildError)
    assert isinstance(outcomes[good.locate()], Path)


def test_a_full_disk_is_told(monkeypatch: pytest.MonkeyPatch, private_cache: Path) -> None:
    def full(*_: object, **__: object) -> NoReturn:
        raise OSError(28, "No space left on device")

    for target, name in ((Path, "write_text"), (tempfile, "mkdtemp")):
        monkeypatch.setattr(target, name, full)
        with pytest.raises(FfibenchError, match="No space left on device; XDG_CACHE_HOME chooses another place"):
            build(text_project())
        assert list(private_cache.iterdir()) == []
