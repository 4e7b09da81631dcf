"""The compilers are found as Meson will find them, and a machine without one is told what to install."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ffibench.builds.project import Project, build
from ffibench.builds.toolchain import (
    INSTALL,
    Compiler,
    compiler,
    flags,
    missing_compiler,
    preprocessor_flags,
)
from ffibench.catalog import candidates, find_experiment
from ffibench.errors import FfibenchError

pytestmark = pytest.mark.usefixtures("fresh_toolchain", "usual_environment")
MakeProject = Callable[..., Project]


@pytest.fixture
def usual_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CC", "CXX", "CPPFLAGS", "CFLAGS", "CXXFLAGS", "LDFLAGS"):
        monkeypatch.delenv(name, raising=False)


def told(language: str) -> str:
    compiler.cache_clear()
    with pytest.raises(FfibenchError) as caught:
        compiler(language)
    return str(caught.value)


def test_the_systems_compilers_are_the_default() -> None:
    assert compiler("c").command == ("cc",)
    assert compiler("cpp").command == ("c++",)
    assert compiler("c").label.split()[0] in {"gcc", "clang"}


def test_the_environment_may_name_a_command_with_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "env 'cc' -m64")
    assert compiler("c").command == ("env", "cc", "-m64")
    assert "Free Software" in compiler("c").version or "clang" in compiler("c").version


@pytest.mark.usefixtures("private_cache")
def test_a_command_with_arguments_builds(make_project: MakeProject, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "cc -DMARK=1")
    project = make_project("capi", functions=("forty_two",))
    artifact = build(project)
    assert "-DMARK=1" in (artifact.parent.parent / "build.log").read_text()


@pytest.fixture
def private_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_no_compiler_is_told_with_the_command_that_installs_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert told("c") == "no C compiler: 'cc' is not found; apt-get install gcc g++"
    assert told("cpp") == "no C++ compiler: 'c++' is not found; apt-get install gcc g++"
    monkeypatch.setenv("CC", "no-such-cc -m64")
    assert told("c") == "no C compiler: 'no-such-cc -m64' is not found; apt-get install gcc g++"
    monkeypatch.setenv("CC", "")
    assert told("c") == "no C compiler: '' is not found; apt-get install gcc g++"


def test_a_compiler_that_does_not_run_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "cc"
    broken.write_text("#!/bin/sh\necho out of order >&2\nexit 3\n")
    broken.chmod(0o755)
    monkeypatch.setenv("CC", str(broken))
    assert told("c") == f"the compiler {broken} --version failed: out of order; apt-get install gcc g++"
    broken.write_text("#!/bin/sh\nexit 3\n")
    silent = "it ended with status 3 and said nothing"
    assert told("c") == f"the compiler {broken} --version failed: {silent}; apt-get install gcc g++"
    broken.write_text("#!/no/such/interpreter\n")
    assert told("c") == (f"the compiler {broken} --version failed: No such file or directory; apt-get install gcc g++")
    monkeypatch.setenv("CC", "cc 'unfinished")
    assert told("c") == "CC cannot be read as a command: cc 'unfinished (No closing quotation); close its quotes"


@pytest.mark.parametrize(
    ("version", "label"),
    [
        ("cc (Debian 12.2.0-14+deb12u1) 12.2.0 Copyright (C) 2022 Free Software Foundation, Inc.", "gcc 12.2.0"),
        ("Debian clang version 14.0.6 Target: x86_64-pc-linux-gnu", "clang 14.0.6"),
        ("gcc (Ubuntu 13.3.0-6ubuntu2~24.04) 13.3.0 Copyright (C) 2023 Free Software Foundation, Inc.", "gcc 13.3.0"),
        ("another compiler", "cc"),
    ],
)
def test_a_label_is_a_name_and_a_number(version: str, label: str) -> None:
    assert Compiler(command=("cc",), version=version).label == label


def test_flags_are_those_that_meson_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    assert flags() == {}
    monkeypatch.setenv("CFLAGS", "-O1")
    monkeypatch.setenv("CPPFLAGS", "-DX='a b' -I/x")
    assert flags() == {"CFLAGS": "-O1", "CPPFLAGS": "-DX='a b' -I/x"}
    assert preprocessor_flags() == ["-DX=a b", "-I/x"]


def test_without_a_cpp_compiler_only_what_needs_one_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "no-such-compiler")
    assert missing_compiler(["c"]) is None
    missing = missing_compiler(["c", "cpp"])
    assert missing is not None
    assert missing.reason == "no C++ compiler: 'no-such-compiler' is not found"
    assert missing.fix == INSTALL
    lacking = {each.contestant.name for each in candidates(find_experiment("xsub")) if each.missing == missing}
    assert lacking == {f"python/{name}" for name in ("nanobind", "nanobind~nogil", "pybind11", "pybind11~nogil")}


@pytest.mark.usefixtures("private_cache")
def test_without_a_cpp_compiler_the_others_are_built(
    make_project: MakeProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CXX", "no-such-compiler")
    assert build(make_project("capi", functions=("forty_two",))).is_file()
