"""A project is built once for its key, whole or not at all, whatever else happens meanwhile."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NoReturn

import pytest
from msgspec.structs import replace

from ffibench.builds import project as projects
from ffibench.builds.command import Abandoned
from ffibench.builds.library import library_identity, sources_project
from ffibench.builds.parallel import build_all
from ffibench.builds.project import BuildError, Project, build
from ffibench.builds.staging import sole_builder
from ffibench.builds.toolchain import compiler
from ffibench.errors import FfibenchError
from ffibench.model import LibraryIdentity, LibrarySources
from ffibench.model.runtime import Runtime
from ffibench.paths import cache_folder
from ffibench.shims.technology import Technology, technologies

MakeProject = Callable[..., Project]
HEADER = Path(__file__).parents[1] / "shims" / "data" / "kinds.h"
FEW = ("forty_two", "sum_of_void", "copy_greeting", "name_of")
ODD = "a b'c,\"d$e#f"
"""A folder's name that a shell, a linker, Meson, ninja, C, C++ and Python each would like to read otherwise."""


@pytest.fixture(autouse=True)
def private_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give each test a cache that nothing else is built in."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return cache_folder("shims")


def text_project(text: str = "", render: Callable[[], None] = lambda: None) -> Project:
    """A project that is only rendered; `render` is called when it is."""

    def files() -> dict[str, str]:
        render()
        return {"shim.py": text}

    return Project(name="python/text", inputs=("text",), artifact="shim.py", compiled=False, render=files)


def meson_project(name: str, **files: str) -> Project:
    """A project of a meson.build and other files, by their names with `_` for the dot."""
    texts = {key.replace("_", "."): text for key, text in files.items()}
    return Project(name=name, inputs=(name, repr(files)), artifact="outcome", compiled=True, render=lambda: texts)


def technology_in(folder: Path, name: str) -> Technology:
    """A technology read from a copy of all of them, so that its templates can be changed."""
    (found,) = (each for each in technologies() if each.name == name)
    shutil.copytree(found.folder.parents[1], folder / "shims")
    return replace(found, folder=folder / "shims" / found.language / name)


# --- the cache ------------------------------------------------------------------------------------


