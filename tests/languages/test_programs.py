"""The promise: a program is found where a user has it, and what is wrong with it is told in a sentence."""

from __future__ import annotations

import re
import stat
from pathlib import Path

import pytest
from msgspec.structs import replace

from ffibench.errors import FfibenchError
from ffibench.languages import programs
from ffibench.languages.programs import program_runtimes, release_of, wheel_path
from ffibench.model.runtime import Missing, Runtime

INSTALL = "apt-get install toy"
NEWER = "pip install toy"


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
    assert runtime.context == {"executable": str(path)}


def test_none_is_missing_with_the_command() -> None:
    assert found() == Missing(reason="there is no toy on PATH", fix=INSTALL)


def test_one_that_does_not_run_is_missing_with_what_it_said(tmp_path: Path) -> None:
    path = program(tmp_path / "bin/toy", said="no such library", status=3)
    assert found() == Missing(reason=f"{path} does not run as toy: no such library", fix=INSTALL)


@pytest.mark.parametrize(("said", "told"), [("toy of tomorrow", "toy of tomorrow"), ("", "status 0")])
def test_one_that_says_no_version_is_missing(tmp_path: Path, said: str, told: str) -> None:
    path = program(tmp_path / "bin/toy", said=said)
    assert found() == Missing(reason=f"{path} does not run as toy: {told}", fix=INSTALL)


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


