"""`ffibench eject`: unedited, the contestant in the folder is the original."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from support.anywhere import skip_without
from support.command import Cli, assert_told
from support.foo import foo_in, measured
from support.trees import plant

from ffibench.builds.library import find_library
from ffibench.catalog import Candidate, Folder, candidates, find_experiment
from ffibench.errors import FfibenchError
from ffibench.model import BASELINE
from ffibench.paths import PACKAGE, asset, cache_path
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
    """What is built for a contestant, file by file; the path of its loop, which some name, is that of `loop`."""
    candidate = contestant(folder, name)
    library = find_library(folder.experiment, folder.path, None)
    project = candidate.project(folder, library, {})
    assert project is not None
    return {each: text.replace(str(candidate.source.path), "loop") for each, text in project.render().items()}


def contestant(folder: Folder, name: str) -> Candidate:
    (found,) = (each for each in candidates(folder, patterns=(name,)) if each.contestant.name == name)
    return found


NAMES = [
    f"{technology.language}/{name}"
    for technology in (*technologies(), *find_experiment("xsub").own)
    for name, binding in technology.bindings.items()
    if not binding.scalars and not binding.static and name != BASELINE
]
"""Those that xsub can have: its functions take a size_t, and its library comes without sources."""


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
    texts = "".join((written.path / each).read_text(encoding="utf-8") for each in written.files)
    assert not [each for each in (PACKAGE, asset("native"), cache_path("shims")) if str(each) in texts]


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


OTHERS = ["cpp/extern", "go/purego", "luajit/ffi~joff", "nim/importc", "node/koffi", "pypy/cffi-api", "ruby/cext~yjit"]
"""Programs, one with a core and one whose compiler looks beside the loop; options; a template; a loop of another."""


@pytest.mark.parametrize("name", OTHERS)
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


@pytest.mark.parametrize(("language", "suffix"), [("c", ".c"), ("nim", ".nim")])
def test_a_contestant_that_is_a_program_by_itself_runs(language: str, suffix: str, cli: Cli, tmp_path: Path) -> None:
    """It lies in an experiment that extends another one, which the ejected one then extends in turn."""
    skip_without("xsub", next(each for each in NAMES if each.startswith(f"{language}/")))
    source = asset("experiments/xsub") / f"{language}{suffix}"
    extension = 'from ffibench.model import Extension\n\nEXPERIMENT = Extension(of="xsub")\n'
    plant(tmp_path / "ours", {"experiment.py": extension, f"second{suffix}": source.read_text(encoding="utf-8")})
    written = eject(str(tmp_path / "ours"), f"{language}/second", str(tmp_path / "mine"), ContestantOptions())
    assert written.contestant == f"{language}/second-mine"
    assert written.files == ("experiment.py", f"second_mine{suffix}")
    names = [word for name in (written.original, written.contestant) for word in ("-c", name)]
    assert written.contestant in measured(cli("run", str(tmp_path / "mine"), *names, *ROUND))


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
