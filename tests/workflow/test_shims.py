"""`ffibench shims`: bindings to take home, installed as their READMEs say and called."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.anywhere import runtime_or_skip, skip_if_missing
from support.command import Cli, assert_told
from support.foo import foo_in

from ffibench.builds.linking import linked_name, loaded_name
from ffibench.errors import FfibenchError
from ffibench.languages.perl import LANGUAGE
from ffibench.shims.technology import technologies
from ffibench.workflow.shims import write_shims

TAKEN_HOME = [each for each in technologies() if (each.folder / "package").is_dir()]
PYTHON = [each.name for each in TAKEN_HOME if each.language == "python"]
PERL = [each.name for each in TAKEN_HOME if each.language == "perl"]
TOOLS = ["setuptools>=70.1", "Cython", "cffi", "scikit-build-core", "cmake", "ninja", "pybind11", "nanobind"]
SECONDS_MAX = 1200  # seven compilers on a machine that does other things


@pytest.fixture
def foo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return foo_in(tmp_path)


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of a fresh environment with the tools that the bindings are built by, and no more."""
    home = tmp_path_factory.mktemp("fresh")
    subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
    python = home / "bin/python"
    answer = typed(python, "-m", "pip", "install", "-q", *TOOLS)
    if answer.returncode != 0:
        pytest.skip(f"PyPI cannot be reached: {answer.stderr[-300:]}")
    return python


def typed(*words: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(each) for each in words],
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS_MAX,
        env={**os.environ, **environment},
    )


def test_every_python_binding_installs_and_calls(fresh: Path, foo: Path) -> None:
    written = [write_shims("foo.h", each, f"out/{each}", library="./libfoo.so") for each in PYTHON]
    flags = {"CFLAGS": f"-I{foo.parent}", "CXXFLAGS": f"-I{foo.parent}"}
    flags |= {"LDFLAGS": f"-L{foo.parent} -Wl,-rpath,{foo.parent}"}
    pip: list[str | Path] = [
        fresh,
        "-m",
        "pip",
        "install",
        "--no-build-isolation",
        "--no-deps",
        "--check-build-dependencies",
    ]
    answer = typed(*pip, *(each.path for each in written), **flags)
    assert answer.returncode == 0, answer.stdout[-3000:] + answer.stderr[-1000:]
    calls = "print(shim.foo_add(1000, 2), shim.foo_length(b'abc'), shim.foo_half(3.0))"
    for each in written:
        said = typed(fresh, "-c", f"import {each.module} as shim; {calls}", LD_LIBRARY_PATH=str(foo.parent))
        assert (said.stdout, said.stderr) == ("1002 3 1.5\n", ""), each.module


@pytest.mark.parametrize("name", PERL)
def test_every_perl_binding_installs_and_calls(name: str, foo: Path) -> None:
    runtime = runtime_or_skip("perl")
    (technology,) = (each for each in technologies() if each.name == name)
    if technology.compilers:
        skip_if_missing(LANGUAGE.build_needs(runtime))
    if technology.package:
        skip_if_missing(LANGUAGE.package(runtime, technology.package))
    if shutil.which("make") is None:
        pytest.skip("make is not installed; apt-get install make")
    written = write_shims("foo.h", name, "out", library="./libfoo.so")
    flags = {"CFLAGS": f"-I{foo.parent}", "LDFLAGS": f"-L{foo.parent} -Wl,-rpath,{foo.parent}"}
    for command in ((runtime.executable, "Makefile.PL"), ("make",)):
        answer = subprocess.run(
            command, cwd="out", env={**os.environ, **flags}, capture_output=True, text=True, check=False
        )
        assert answer.returncode == 0, answer.stdout + answer.stderr
    program = f"use {written.module}; print foo_add(1000, 2), ' ', foo_length('abc')"
    said = typed(runtime.executable, "-Mblib=out", "-e", program, LD_LIBRARY_PATH=str(foo.parent))
    assert said.stdout == "1002 3", said.stderr


@pytest.mark.parametrize("name", PYTHON + PERL)
def test_no_file_names_a_folder_of_this_machine(name: str, foo: Path) -> None:
    write_shims("foo.h", name, "out", library="./libfoo.so")
    for path in (each for each in Path("out").rglob("*") if each.is_file()):
        text = path.read_text(encoding="utf-8")
        for folder in (foo.parent, Path.home(), Path(sys.prefix), Path(os.environ["XDG_CACHE_HOME"])):
            assert str(folder) not in text, path
        assert text.endswith("\n")
        assert "{{" not in text


def test_what_cannot_be_bound_is_named_once_with_its_reason(cli: Cli, foo: Path) -> None:
    answer = cli("shims", "foo.h", "--library", "./libfoo.so", "--binding", "capi", "out")
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.splitlines()[0] == "out: the module foo_capi with 6 functions, 2 left out"
    assert "pip install ./out" in answer.stdout
    readme = Path("out/README.md").read_text(encoding="utf-8")
    for said in (answer.stderr, readme):
        assert [said.count(name) for name in ("foo_print", "foo_gone")] == [1, 1]
    assert "libfoo.so does not export it" in readme
    assert Path("out/foo_capi.c").read_text(encoding="utf-8").count("foo_gone") == 0


def test_only_the_functions_that_are_asked_for_are_bound(foo: Path) -> None:
    written = write_shims("foo.h", "python/ctypes", "out", library="./libfoo.so", functions=["foo_*d*"])
    assert written.functions == ("foo_add",)
    assert written.environment == f"LD_LIBRARY_PATH={foo.parent}"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"binding": "nanobnd"},
            r"no binding 'nanobnd' to take home \(did you mean .*nanobind.*; name one of perl",
        ),
        ({"binding": "c"}, "no binding 'c' to take home"),
        ({"header": "gone.h"}, "there is no header gone.h"),
        ({"library": None}, "no library of foo.h is named"),
        ({"library": "./gone.so"}, "no library at gone.so"),
        ({"functions": ["foo_ad"]}, r"declares no function foo_ad \(did you mean foo_add"),
        ({"functions": ["foo_print"]}, "none of the functions can be bound: foo_print"),
    ],
)
def test_a_mistake_is_told(changes: dict[str, object], sentence: str, foo: Path) -> None:
    given: dict[str, object] = {"header": "foo.h", "binding": "capi", "folder": "out", "library": "./libfoo.so"}
    with pytest.raises(FfibenchError, match=sentence):
        write_shims(**{**given, **changes})  # type: ignore[arg-type]
    assert not Path("out").exists()


def test_nothing_is_written_over(cli: Cli, foo: Path) -> None:
    Path("out").mkdir()
    Path("out/kept").touch()
    answer = cli("shims", "foo.h", "--library", "./libfoo.so", "--binding", "capi", "out")
    assert_told(answer, "out is there already")


def test_a_library_is_linked_by_its_name(foo: Path) -> None:
    library = foo.parent / "libfoo.so"
    assert (linked_name(library), loaded_name(library)) == ("foo", "libfoo.so")
    versioned = library.rename(foo.parent / "libfoo.so.1")
    assert (linked_name(versioned), loaded_name(versioned)) == (":libfoo.so.1", "libfoo.so.1")
    assert linked_name(foo.parent / "odd.so") == ":odd.so"
