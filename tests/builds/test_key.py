"""Everything that changes what is built changes where it lies."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace
from support.projects import FEW, technology_in
from support.shim_fixtures import HEADER, MakeProject

from ffibench.builds.toolchain import compiler
from ffibench.model import LibraryIdentity
from ffibench.model.runtime import Runtime
from ffibench.shims.technology import technologies

pytestmark = pytest.mark.usefixtures("private_cache")


def test_the_same_inputs_have_the_same_folder(make_project: MakeProject) -> None:
    assert make_project("capi").locate() == make_project("capi").locate()


def test_everything_that_is_compiled_in_changes_the_folder(
    make_project: MakeProject, runtime: Runtime, kinds_library: LibraryIdentity
) -> None:
    folders = [
        make_project(name, **changes).locate()
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
    before = make_project("capi", technology=technology).locate()
    path = tmp_path / "shims" / template
    path.write_text(path.read_text() + "\n")
    assert make_project("capi", technology=technology).locate() != before


@pytest.mark.parametrize("change", ["int more(void);", "#define MORE 1", '#include "more.h"'])
def test_a_changed_header_changes_the_folder(make_project: MakeProject, tmp_path: Path, change: str) -> None:
    header = Path(shutil.copy(HEADER, tmp_path))
    (tmp_path / "more.h").write_text("enum { MORE };")
    before = make_project("capi", header=header).locate()
    header.write_text(header.read_text().replace("#endif", f"{change}\n#endif"))
    os.utime(header, ns=(1, 1))
    assert make_project("capi", header=header).locate() != before


@pytest.mark.parametrize(
    ("variable", "value"),
    [*(("CFLAGS", "-O1"), ("CXXFLAGS", "-O1"), ("LDFLAGS", "-s"), ("CPPFLAGS", "-DX")), ("CC", "cc -O1")],
)
@pytest.mark.usefixtures("fresh_toolchain")
def test_flags_and_compiler_change_the_folder_of_what_is_compiled(
    make_project: MakeProject, monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    before, plain = make_project("capi").locate(), make_project("ctypes").locate()
    monkeypatch.setenv(variable, value)
    compiler.cache_clear()
    assert make_project("capi").locate() != before
    assert make_project("ctypes").locate() == plain


def test_the_core_of_nanobind_is_one_for_all_its_shims(make_project: MakeProject, runtime: Runtime) -> None:
    (held,), (released,) = make_project("nanobind").needs, make_project("nanobind~nogil", functions=FEW).needs
    assert held.locate() == released.locate()
    (other,) = make_project("nanobind", runtime=replace(runtime, identity="another")).needs
    assert other.locate() != held.locate()
    assert make_project("pybind11").needs == ()


@pytest.mark.parametrize("name", ["c.c", "_shared.h", "_shared.c"])
def test_a_changed_program_or_helper_of_it_changes_the_folder(
    make_project: MakeProject, tmp_path: Path, name: str
) -> None:
    (program,) = (each for each in technologies() if each.language == "c")
    source = tmp_path / "c.c"
    source.write_text('#include "_shared.h"\n')
    (tmp_path / "other.c").write_text("")

    def folder() -> Path:
        return make_project("capi", technology=program, binding=program.bindings["c"], source=source).locate()

    before = folder()
    (tmp_path / "other.c").write_text("int another_contestant;\n")
    assert folder() == before
    (tmp_path / name).write_text("int changed;\n")
    assert folder() != before
