"""The library under test is found, known by its content, and refused where it is not what the experiment calls."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

from ffibench.builds.library import check_library, find_library, library_identity
from ffibench.builds.sources import sources_project
from ffibench.errors import FfibenchError
from ffibench.model import Case, Experiment, Library, LibraryFile, LibraryIdentity, LibrarySources, WheelLibrary
from ffibench.paths import asset

DATA = Path(__file__).parents[1] / "shims" / "data"


def experiment(library: Library, *functions: str) -> Experiment:
    def no_cases(_: object) -> tuple[Case, ...]:
        return ()

    return Experiment(title="", header="kinds.h", functions=functions, library=library, cases=no_cases)


def told(library: Library, folder: Path, chosen: Path | None = None) -> str:
    with pytest.raises(FfibenchError) as caught:
        find_library(experiment(library, "forty_two"), folder, None if chosen is None else str(chosen))
    return str(caught.value)


# --- an experiment's own sources ------------------------------------------------------------------


def test_sources_are_built_into_a_library_that_loads(kinds_library: LibraryIdentity) -> None:
    assert Path(kinds_library.path).name.startswith("libdata-library.")
    assert ctypes.CDLL(kinds_library.path).forty_two() == 42


def test_sources_are_compiled_as_the_shims_are(kinds_library: LibraryIdentity) -> None:
    log = (Path(kinds_library.path).parent.parent / "build.log").read_text()
    assert "-O3" in log
    assert "warning:" not in log


@pytest.mark.parametrize("name", ["kinds.c", "kinds.h"])
def test_a_changed_source_or_header_beside_it_is_another_library(tmp_path: Path, name: str) -> None:
    shutil.copytree(DATA, tmp_path / "own")
    library = LibrarySources(sources=("kinds.c",))
    before = sources_project(library, tmp_path / "own").locate()
    changed = tmp_path / "own" / name
    changed.write_text(changed.read_text() + "\n")
    assert sources_project(library, tmp_path / "own").locate() != before


def test_a_source_that_is_not_there_is_named_with_who_names_it(tmp_path: Path) -> None:
    message = told(LibrarySources(sources=("gone.c",)), tmp_path)
    reason = f"no file {tmp_path / 'gone.c'}, which {tmp_path / 'experiment.py'} names as a source of its library"
    assert message == f"{reason}; put it there, or correct the name"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A `native` of the test's own, in which `answer/forty.c` needs a header beside it and one of the interface."""
    native = tmp_path / "native"
    for name, text in {
        "lib/answer/forty.c": '#include "beside.h"\n#include "kinds.h"\nint forty_two(void) { return BESIDE + TWO; }\n',
        "lib/answer/beside.h": "#define BESIDE 40\n",
        "include/kinds.h": "#define TWO 2\nint forty_two(void);\n",
        "library.meson.j2": asset("native/library.meson.j2").read_text(),
    }.items():
        (native / name).parent.mkdir(parents=True, exist_ok=True)
        (native / name).write_text(text)
    monkeypatch.setattr("ffibench.builds.sources.asset", lambda name: tmp_path / name)
    (tmp_path / "own").mkdir()
    return tmp_path


def test_a_source_may_be_one_of_ours(home: Path) -> None:
    found = find_library(experiment(LibrarySources(sources=("answer/forty.c",)), "forty_two"), home / "own", None)
    assert ctypes.CDLL(found.path).forty_two() == 42


def test_the_experiments_own_source_comes_first(home: Path) -> None:
    (home / "own" / "answer").mkdir()
    (home / "own" / "answer" / "forty.c").write_text("int forty_two(void) { return 43; }\n")
    found = find_library(experiment(LibrarySources(sources=("answer/forty.c",)), "forty_two"), home / "own", None)
    assert ctypes.CDLL(found.path).forty_two() == 43


@pytest.mark.parametrize("name", ["lib/answer/forty.c", "lib/answer/beside.h", "include/kinds.h"])
def test_a_changed_source_or_header_of_ours_is_another_library(home: Path, name: str) -> None:
    library = LibrarySources(sources=("answer/forty.c",))
    before = sources_project(library, home / "own").locate()
    changed = home / "native" / name
    changed.write_text(changed.read_text() + "\n")
    assert sources_project(library, home / "own").locate() != before


# --- a library that is there ----------------------------------------------------------------------


def test_the_library_of_a_wheel_is_found() -> None:
    found = find_library(experiment(WheelLibrary(distribution="pyzmq", pattern="*libzmq*")), DATA, None)
    assert "libzmq" in Path(found.path).name
    assert hasattr(ctypes.CDLL(found.path), "zmq_send")