def test_a_built_project_is_found_without_meson_or_rendering(
    make_project: MakeProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    artifact = build(make_project("capi", functions=FEW))

    def forbidden(*_: object) -> dict[str, str]:
        pytest.fail("a cached project is not built")

    monkeypatch.setattr(projects, "_meson", forbidden)
    again = replace(make_project("capi", functions=FEW), render=forbidden)
    assert build(again) == again.built == artifact


def test_a_project_and_its_folders_are_private(private_cache: Path) -> None:
    folder = build(text_project()).parent
    assert [each.stat().st_mode & 0o777 for each in (folder, private_cache, private_cache.parent)] == [0o700] * 3


def test_force_builds_again() -> None:
    first = build(text_project("old"))
    assert build(text_project("unseen")).read_text() == "old"
    assert build(text_project("new"), force=True) == first
    assert first.read_text() == "new"
    assert [each.name for each in first.parent.parent.iterdir()] == [first.parent.name]


def test_a_folder_that_has_lost_its_artifact_is_built_again() -> None:
    artifact = build(text_project("old"))
    artifact.unlink()
    assert build(text_project("new")) == artifact
    assert artifact.read_text() == "new"


def test_projects_of_one_folder_are_built_once() -> None:
    rendered: list[None] = []
    project = text_project(render=lambda: rendered.append(None))
    outcomes = build_all([project, project], observe=lambda *_: None)
    assert len(rendered) == 1
    assert outcomes == {project.folder: project.built}


# --- the key --------------------------------------------------------------------------------------


def test_the_same_inputs_have_the_same_folder(make_project: MakeProject) -> None:
    assert make_project("capi").folder == make_project("capi").folder


def test_everything_that_is_compiled_in_changes_the_folder(
    make_project: MakeProject, runtime: Runtime, kinds_library: LibraryIdentity
) -> None:
    folders = [
        make_project(name, **changes).folder
        for name, changes in (
            ("capi", {}),
            ("capi~nogil", {}),
            ("cython", {}),
            ("capi", {"functions": FEW}),
            ("capi", {"kinds": {"sum_of_void.data": "handle"}}),
            ("capi", {"runtime": replace(runtime, identity="another")}),
            ("capi", {"library": replace(kinds_library, sha256="another")}),
            ("capi", {"library": replace(kinds_library, path="/another")}),
        )
    ]
    assert len(set(folders)) == len(folders)


@pytest.mark.parametrize(
    "template", ["python/capi/module.c.j2", "python/capi/technology.toml", "python/callbacks.j2", "project.meson.j2"]
)
def test_a_changed_template_changes_the_folder(make_project: MakeProject, tmp_path: Path, template: str) -> None:
    technology = technology_in(tmp_path, "capi")
    before = make_project("capi", technology=technology).folder
    path = tmp_path / "shims" / template
    path.write_text(path.read_text() + "\n")
    assert make_project("capi", technology=technology).folder != before


@pytest.mark.parametrize("change", ["int more(void);", "#define MORE 1", '#include "more.h"'])
def test_a_changed_header_changes_the_folder(make_project: MakeProject, tmp_path: Path, change: str) -> None:
    header = Path(shutil.copy(HEADER, tmp_path))
    (tmp_path / "more.h").write_text("enum { MORE };")
    before = make_project("capi", header=header).folder
    header.write_text(header.read_text().replace("#endif", f"{change}\n#endif"))
    os.utime(header, ns=(1, 1))
    assert make_project("capi", header=header).folder != before


@pytest.mark.parametrize(
    ("variable", "value"),
    [*(("CFLAGS", "-O1"), ("CXXFLAGS", "-O1"), ("LDFLAGS", "-s"), ("CPPFLAGS", "-DX")), ("CC", "cc -O1")],
)
@pytest.mark.usefixtures("fresh_toolchain")
def test_flags_and_compiler_change_the_folder_of_what_is_compiled(
    make_project: MakeProject, monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    before, plain = make_project("capi").folder, make_project("ctypes").folder
    monkeypatch.setenv(variable, value)
    compiler.cache_clear()
    assert make_project("capi").folder != before
    assert make_project("ctypes").folder == plain


# --- failures -------------------------------------------------------------------------------------


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
    assert project.built is None
    assert list(private_cache.iterdir()) == []


MAKES = "project('p')\ncustom_target('t', output: 'outcome', build_by_default: true, command: "


@pytest.mark.parametrize(
    ("meson_build", "first"),
    [
        ("project('p', 'c')\nexecutable('outcome', 'a.c')", "undefined reference"),
        ("project('p'", "ERROR: "),
        (f"{MAKES}['python3', '-c', 'import no_such_module'])", "ModuleNotFoundError: "),
        (f"{MAKES}['false'])", ""),
        ("project('p')", "it made no outcome"),
    ],
    ids=["linker", "meson", "generator", "silent", "nothing made"],
)
def test_other_failures_begin_with_what_says_why(meson_build: str, first: str, private_cache: Path) -> None:
    source = "int f(void); int main(void) { return f(); }"
    with pytest.raises(BuildError) as caught:
        build(meson_project("python/broken", meson_build=meson_build, a_c=source))
    assert first in caught.value.message.splitlines()[0]
    assert list(private_cache.iterdir()) == []


def test_one_failure_does_not_stop_the_other_builds() -> None:
    bad, good = meson_project("bad", meson_build="project("), text_project()
    outcomes = build_all([bad, good], observe=lambda *_: None)
    assert isinstance(outcomes[bad.folder], BuildError)
    assert isinstance(outcomes[good.folder], Path)


def test_a_full_disk_is_told(monkeypatch: pytest.MonkeyPatch, private_cache: Path) -> None:
    def full(*_: object, **__: object) -> NoReturn:
        raise OSError(28, "No space left on device")

    for target, name in ((Path, "write_text"), (tempfile, "mkdtemp")):
        monkeypatch.setattr(target, name, full)
        with pytest.raises(FfibenchError, match="No space left on device; XDG_CACHE_HOME chooses another place"):
            build(text_project())
        assert list(private_cache.iterdir()) == []


# --- at the same time -----------------------------------------------------------------------------


@pytest.mark.parametrize(("force", "times"), [(False, 1), (True, 8)])
def test_builds_of_one_key_at_once_all_succeed_and_share_the_work(private_cache: Path, force: bool, times: int) -> None:
    rendered: list[int] = []
    together = threading.Barrier(8)

    def run(number: int) -> Path:
        together.wait(30)
        return build(text_project(str(number), render=lambda: rendered.append(number)), force=force)

    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(run, range(8)))
    (artifact,) = found
    assert len(rendered) == times
    assert artifact.read_text() == str(rendered[-1])
    assert [each.name for each in private_cache.iterdir()] == [artifact.parent.name]


def test_who_waits_for_another_build_can_give_up() -> None:
    abandon = threading.Event()

    def interrupt() -> None:
        with pytest.raises(Abandoned):
            build(text_project(), abandon=abandon)

    with ThreadPoolExecutor(1) as pool, sole_builder(text_project().folder.name, threading.Event()):
        waiting = pool.submit(interrupt)
        assert not waiting.done()
        abandon.set()
        waiting.result(timeout=30)
    assert build(text_project()).is_file()


# --- what a project needs -------------------------------------------------------------------------


def needy(name: str, needed: Project, seen: list[str]) -> Project:
    """A project that writes down what lay in the folder of the one that it needs."""

    def files() -> dict[str, str]:
        seen.append((needed.folder / needed.artifact).read_text())
        return {"shim.py": ""}

    return Project(name=name, inputs=(name,), artifact="shim.py", compiled=False, render=files, needs=(needed,))


def test_what_a_project_needs_is_built_before_it_and_once_for_all() -> None:
    rendered: list[None] = []
    seen: list[str] = []
    core = text_project("core", render=lambda: rendered.append(None))
    asked = [needy(name, core, seen) for name in ("one", "two", "three")]
    outcomes = build_all(asked, observe=lambda *_: None)
    assert (len(rendered), seen) == (1, ["core"] * 3)
    assert set(outcomes) == {core.folder, *(each.folder for each in asked)}
    build(needy("four", core, seen))
    assert (len(rendered), seen) == (1, ["core"] * 4)


def test_a_need_that_fails_is_why_the_others_fail_and_is_tried_once() -> None:
    tried: list[None] = []

    def broken() -> dict[str, str]:
        tried.append(None)
        return {"meson.build": "project("}

    core = Project(name="core", inputs=("core",), artifact="outcome", compiled=True, render=broken)
    asked = [needy(name, core, []) for name in ("one", "two")]
    outcomes = build_all(asked, observe=lambda *_: None)
    assert len(tried) == 1
    assert isinstance(outcomes[core.folder], BuildError)
    assert [outcomes[each.folder] for each in asked] == [outcomes[core.folder]] * 2


def test_the_core_of_nanobind_is_one_for_all_its_shims(make_project: MakeProject, runtime: Runtime) -> None:
    (held,), (released,) = make_project("nanobind").needs, make_project("nanobind~nogil", functions=FEW).needs
    assert held.folder == released.folder
    (other,) = make_project("nanobind", runtime=replace(runtime, identity="another")).needs
    assert other.folder != held.folder
    assert make_project("pybind11").needs == ()


# --- odd places -----------------------------------------------------------------------------------

USE = """
import sys
from ffibench.worker.load import import_file
for path in sys.argv[1:]:
    native = import_file(path)
    assert native.forty_two() == 42
    assert native.sum_of_void(b"*", 1) == 42
    assert native.name_of(1) == b"one"
    assert native.KINDS_SMALL == 7
"""


def test_cache_header_and_library_may_lie_in_oddly_named_folders(
    make_project: MakeProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / ODD
    folder.mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    for name in ("kinds.h", "kinds.c"):
        shutil.copy(HEADER.with_name(name), folder)
    library = library_identity(build(sources_project(LibrarySources(sources=("kinds.c",)), folder)))
    assert ODD in library.path
    bindings = ("capi", "cffi-abi", "cffi-api", "ctypes", "cython", "nanobind")
    projects = [make_project(name, functions=FEW, header=folder / "kinds.h", library=library) for name in bindings]
    outcomes = build_all(projects, observe=lambda *_: None)
    failed = [str(each) for each in outcomes.values() if isinstance(each, FfibenchError)]
    assert not failed, failed[0]
    paths = [str(outcomes[project.folder]) for project in projects]
    assert len(paths) == len(bindings)
    used = subprocess.run([sys.executable, "-c", USE, *paths], capture_output=True, text=True, check=False)
    assert used.returncode == 0, used.stderr
