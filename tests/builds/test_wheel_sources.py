"""A library may be made of the sources that a Python package carries: found without importing it, built as told."""

from __future__ import annotations

import ctypes
import json
import sys
from pathlib import Path

import pytest
from support.command import Cli

from ffibench.builds.library import find_library
from ffibench.builds.sources import library_parts, sources_project
from ffibench.catalog import candidates, find_experiment
from ffibench.errors import FfibenchError, MissingExtraError
from ffibench.model import Case, Experiment, LibrarySources, WheelSources

CARRIED = WheelSources(distribution="carried", sources=("carried/src/carried.c",), include="carried/include")
OWN = "int carried(void);\nint forty_two(void) { return carried() + ADDED; }\n"
ADDED = ("-DADDED=2",)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place of packages with one that carries C, and that fails where it is imported."""
    site = tmp_path / "site"
    for name, text in {
        "carried/__init__.py": "raise ImportError('not beside this one')\n",
        "carried/src/carried.c": '#include "carried.h"\nint carried(void) { return CARRIED; }\n',
        "carried/include/carried.h": "#define CARRIED 40\nint carried(void);\n",
        "carried-1.2.dist-info/METADATA": "Metadata-Version: 2.1\nName: carried\nVersion: 1.2\n",
        "carried-1.2.dist-info/RECORD": "carried/src/carried.c,,\ncarried/include/carried.h,,\n",
    }.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(site))
    return site


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """The folder of an experiment with a source of its own."""
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "own.c").write_text(OWN, encoding="utf-8")
    return folder


def made_of(*, wheels: tuple[WheelSources, ...] = (CARRIED,), arguments: tuple[str, ...] = ADDED) -> LibrarySources:
    return LibrarySources(sources=("own.c",), wheels=wheels, arguments=arguments)


def experiment(library: LibrarySources) -> Experiment:
    def no_cases(_: object) -> tuple[Case, ...]:
        return ()

    return Experiment(title="", header="own.h", functions=("forty_two",), library=library, cases=no_cases)


def told(library: LibrarySources, folder: Path) -> FfibenchError:
    with pytest.raises(FfibenchError) as caught:
        library_parts(library, folder)
    return caught.value


# --- the sources of a package ---------------------------------------------------------------------


def test_they_are_built_with_the_folders_own_and_the_package_is_not_imported(site: Path, own: Path) -> None:
    found = find_library(experiment(made_of()), own, None)
    assert ctypes.CDLL(found.path).forty_two() == 42
    assert "carried" not in sys.modules


def test_the_parts_name_every_source_and_folder(site: Path, own: Path) -> None:
    parts = library_parts(made_of(), own)
    assert parts is not None
    assert parts.sources == (own / "own.c", site / "carried/src/carried.c")
    assert parts.folders[0] == own
    assert parts.folders[-1] == site / "carried/include"


@pytest.mark.parametrize("name", ["carried/src/carried.c", "carried/include/carried.h"])
def test_another_release_is_another_library(site: Path, own: Path, name: str) -> None:
    before = sources_project(made_of(), own).locate()
    (site / name).write_text((site / name).read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert sources_project(made_of(), own).locate() != before


def test_a_package_that_is_missing_is_told_with_the_command(own: Path) -> None:
    error = told(made_of(), own)
    reason = "the Python package carried is not installed, of whose sources the library under test is made"
    assert str(error) == f"{reason}; pip install carried"
    assert not isinstance(error, MissingExtraError)


def test_a_package_without_a_name_is_told(own: Path) -> None:
    nameless = WheelSources(distribution="", sources=(), include="")
    assert str(told(made_of(wheels=(nameless,)), own)).startswith("the Python package  is not installed, of whose ")


def test_one_that_an_extra_brings_is_told_by_the_extra(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ffibench.builds.sources.extra_of", lambda _: "codec")
    monkeypatch.setattr("ffibench.extras.extra_of", lambda _: "codec")
    error = told(made_of(), own)
    assert isinstance(error, MissingExtraError)
    assert error.fix == "pip install 'ffibench[codec]'"


@pytest.mark.parametrize("name", ["carried/src/carried.c", "carried/include"])
def test_a_file_that_the_package_lacks_is_told(site: Path, own: Path, name: str) -> None:
    (site / name).rename(site / "elsewhere")
    assert str(told(made_of(), own)) == (
        f"carried 1.2 has no {site / name}, which {own / 'experiment.py'} names as a source of its library; "
        "install another version of carried, or correct the name"
    )


def test_several_packages_may_carry_parts(site: Path, own: Path) -> None:
    (site / "carried/src/more.c").write_text("int more(void) { return 1; }\n", encoding="utf-8")
    more = WheelSources(distribution="Carried", sources=("carried/src/more.c",), include="carried/include")
    found = find_library(experiment(made_of(wheels=(CARRIED, more))), own, None)
    assert ctypes.CDLL(found.path).more() == 1


# --- the compiler's arguments ---------------------------------------------------------------------


def test_arguments_reach_the_compiler_and_are_part_of_the_key(site: Path, own: Path) -> None:
    answers = {}
    for added in (2, 3):
        found = find_library(experiment(made_of(arguments=(f"-DADDED={added}",))), own, None)
        answers[found.path] = ctypes.CDLL(found.path).forty_two()
    assert sorted(answers.values()) == [42, 43]


def test_an_argument_is_passed_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "own.c").write_text("const char *forty_two(void) { return TEXT; }\n", encoding="utf-8")
    library = LibrarySources(sources=("own.c",), arguments=("-DTEXT=\"it's 'a' $b\"",))
    found = ctypes.CDLL(find_library(experiment(library), tmp_path, None).path)
    found.forty_two.restype = ctypes.c_char_p
    assert found.forty_two() == b"it's 'a' $b"


PLAIN = 'LibrarySources(sources=("tally.c",))'


def given(tally: Path, value: int) -> Path:
    """Have the library of `tally` compiled with an argument; return the folder."""
    path = tally / "experiment.py"
    text = path.read_text(encoding="utf-8")
    assert PLAIN in text
    library = f'LibrarySources(sources=("tally.c",), arguments=("-DGIVEN={value}",))'
    path.write_text(text.replace(PLAIN, library), encoding="utf-8")
    return tally


def test_a_program_that_has_the_library_inside_is_built_with_the_arguments_too(tally: Path, cli: Cli) -> None:
    source = tally / "tally.c"
    source.write_text(f"#if GIVEN != 1\n#error not given\n#endif\n{source.read_text(encoding='utf-8')}")
    answer = cli("run", str(given(tally, 1)), "-c", "c/static", "--rounds", "1", "--json", "-")
    assert answer.returncode == 0, answer.stderr
    rows = {row["contestant"]: row["valid"] for row in json.loads(answer.stdout)["summary"]}
    assert rows == dict.fromkeys(["c", "control", "c/static"], True)


def test_and_is_another_one_with_others(tally: Path) -> None:
    original, keys = (tally / "experiment.py").read_bytes(), set()
    for value in (1, 2):
        (tally / "experiment.py").write_bytes(original)
        folder = find_experiment(str(given(tally, value)))
        library = find_library(find_experiment("calls").experiment, find_experiment("calls").path, None)
        (static,) = (each for each in candidates(folder, patterns=("c/static",)) if each.contestant.static)
        project = static.project(folder, library, {})
        assert project is not None
        keys.add(project.locate())
    assert len(keys) == 2, "the library under test is the same file here, so that the arguments alone differ"