def test_a_library_file_may_lie_in_the_folder_of_the_experiment(tmp_path: Path, kinds_library: LibraryIdentity) -> None:
    shutil.copy(kinds_library.path, tmp_path / "own.so")
    found = find_library(experiment(LibraryFile(path="own.so")), tmp_path, None)
    assert found == LibraryIdentity(path=str(tmp_path / "own.so"), sha256=kinds_library.sha256)


def test_a_library_given_by_the_user_wins_and_is_known_by_what_the_link_points_to(
    tmp_path: Path, kinds_library: LibraryIdentity
) -> None:
    link = tmp_path / "link.so"
    link.symlink_to(kinds_library.path)
    assert find_library(experiment(LibraryFile(path="gone.so"), "forty_two"), tmp_path, str(link)) == kinds_library


def test_its_identity_is_its_content(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for content in (b"one", b"two"):
        path.write_bytes(content)
        os.utime(path, ns=(content[0], content[0]))
        assert library_identity(path).sha256 == sha256(content).hexdigest()


# --- and one that is not --------------------------------------------------------------------------


def test_a_library_that_is_missing_is_told(tmp_path: Path) -> None:
    gone = tmp_path / "gone.so"
    named = LibraryFile(path="gone.so")
    takes = "--library takes the path of a shared library, or its soname"
    assert told(named, tmp_path, gone) == f"no library at {gone}; {takes}"
    nowhere = f"no library at {gone}, and the loader finds none of the name gone.so; build it there, or correct "
    assert told(named, tmp_path).startswith(nowhere)
    assert told(named, tmp_path, tmp_path).startswith(f"no library at {tmp_path};")


def test_a_distribution_without_it_is_told(tmp_path: Path) -> None:
    unavailable = told(WheelLibrary(distribution="no-such-distribution", pattern="*"), tmp_path)
    assert unavailable == (
        "no-such-distribution is not installed, whose library is under test; pip install no-such-distribution"
    )
    without = told(WheelLibrary(distribution="pyzmq", pattern="*no-such-library*"), tmp_path)
    assert without.startswith("the installed pyzmq carries no library *no-such-library*; pip install --force-reinstall")


def test_a_file_that_is_no_library_is_told(tmp_path: Path) -> None:
    for name, content in (("text.so", b"text"), ("empty.so", b""), ("short.so", b"\x7fELF")):
        (tmp_path / name).write_bytes(content)
        message = told(LibraryFile(path=""), tmp_path, tmp_path / name)
        assert message.startswith(f"{tmp_path / name} is not a library that loads here: ")
        assert message.endswith("; give another --library")


def test_a_library_that_lacks_functions_is_told_with_their_names(kinds_library: LibraryIdentity) -> None:
    path = Path(kinds_library.path)
    check_library(path, ["forty_two", "state"], "own.h")
    with pytest.raises(FfibenchError) as caught:
        check_library(path, ["forty_two", "zmq_send", "zmq_bind"], "own.h")
    expected = f"{path} does not export `zmq_send`, `zmq_bind`, which own.h declares; give another --library"
    assert str(caught.value) == expected
    with pytest.raises(FfibenchError, match=r"`far_8` and 2 more, which own\.h declares"):
        check_library(path, [f"far_{number}" for number in range(11)], "own.h")


def test_a_library_that_the_experiment_names_is_asked_too(kinds_library: LibraryIdentity) -> None:
    named = LibraryFile(path=kinds_library.path)
    with pytest.raises(FfibenchError) as caught:
        find_library(experiment(named, "forty_two", "forty_three"), DATA, None)
    told = f"{kinds_library.path} does not export `forty_three`, which "
    assert str(caught.value).startswith(told)
    assert str(caught.value).endswith(f"or take them from the functions of {DATA / 'experiment.py'}")


def test_a_library_that_ends_its_process_does_not_end_ours(tmp_path: Path) -> None:
    source, path = tmp_path / "bad.c", tmp_path / "bad.so"
    source.write_text("#include <stdlib.h>\n__attribute__((constructor)) static void start(void) { abort(); }\n")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", str(path), str(source)], check=True)
    assert "loading it ended with status -6" in told(LibraryFile(path=""), tmp_path, path)


def test_what_a_library_prints_when_it_is_loaded_does_not_confuse(tmp_path: Path) -> None:
    source, path = tmp_path / "loud.c", tmp_path / "loud.so"
    source.write_text(
        "#include <stdio.h>\n"
        '__attribute__((constructor)) static void start(void) { puts("{"); fflush(stdout); puts("late"); }\n'
        "int forty_two(void) { return 42; }\n"
    )
    subprocess.run(["cc", "-shared", "-fPIC", "-o", str(path), str(source)], check=True)
    check_library(path, ["forty_two"], "own.h")
    with pytest.raises(FfibenchError, match="does not export `state`"):
        check_library(path, ["state"], "own.h")
