"""The promise: a program is found where a user has it, and what is wrong with it is told in a sentence."""

from __future__ import annotations

import re
import stat
from pathlib import Path

import pytest

from ffibench.errors import FfibenchError
from ffibench.languages import programs
from ffibench.languages.programs import program_runtimes, wheel_path
from ffibench.model.runtime import Missing, Runtime

INSTALL = "apt-get install toy"


def program(path: Path, said: str = "toy 1.2.3", status: int = 0) -> Path:
    """A program that says its version."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho '{said}'\nexit {status}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def found(*requested: str, **options: object) -> Runtime | Missing:
    (only,) = program_runtimes("toy", ["toy"], requested, install=INSTALL, **options)  # type: ignore[arg-type]
    return only


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A PATH with one folder of ours before the system's."""
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")


def test_the_first_on_path_is_taken(tmp_path: Path) -> None:
    path = program(tmp_path / "bin/toy")
    runtime = found()
    assert isinstance(runtime, Runtime)
    assert (runtime.label, runtime.version, runtime.executable) == ("toy 1.2.3", "1.2.3", str(path))


def test_none_is_missing_with_the_command() -> None:
    assert found() == Missing(reason="there is no toy on PATH", fix=INSTALL)


def test_one_that_does_not_run_is_missing_with_what_it_said(tmp_path: Path) -> None:
    path = program(tmp_path / "bin/toy", said="no such library", status=3)
    assert found() == Missing(reason=f"{path} does not run as toy: no such library", fix=INSTALL)


def test_one_that_was_asked_for_and_does_not_run_is_a_mistake(tmp_path: Path) -> None:
    program(tmp_path / "bin/toy")
    with pytest.raises(FfibenchError, match=r"--with toy: /nowhere/toy does not run as toy: .*No such file"):
        found("/nowhere/toy")


def test_one_that_was_asked_for_comes_before_path(tmp_path: Path) -> None:
    program(tmp_path / "bin/toy")
    other = program(tmp_path / "other/toy", said="toy 2.0")
    runtime = found(str(other))
    assert isinstance(runtime, Runtime)
    assert (runtime.version, runtime.executable) == ("2.0", str(other))


def test_a_wrapper_names_the_program_that_it_starts(tmp_path: Path) -> None:
    real = program(tmp_path / "real/toy")
    program(tmp_path / "bin/toy", said=f"{real} 1.2.3")
    runtime = found(version=re.compile(r"(?P<program>\S+) (?P<version>.+)"))
    assert isinstance(runtime, Runtime)
    assert runtime.executable == str(real)


def test_another_version_is_another_build(tmp_path: Path) -> None:
    """What is built for a runtime is kept by its identity."""
    one = found(str(program(tmp_path / "one/toy")))
    two = found(str(program(tmp_path / "two/toy", said="toy 1.2.4")))
    assert isinstance(one, Runtime)
    assert isinstance(two, Runtime)
    assert one.identity != two.identity


def test_a_wheel_is_looked_at_where_path_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = program(tmp_path / "wheel/bin/toy")
    monkeypatch.setattr(programs, "wheel_path", lambda *_: inside)
    runtime = found(wheel=("toy-bin", "bin/toy"))
    assert isinstance(runtime, Runtime)
    assert runtime.executable == str(inside)
    program(tmp_path / "bin/toy", said="toy 9.0")
    assert found(wheel=("toy-bin", "bin/toy")) != runtime


def test_a_file_of_a_wheel_is_found_by_the_end_of_its_path() -> None:
    path = wheel_path("ninja", "bin/ninja")
    assert path is not None
    assert path.name == "ninja"
    assert wheel_path("ninja", "bin/no-such-program") is None
    assert wheel_path("no-such-distribution", "bin/ninja") is None