def test_one_that_was_asked_for_by_a_name_or_from_here_is_known_by_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Builds and workers are started in other folders."""
    path = program(tmp_path / "bin/toy2")
    monkeypatch.chdir(tmp_path)
    for requested in ("toy2", "bin/toy2", "./bin/toy2"):
        runtime = found(requested)
        assert isinstance(runtime, Runtime)
        assert runtime.executable == str(path)


def test_a_wrapper_names_the_program_that_it_starts(tmp_path: Path) -> None:
    real = program(tmp_path / "real/toy")
    program(tmp_path / "bin/toy", said=f"{real} 1.2.3")
    runtime = found(version=re.compile(r"(?P<program>\S+) (?P<version>.+)"))
    assert isinstance(runtime, Runtime)
    assert runtime.executable == str(real)
    assert runtime.context == {"executable": str(real)}


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


@pytest.mark.parametrize(
    ("on_path", "taken"),
    [("toy 1.9", "wheel"), ("nothing", "wheel"), ("toy 3.1", "wheel"), ("toy 2.0", "path"), ("toy 3.0", "path")],
)
def test_one_that_will_not_do_gives_way_to_that_of_the_wheel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, on_path: str, taken: str
) -> None:
    inside = program(tmp_path / "wheel/bin/toy", said="toy 2.5")
    monkeypatch.setattr(programs, "wheel_path", lambda *_: inside)
    path = program(tmp_path / "bin/toy", said=on_path)
    runtime = found(wheel=("toy-bin", "bin/toy"), oldest=(2,), newest=(3, 0))
    assert isinstance(runtime, Runtime)
    assert runtime.executable == str({"wheel": inside, "path": path}[taken])


@pytest.mark.parametrize(
    ("on_path", "in_wheel", "taken"),
    [("1.4", "1.5", "wheel"), ("1.5", "1.6", "path"), ("1.4", "1.3", "path"), ("1.4", "0.9", "path")],
)
def test_one_that_is_not_preferred_gives_way_to_that_of_the_wheel_where_there_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, on_path: str, in_wheel: str, taken: str
) -> None:
    inside: Path | None = program(tmp_path / "wheel/bin/toy", said=f"toy {in_wheel}")
    monkeypatch.setattr(programs, "wheel_path", lambda *_: inside)
    path = program(tmp_path / "bin/toy", said=f"toy {on_path}")
    runtime = found(wheel=("toy-bin", "bin/toy"), oldest=(1,), preferred=(1, 5))
    assert isinstance(runtime, Runtime)
    assert runtime.executable == str({"wheel": inside, "path": path}[taken])
    assert found(str(path), wheel=("toy-bin", "bin/toy"), preferred=(1, 5)) == found()


def test_a_wheel_that_will_not_do_is_no_mistake_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = program(tmp_path / "wheel/bin/toy", said="broken", status=1)
    monkeypatch.setattr(programs, "wheel_path", lambda *_: inside)
    wheel = ("toy-bin", "bin/toy")
    assert found(wheel=wheel) == Missing(reason=f"{inside} does not run as toy: broken", fix=INSTALL)
    program(tmp_path / "bin/toy", said="toy 1.2.3")
    too_old = Missing(reason="toy 1.2.3 is too old, 2 is the oldest that will do", fix=INSTALL)
    assert found(wheel=wheel, oldest=(2,)) == too_old


def test_a_file_of_a_wheel_is_found_by_the_end_of_its_path() -> None:
    path = wheel_path("ninja", "bin/ninja")
    assert path is not None
    assert path.name == "ninja"
    assert wheel_path("ninja", "bin/no-such-program") is None
    assert wheel_path("no-such-distribution", "bin/ninja") is None


@pytest.mark.parametrize(
    ("version", "told"),
    [
        ("1.9.9", "toy 1.9.9 is too old, 1.10 is the oldest that will do"),
        ("0.12.0", "toy 0.12.0 is too old, 1.10 is the oldest that will do"),
        ("1.10.0", ""),
        ("2.99", ""),
        ("3.0.1-rc2", ""),
        ("3.1.0", "toy 3.1.0 is too new, 3.0 is the newest that will do"),
        ("10.0", "toy 10.0 is too new, 3.0 is the newest that will do"),
    ],
)
def test_another_release_is_missing_with_the_command_that_installs_one(tmp_path: Path, version: str, told: str) -> None:
    path = program(tmp_path / "bin/toy", said=f"toy {version}")
    if told:
        assert found(oldest=(1, 10), newest=(3, 0)) == Missing(reason=told, fix=INSTALL)
        assert found(oldest=(1, 10), newest=(3, 0), newer=NEWER) == Missing(reason=told, fix=NEWER)
        with pytest.raises(FfibenchError, match=f"^--with toy: {told}; name another program, or leave the option out$"):
            found(str(path), oldest=(1, 10), newest=(3, 0))
    else:
        assert found(oldest=(1, 10), newest=(3, 0), newer=NEWER) == found()


def test_where_there_is_none_and_where_it_does_not_run_the_usual_command_helps(tmp_path: Path) -> None:
    none = found(oldest=(2,), newer=NEWER)
    program(tmp_path / "bin/toy", status=1)
    broken = found(oldest=(2,), newer=NEWER)
    for each in (none, broken):
        assert isinstance(each, Missing)
        assert each.fix == INSTALL


def test_one_of_several_that_were_asked_for_is_too_old(tmp_path: Path) -> None:
    paths = [str(program(tmp_path / f"{said}/toy", said=f"toy {said}")) for said in ("2.0", "2.1", "1.0")]
    both = program_runtimes("toy", ["toy"], paths[:2], install=INSTALL, oldest=(2,))
    assert [isinstance(each, Runtime) and each.executable for each in both] == paths[:2]
    with pytest.raises(FfibenchError, match=r"--with toy: toy 1\.0 is too old, 2 is the oldest"):
        program_runtimes("toy", ["toy"], paths, install=INSTALL, oldest=(2,))


def test_a_language_knows_more_of_a_program_or_what_it_lacks(tmp_path: Path) -> None:
    lacking = Missing(reason="toy has no head", fix="apt-get install head")
    assert found(described=lambda _: lacking) == Missing(reason="there is no toy on PATH", fix=INSTALL)
    path = program(tmp_path / "bin/toy")
    runtime = found(described=lambda each: replace(each, context={**each.context, "head": "yes"}))
    assert isinstance(runtime, Runtime)
    assert runtime.context == {"executable": str(path), "head": "yes"}
    assert found(described=lambda _: lacking) == lacking
    with pytest.raises(FfibenchError, match="--with toy: toy has no head"):
        found(str(path), described=lambda _: lacking)


@pytest.mark.parametrize(
    ("version", "release"),
    [
        ("1.26.8", (1, 26)),
        ("1.26rc1", (1, 26)),
        ("1.30-devel_abc", (1, 30)),
        ("0.17.0-dev.12+abc", (0, 17)),
        ("9", (9,)),
    ],
)
def test_a_release_is_the_first_numbers_of_a_version(version: str, release: tuple[int, ...]) -> None:
    assert release_of(version) == release
    assert release_of(version, 1) == release[:1]
    assert release_of(version, 0) == ()
