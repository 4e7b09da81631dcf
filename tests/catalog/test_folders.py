"""Experiments on disk: found by name or folder, their contestants told by their files' names."""

from __future__ import annotations

from pathlib import Path

import pytest

from ffibench.catalog import experiment_names, find_experiment
from ffibench.errors import FfibenchError

EXPERIMENT = """
from ffibench.model import Case, Experiment, LibrarySources

def cases(values):
    return (Case(name="one", operation="nothing", iterations=1, receipt=lambda n: {"calls": n}),)

EXPERIMENT = Experiment(
    title="a test", header="own.h", functions=("own",), library=LibrarySources(sources=("own.c",)), cases=cases
)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "experiment.py").write_text(EXPERIMENT, encoding="utf-8")
    for name in ("own.h", "own.c", "c.c", "python.py", "_shared.py", "notes.txt", ".hidden.py"):
        (folder / name).write_text("", encoding="utf-8")
    return folder


def test_shipped_experiments_are_known_by_their_folders() -> None:
    assert "xsub" in experiment_names()
    assert find_experiment("xsub").header.name == "zmq.h"


def test_a_folder_is_an_experiment_wherever_it_lies(folder: Path) -> None:
    found = find_experiment(str(folder))
    assert found.name == "own"
    assert found.header == folder / "own.h"


def test_a_file_named_as_its_language_drives_the_shims_and_any_other_is_a_contestant(folder: Path) -> None:
    (folder / "py_zmq.py").write_text(
        '"""Doc.\n\nffibench: lock=released distribution=pyzmq own-library\n"""\n', encoding="utf-8"
    )
    (folder / "ffi.pl").write_text("# ffibench: distribution=ZMQ::FFI\n", encoding="utf-8")
    (folder / "fast.c").write_text("/* ffibench: lock=held */\n", encoding="utf-8")
    (folder / "fast.rs").write_text("use ffibench::{Case, Worker};\n", encoding="utf-8")
    sources = {(source.language, source.stem): source for source in find_experiment(str(folder)).sources}
    assert set(sources) == {
        ("c", "c"),
        ("c", "fast"),
        ("python", "python"),
        ("python", "py-zmq"),
        ("perl", "ffi"),
        ("rust", "fast"),
    }
    assert sources["python", "python"].drives_shims
    assert not sources["python", "py-zmq"].drives_shims
    assert sources["python", "py-zmq"].words == {"lock": "released", "distribution": "pyzmq", "own-library": ""}
    assert sources["perl", "ffi"].words == {"distribution": "ZMQ::FFI"}
    assert sources["c", "fast"].words == {"lock": "held"}
    assert sources["rust", "fast"].words == {}
    assert sources["python", "python"].words == {}


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        ({"experiment.py": None}, "no experiment.py in"),
        ({"experiment.py": "import no_such_module"}, "ModuleNotFoundError"),
        ({"experiment.py": "raise SystemExit"}, "cannot be read"),
        ({"experiment.py": "EXPERIMENT = 5"}, "binds no ffibench.model.Experiment"),
        ({"c.c": None}, "every experiment needs the baseline"),
        ({"own.h": None}, "no header own.h in"),
        ({"old.py": "# ffibench: gil=held\n"}, "the word `gil=held` after `ffibench:` is not known; write lock=held"),
        ({"odd.py": "# ffibench: lock=maybe\n"}, "the word `lock=maybe` after `ffibench:` is not known"),
        ({"odd.py": "# ffibench: statik\n"}, "the word `statik` after `ffibench:` is not known"),
    ],
)
def test_a_spoiled_folder_is_told(folder: Path, spoil: dict[str, str | None], sentence: str) -> None:
    for name, text in spoil.items():
        if text is None:
            (folder / name).unlink()
        else:
            (folder / name).write_text(text, encoding="utf-8")
    with pytest.raises(FfibenchError, match=sentence):
        find_experiment(str(folder))


def test_an_unknown_name_brings_the_nearest() -> None:
    with pytest.raises(FfibenchError, match=r"no experiment 'xsbu' \(did you mean xsub\?\); run `ffibench list`"):
        find_experiment("xsbu")
