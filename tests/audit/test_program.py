"""Which program the kernel loads for a command: scripts and `env` are followed, mistakes are told as a shell would."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from ffibench.audit.program import program_of, started_by_env
from ffibench.errors import FfibenchError


def script(path: Path, first_line: str) -> str:
    path.write_text(f"{first_line}\nexit 3\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def test_a_program_is_itself_by_path_or_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    assert program_of([sys.executable, "-c", ""]) == Path(sys.executable)
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
    assert program_of([Path(sys.executable).name]) == Path(sys.executable)


def test_a_script_is_its_interpreter_s_and_so_is_a_script_of_a_script(tmp_path: Path) -> None:
    first = script(tmp_path / "first", f"#! {sys.executable} -u")
    second = script(tmp_path / "second", f"#!{first}")
    assert program_of([first]) == program_of([second, "argument"]) == Path(sys.executable)


@pytest.mark.parametrize(
    "first_line",
    [
        "#!/usr/bin/env {python}",
        "#!/usr/bin/env -S {python} -u",
        "#!/usr/bin/env -S NAME=value -u HOME {python} -I",
    ],
)
def test_env_is_followed(tmp_path: Path, first_line: str) -> None:
    assert program_of([script(tmp_path / "app", first_line.format(python=sys.executable))]) == Path(sys.executable)
    assert program_of(["env", "-u", "HOME", "NAME=value", sys.executable]) == Path(sys.executable)


@pytest.mark.parametrize(
    ("arguments", "started"),
    [
        ([], ()),
        (["NAME=value"], ()),
        (["-i", "-", "app", "-i"], ("app", "-i")),
        (["-C", "folder", "--unset=NAME", "--", "app"], ("app",)),
        (["-Sapp 'two words'", "last"], ("app", "two words", "last")),
        (["--split-string=app -x", "last"], ("app", "-x", "last")),
        (["-S", "app 'open"], ("app", "'open")),
    ],
)
def test_what_env_starts(arguments: list[str], started: tuple[str, ...]) -> None:
    assert started_by_env(arguments) == started


def test_env_alone_is_a_program() -> None:
    assert program_of(["env"]).name == "env"


@pytest.mark.parametrize("name", ["no-such-program", "./no-such-program"])
def test_what_is_not_there_ends_as_in_a_shell(name: str) -> None:
    with pytest.raises(FfibenchError, match="no-such-program") as told:
        program_of([name])
    assert told.value.status == 127


def test_what_cannot_be_executed_ends_as_in_a_shell(tmp_path: Path) -> None:
    file = tmp_path / "a file"
    file.write_text("exit 3\n", encoding="utf-8")
    with pytest.raises(FfibenchError, match=r"chmod \+x '.*/a file'") as told:
        program_of([str(file)])
    assert told.value.status == 126
    file.chmod(0o755)
    with pytest.raises(FfibenchError, match=r"neither a program nor a script .* sh ") as told:
        program_of([str(file)])
    assert told.value.status == 126


@pytest.mark.parametrize("first_line", ["#!/no/such/interpreter -u", "#!", "#! "])
def test_a_script_whose_interpreter_is_not_there(tmp_path: Path, first_line: str) -> None:
    with pytest.raises(FfibenchError, match="as its interpreter") as told:
        program_of([script(tmp_path / "app", first_line)])
    assert told.value.status == 127


def test_scripts_in_a_circle_come_to_an_end(tmp_path: Path) -> None:
    path = script(tmp_path / "app", f"#!{tmp_path / 'app'}")
    with pytest.raises(FfibenchError, match="one script after the other"):
        program_of([path])


@pytest.mark.skipif(os.getuid() == 0, reason="root may read every file, so none is unreadable to it")
def test_a_program_that_may_be_run_but_not_read(tmp_path: Path) -> None:
    file = tmp_path / "app"
    file.write_bytes(Path(sys.executable).read_bytes())
    file.chmod(0o111)
    with pytest.raises(FfibenchError, match="cannot be read"):
        program_of([str(file)])
