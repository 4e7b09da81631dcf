"""An experiment may lie in several files: `experiment.py` imports helpers beside it, read as often as it is."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ffibench.catalog import find_experiment
from ffibench.errors import FfibenchError

EXPERIMENT = """
from ffibench.model import Case, Experiment, LibrarySources

from ._words import TITLE

def cases(values):
    return (Case(name="one", operation="nothing", iterations=1, receipt=lambda n: {"calls": n}),)

EXPERIMENT = Experiment(
    title=TITLE, header="own.h", functions=("own",), library=LibrarySources(sources=("own.c",)), cases=cases
)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "experiment.py").write_text(EXPERIMENT, encoding="utf-8")
    for name in ("own.h", "own.c", "c.c"):
        (folder / name).write_text("", encoding="utf-8")
    return folder


def title(folder: Path, words: str) -> str:
    (folder / "_words.py").write_text(words, encoding="utf-8")
    return find_experiment(str(folder)).experiment.title


def told(folder: Path) -> str:
    with pytest.raises(FfibenchError) as caught:
        find_experiment(str(folder))
    return str(caught.value)


def test_a_helper_is_imported_and_is_no_contestant(folder: Path) -> None:
    assert title(folder, "TITLE = 'words'") == "words"
    assert [source.path.name for source in find_experiment(str(folder)).sources] == ["c.c"]


def test_a_changed_helper_is_read_again_be_it_of_the_same_length_in_the_same_second(folder: Path) -> None:
    assert [title(folder, f"TITLE = 'words {number}'") for number in range(5)] == [f"words {each}" for each in range(5)]


def test_a_helper_of_a_helper_is_read_again(folder: Path) -> None:
    found = []
    for number in range(2):
        (folder / "_more.py").write_text(f"NUMBER = {number}", encoding="utf-8")
        found.append(title(folder, "from ._more import NUMBER\nTITLE = f'words {NUMBER}'"))
    assert found == ["words 0", "words 1"]


def test_folders_of_one_name_have_helpers_of_their_own(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / folder.name
    other.parent.mkdir()
    assert title(folder, "TITLE = 'one'") == "one"
    (folder.rename(other) / "_words.py").write_text("TITLE = 'other'", encoding="utf-8")
    assert find_experiment(str(other)).experiment.title == "other"


def test_no_bytecode_is_left_in_a_users_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    assert title(folder, "TITLE = 'words'")
    assert not (folder / "__pycache__").exists()
    assert not sys.dont_write_bytecode


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("raise KeyError(7)", "KeyError: 7"),
        ("raise SystemExit('no')", "SystemExit: no"),
        ("TITLE = ", "SyntaxError: invalid syntax (_words.py, line 1)"),
        ("def fail():\n    raise OSError('no')\nfail()", "OSError: no"),
    ],
)
def test_a_helper_that_fails_is_named(folder: Path, words: str, sentence: str) -> None:
    (folder / "_words.py").write_text(words, encoding="utf-8")
    before = {*sys.modules}
    assert told(folder) == f"{folder / '_words.py'} cannot be read: {sentence}; correct this file"
    assert {*sys.modules} == before, "what failed is not imported"
    assert title(folder, "TITLE = 'mended'") == "mended"


def test_a_helper_that_is_not_there_is_named_as_it_is_imported(folder: Path) -> None:
    told_of = f"{folder / 'experiment.py'} cannot be read: ModuleNotFoundError: No module named '._words'"
    assert told(folder) == f"{told_of}; correct this file"
    assert title(folder, "TITLE = 'there now'") == "there now"


def test_a_helper_that_lacks_what_is_imported_is_told(folder: Path) -> None:
    (folder / "_words.py").write_text("", encoding="utf-8")
    assert told(folder).startswith(
        f"{folder / 'experiment.py'} cannot be read: ImportError: cannot import name 'TITLE' from '._words' ("
    )
