"""PyPy is found with its version, its cffi and its headers, or told what it lacks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from ffibench.errors import FfibenchError
from ffibench.languages.pypy import INSTALL, LANGUAGE, _facts, _version
from ffibench.model.runtime import Missing, Runtime


def found() -> Runtime | Missing:
    (only,) = LANGUAGE.runtimes((), ())
    return only


def runtime() -> Runtime:
    only = found()
    assert isinstance(only, Runtime)
    return only


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that is the whole of PATH. What was found of other programs is forgotten before and after."""
    monkeypatch.setenv("PATH", str(tmp_path))
    for cached in (_facts, _version):
        cached.cache_clear()
    yield tmp_path
    for cached in (_facts, _version):
        cached.cache_clear()


def fake_pypy(folder: Path, name: str = "pypy3", *, python: str = "3.9.16", cffi: str = "echo 1.15.1") -> Path:
    """A shell script that says its version, describes itself, and imports cffi by a command of its own."""
    script = folder / name
    facts = dict.fromkeys(("base", "build", "suffix", "debug", "pgo", "lto"), "")
    described = json.dumps({**facts, "version": python, "include": str(folder), "executable": str(script)})
    script.write_text(
        f"""#!/bin/sh
case "$*" in
    --version) echo "Python {python} (7.3.11+dfsg-2)"; echo "[PyPy 7.3.11 with GCC 12.2.0]" ;;
    *describe.py) echo '{described}' ;;
    *cffi) {cffi} ;;
    *) exit 1 ;;
esac
""",
        encoding="ascii",
    )
    script.chmod(0o755)
    return script


@pytest.mark.parametrize("name", ["pypy3", "pypy"])
def test_its_version_is_that_of_pypy_and_not_of_python(path: Path, name: str) -> None:
    script = fake_pypy(path, name)
    assert (runtime().label, runtime().executable) == ("PyPy 7.3.11", str(script))
    assert LANGUAGE.package(runtime(), "cffi") == "1.15.1"


def test_an_old_one_says_what_workers_need(path: Path) -> None:
    script = fake_pypy(path, python="3.8.13")
    reason = "PyPy 7.3.11 is Python 3.8.13, and workers need 3.9 or newer"
    assert found() == Missing(reason=reason, fix=INSTALL)
    with pytest.raises(FfibenchError, match=f"--with pypy: {reason}"):
        LANGUAGE.runtimes([str(script)], ())


def test_another_python_is_no_pypy(path: Path) -> None:
    script = path / "pypy3"
    script.write_text("#!/bin/sh\necho Python 3.11.7\n", encoding="ascii")
    script.chmod(0o755)
    assert found() == Missing(reason=f"{script} does not run as PyPy: Python 3.11.7", fix=INSTALL)
    with pytest.raises(FfibenchError, match=r"--with pypy: .* does not run as PyPy"):
        LANGUAGE.runtimes([str(script)], ())


def test_one_that_cannot_describe_itself_does_not_run(path: Path) -> None:
    script = fake_pypy(path)
    text = script.read_text(encoding="ascii")
    script.write_text(text.replace("*describe.py) echo", "*describe.py) echo no module json >&2; false"))
    assert found() == Missing(reason=f"{script} does not run as PyPy: no module json", fix=INSTALL)


def test_an_extension_module_needs_the_headers(path: Path) -> None:
    fake_pypy(path)
    missing = LANGUAGE.build_needs(runtime())
    assert missing == Missing(reason=f"PyPy 7.3.11 has no Python.h in {path}", fix="apt-get install pypy3-dev")
    (path / "Python.h").touch()
    assert LANGUAGE.build_needs(runtime()) is None


def test_what_changes_a_build_is_in_the_identity(path: Path) -> None:
    fake_pypy(path)
    one = runtime()
    assert one.context["suffix"] == ""
    _facts.cache_clear()
    script = path / "pypy3"
    script.write_text(script.read_text(encoding="ascii").replace('"suffix": ""', '"suffix": ".pypy39.so"'))
    assert runtime().identity != replace(one).identity


def test_a_package_that_it_has_not_is_told(path: Path) -> None:
    fake_pypy(path, cffi="exit 1")
    assert LANGUAGE.package(runtime(), "cffi") == Missing(reason="PyPy 7.3.11 has no package cffi", fix=INSTALL)
    other = LANGUAGE.package(runtime(), "zmq")
    assert other == Missing(reason="PyPy 7.3.11 has no package zmq", fix=f"{path / 'pypy3'} -m pip install zmq")
