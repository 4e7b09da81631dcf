"""`ffibench eject`: unedited, the contestant in the folder is the original."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from support.anywhere import skip_without
from support.command import Cli, assert_told
from support.foo import foo_in, measured

from ffibench.builds.library import find_library
from ffibench.catalog import Candidate, Folder, candidates, find_experiment
from ffibench.errors import FfibenchError
from ffibench.plan.options import ContestantOptions
from ffibench.shims.technology import Technology, read_technology, technologies
from ffibench.workflow.eject import eject, technology_file

ROUND = ["--rounds", "1", "--iterations", "1k"]


ALL = [
    *technologies(),
    *(each for name in ("calls", "xsub") for each in find_experiment(name).own),
]


def bare(technology: Technology) -> Technology:
    """A technology without what follows from where it lies, and without its bindings."""
    return replace(technology, bindings={}, folder=Path(), loop=None, module=None, narrow="")


@pytest.mark.parametrize(
    ("technology", "name"),
    [pytest.param(each, name, id=f"{each.language}/{name}") for each in ALL for name in each.bindings],
)
def test_it_says_of_itself_all_that_the_original_says(technology: Technology, name: str, tmp_path: Path) -> None:
    folder = tmp_path / technology.language / f"{name}~mine"
    folder.mkdir(parents=True)
    text = technology_file(technology, name, "its_module", of="xsub")
    (folder / "technology.toml").write_text(text, encoding="utf-8")
    mine = read_technology(folder)
    assert bare(mine) == bare(technology)
    assert mine.bindings == {f"{name}~mine": technology.bindings[name]}
    assert mine.module == "its_module"
    assert bare(mine.narrowed(f"{name}~mine")) == bare(technology.narrowed(name))


def rendered(folder: Folder, name: str) -> dict[str, str]:
    """What is built for a contestant, file by file."""
    candidate = contestant(folder, name)
    library = find_library(folder.experiment, folder.path, None)
    project = candidate.project(folder, library, {})
    assert project is not None
    return dict(project.render())


def contestant(folder: Folder, name: str) -> Candidate:
    (found,) = (each for each in candidates(folder, patterns=(name,)) if each.contestant.name == name)
    return found


NAMES = [
    f"{technology.language}/{name}"
    for technology in (*technologies(), *find_experiment("xsub").own)
    if not technology.program
    for name, binding in technology.bindings.items()
    if not binding.scalars
]
"""Those that xsub can have: its functions take a size_t."""


@pytest.mark.parametrize("name", NAMES)
def test_the_same_is_built_of_it_byte_for_byte(name: str, tmp_path: Path) -> None:
    skip_without("xsub", name)
    written = eject("xsub", name, str(tmp_path / "mine"), ContestantOptions())
    folder = find_experiment(str(tmp_path / "mine"))
    assert written.contestant == f"{name}~mine"
    assert rendered(folder, written.contestant) == rendered(folder, name)
    original, mine = contestant(folder, name), contestant(folder, f"{name}~mine")
    assert mine.source.path != original.source.path
    assert mine.source.path.read_bytes() == original.source.path.read_bytes()
    assert mine.binding == original.binding
    assert mine.technology is not None
    assert original.technology is not None
    assert bare(mine.technology) == bare(original.technology)
    assert replace(mine.contestant, name=name) == original.contestant


def test_it_runs_beside_the_original_and_what_is_edited_counts(cli: Cli, tmp_path: Path) -> None:
    place = tmp_path / "mine"
    answer = cli("eject", "xsub", "python/capi", str(place))
    assert answer.returncode == 0, answer.stderr
    assert f"ffibench run {place} -c python/capi -c 'python/capi~mine'" in answer.stdout
    run = ("run", str(place), "-c", "python/capi", "-c", "python/capi~mine", *ROUND)
    out = measured(cli(*run))
    assert "python/capi~mine" in out
    source = place / "shims/python/capi~mine/zmq_capi.c"
    source.write_text("#error edited\n", encoding="utf-8")
    answer = cli(*run)
    assert "edited" in answer.stderr
    assert "python/capi~mine" in answer.stderr


@pytest.mark.parametrize("name", ["luajit/ffi~joff", "node/koffi", "pypy/cffi-api", "ruby/cext~yjit"])
def test_a_contestant_of_another_language_runs(name: str, cli: Cli, tmp_path: Path) -> None:
    skip_without("xsub", name)
    eject("xsub", name, str(tmp_path / "mine"), ContestantOptions())
    out = measured(cli("run", str(tmp_path / "mine"), "-c", name, "-c", f"{name}~mine", *ROUND))
    assert f"{name}~mine" in out


def test_a_contestant_that_is_a_file_is_copied_with_its_helpers(cli: Cli, tmp_path: Path) -> None:
    eject("xsub", "python/pyzmq-raw", str(tmp_path / "mine"), ContestantOptions())
    assert {path.name for path in (tmp_path / "mine").iterdir()} == {"experiment.py", "pyzmq_raw~mine.py"}
    out = measured(cli("run", str(tmp_path / "mine"), "-c", "python/pyzmq-raw~mine", *ROUND))
    assert "python/pyzmq-raw~mine" in out


def test_calls_of_a_header_are_ejected_too(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    foo_in(tmp_path)
    monkeypatch.chdir(tmp_path)
    named = ["--library", "./libfoo.so", "--call", "foo_add(1000, 2)", "--call", 'foo_length("abc")']
    answer = cli("eject", "foo.h", "python/capi", "mine", *named)
    assert answer.returncode == 0, answer.stderr
    for path in Path("mine").rglob("*"):
        assert not path.is_file() or str(tmp_path) not in path.read_text(encoding="utf-8")
    out = measured(cli("run", "./mine", "-c", "python/capi~mine", "--rounds", "1"))
    assert "python/" in out
    assert "verified" in out


def test_an_experiment_in_a_folder_is_named_from_the_new_one(tally: Path, tmp_path: Path) -> None:
    eject(str(tally), "python/ctypes", str(tmp_path / "deep/mine"), ContestantOptions())
    assert 'Extension(of="../../tally")' in (tmp_path / "deep/mine/experiment.py").read_text(encoding="utf-8")
    names = {each.contestant.name for each in candidates(find_experiment(str(tmp_path / "deep/mine")))}
    assert {"c", "control", "python/ctypes", "python/ctypes~mine"} <= names


@pytest.mark.parametrize(
    ("experiment", "name", "sentence"),
    [
        ("xsub", "c", "c is what all contestants are compared with"),
        ("xsub", "python/pybind12", r"no contestant 'python/pybind12'.*pybind11"),
        ("xsub", "python/*", "names several contestants"),
        ("gone", "python/capi", "no experiment 'gone'"),
    ],
)
def test_a_mistake_is_told(experiment: str, name: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(FfibenchError, match=sentence):
        eject(experiment, name, str(tmp_path / "mine"), ContestantOptions())
    assert not (tmp_path / "mine").exists()


def test_nothing_is_written_over(cli: Cli, tally: Path) -> None:
    assert_told(cli("eject", "xsub", "python/capi", str(tally)), "is there already")
