"""The promise: a module is imported from its file, under a name that stands in nobody's way."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from ffibench.worker.load import import_contestant, import_file


@pytest.fixture(autouse=True)
def _modules_as_they_were() -> Iterator[None]:
    before = dict(sys.modules)
    yield
    for name in sys.modules.keys() - before.keys():
        del sys.modules[name]
    sys.modules.update(before)


def write(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_file_is_a_module(tmp_path: Path) -> None:
    module = import_file(write(tmp_path, "made_up.py", "number = 42\n"))
    assert module.number == 42
    assert module.__name__ == "made_up"
    assert sys.modules["made_up"] is module


def test_its_name_ends_at_the_first_dot(tmp_path: Path) -> None:
    """As an extension module's must: `_shim.cpython-311-x86_64-linux-gnu.so` has an init function for `_shim`."""
    assert import_file(write(tmp_path, "made_up.of.parts.py", "")).__name__ == "made_up"


def test_an_extension_module_is_one_too() -> None:
    """In a process of its own, since some cannot be loaded twice."""
    found = find_spec("_cffi_backend")
    assert found is not None
    assert found.origin is not None
    code = (
        "import sys; from ffibench.worker.load import import_file; module = import_file(sys.argv[1])\n"
        "print(module.__name__, module.FFI, sys.modules['_cffi_backend'] is module)"
    )
    command = [sys.executable, "-c", code, found.origin]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    assert answer.stdout == "_cffi_backend <class '_cffi_backend.FFI'> True\n"


def test_a_contestants_file_may_be_called_like_a_module_that_is_there(tmp_path: Path) -> None:
    """`json.py` that imports `json` gets the other one, and so does everybody else."""
    import json

    module = import_contestant(write(tmp_path, "json.py", "import json\nthe_other = json\n"))
    assert module is not json
    assert module.the_other is json
    assert sys.modules["json"] is json


def test_a_shim_may_not_be_called_like_a_module_that_is_there(tmp_path: Path) -> None:
    import json

    with pytest.raises(ImportError, match=r"json\.py has the name of a module that is loaded already"):
        import_file(write(tmp_path, "json.py", ""))
    assert sys.modules["json"] is json


def test_a_dataclass_in_it_finds_its_module(tmp_path: Path) -> None:
    text = "from __future__ import annotations\nfrom dataclasses import dataclass\n@dataclass\nclass A:\n    x: int\n"
    assert import_file(write(tmp_path, "made_up.py", text)).A(3).x == 3


def test_a_contestant_imports_a_helper_beside_it(tmp_path: Path) -> None:
    write(tmp_path, "_shared.py", "FILTER = b'10001 '\n")
    path = write(tmp_path, "mine.py", "from ._shared import FILTER\n")
    before = list(sys.path)
    assert import_contestant(path).FILTER == b"10001 "
    assert sys.path == before


def test_nothing_in_a_contestants_folder_hides_a_module(tmp_path: Path) -> None:
    """`json.py` itself, another contestant beside it, and a helper."""
    import bisect
    import colorsys
    import json

    for name in ("bisect.py", "colorsys.py"):
        write(tmp_path, name, "number = 42\n")
    write(tmp_path, "_shared.py", "import bisect\n")
    text = "import colorsys, json\nfrom ._shared import bisect\nothers = [bisect, colorsys, json]\n"
    module = import_contestant(write(tmp_path, "json.py", text))
    assert module.others == [bisect, colorsys, json]
    assert sys.modules["json"] is json


@pytest.mark.parametrize("name", ["made_up.txt", "made_up"])
def test_what_is_no_module_is_said_to_be_none(name: str, tmp_path: Path) -> None:
    path = write(tmp_path, name, "number = 42\n")
    with pytest.raises(ImportError, match=f"^{path} is no Python module$"):
        import_file(path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        import_file(str(tmp_path / "made_up.py"))
