"""The fault matrix: a name with a byte that is not UTF-8, or with a line end | where | what the user sees."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest
from support.faults import Command
from support.shell import Shell

from ffibench.builds.library import find_library
from ffibench.catalog import find_experiment

ODD = {"not UTF-8": (b"b\xff", r"b\xff"), "a line end": (b"n\nl", r"n\nl"), "a backslash": (rb"s\t", r"s\t")}
TOLD = "Error: not every tool can name {}, for what has a backslash here; {}"


@pytest.fixture(params=list(ODD.values()), ids=list(ODD))
def odd(request: pytest.FixtureRequest, folder: Path) -> tuple[Path, str]:
    """A folder with such a name, and how its path is told."""
    name, told = request.param
    path = folder / os.fsdecode(name)
    path.mkdir(mode=0o700)
    return path, f"{folder}/{told}"


def test_of_an_experiment(odd: tuple[Path, str], command: Command, own: Path) -> None:
    path, told = odd
    shutil.copytree(own, path / "tally")
    for what in ("run", "list", "build", "audit"):
        seen = command(what, str(path / "tally"))
        assert (seen.status, seen.errors) == (1, TOLD.format(f"{told}/tally", "give the folder another name\n"))


def test_of_the_cache(
    odd: tuple[Path, str], command: Command, experiment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, told = odd
    with monkeypatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(path))
        seen = command("build", str(experiment))
    assert (seen.status, seen.errors) == (1, TOLD.format(f"{told}/ffibench", "XDG_CACHE_HOME chooses another place\n"))


def test_of_temporary_files(odd: tuple[Path, str], command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    path, told = odd
    with monkeypatch.context() as patch:
        patch.setenv("TMPDIR", str(path))
        seen = command("selftest")
    assert (seen.status, seen.errors) == (1, TOLD.format(told, "set TMPDIR=/tmp before the command\n"))


def test_of_a_library(odd: tuple[Path, str], command: Command, own: Path) -> None:
    path, told = odd
    found = find_experiment(str(own))
    shutil.copy(find_library(found.experiment, found.path, None).path, path / "libtally.so")
    seen = command("run", str(own), "--library", str(path / "libtally.so"))
    assert seen.status == 1
    assert seen.errors.startswith(TOLD.format(f"{told}/libtally.so", "give a copy of it in another place"))


def test_of_an_interpreter(odd: tuple[Path, str], command: Command, own: Path) -> None:
    path, told = odd
    (path / "python").symlink_to(sys.executable)
    (own / "other.py").touch()
    seen = command("list", str(own), "--python", str(path / "python"))
    assert seen.status == 1
    assert seen.errors.startswith(TOLD.format(f"{told}/python", "name a link to it, or another such as "))


def test_of_what_is_written_and_read(odd: tuple[Path, str], shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """No build and no worker is given these."""
    path, _ = odd
    with monkeypatch.context() as patch:
        patch.setenv("ODD", str(path))
        assert shell('XDG_DATA_HOME="$ODD" RUN --json "$ODD/run.json"').status == 0
        assert len(list(path.glob("ffibench/runs/*.json"))) == 1
        assert "tally: adding up bytes" in shell('FFIBENCH show "$ODD/run.json"').table
        assert "tally: adding up bytes" in shell('XDG_DATA_HOME="$ODD" FFIBENCH show').table


def test_of_a_command(odd: tuple[Path, str], command: Command) -> None:
    path, told = odd
    shutil.copy(shutil.which("true") or "/bin/true", path / "true")
    seen = command("audit", "--library", "libc.so*", "--json", "-", "--", str(path / "true"))
    assert seen.status == 0
    assert json.loads(seen.table)["program"] in {f"{told}/true", f"{path}/true"}


def test_a_library_that_the_loader_finds(command: Command, own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its name, as `LibraryFile` and --library promise."""
    found = find_experiment(str(own))
    library = Path(find_library(found.experiment, found.path, None).path)
    monkeypatch.setenv("LD_LIBRARY_PATH", str(library.parent))
    seen = command("run", str(own), "--rounds", "1", "--library", library.name)
    assert seen.status == 0, seen.errors
    assert seen.kept is not None
    assert seen.kept.plan.library.path == str(library)
    (own / "tally.c").unlink()
    declared = own / "experiment.py"
    text = declared.read_text(encoding="utf-8").replace("LibrarySources", "LibraryFile")
    text = text.replace('sources=("tally.c",)', f'path="{library.name}"')
    declared.write_text(text, encoding="utf-8")
    assert command("run", str(own), "--rounds", "1").status == 0


def test_a_library_that_the_loader_does_not_find(command: Command, own: Path) -> None:
    seen = command("run", str(own), "--library", "libno-such.so.1")
    told = "no library at libno-such.so.1, and the loader finds none of the name libno-such.so.1; --library takes"
    assert seen.status == 1
    assert seen.errors.startswith(f"Error: {told}")


@pytest.mark.skipif(sys.platform != "linux", reason="libm.so.6 is the name that Linux has")
def test_a_library_of_the_system_that_is_another(command: Command, own: Path) -> None:
    seen = command("run", str(own), "--library", "libm.so.6")
    assert seen.status == 1
    assert "/libm.so.6 does not export `tally_sum`, which tally.h declares; give another" in seen.errors
