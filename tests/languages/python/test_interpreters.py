"""Python as a language: the tool's own interpreter, others in private environments, what they lack."""

from __future__ import annotations

import shutil
import subprocess
import sys
import venv
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from ffibench.errors import FfibenchError
from ffibench.languages.python import environments
from ffibench.languages.python.language import LANGUAGE
from ffibench.model.runtime import Missing, Runtime
from ffibench.paths import PACKAGE
from ffibench.worker.describe import describe


def own() -> Runtime:
    (runtime,) = LANGUAGE.runtimes((), ())
    assert isinstance(runtime, Runtime)
    return runtime


def test_the_tool_s_own_interpreter_needs_nothing_private() -> None:
    runtime = own()
    assert runtime.executable == sys.executable
    assert runtime.label.endswith(runtime.version)
    assert LANGUAGE.runtimes((sys.executable,), ("cffi",)) == [runtime]
    assert LANGUAGE.runtimes((sys.executable, sys.executable), ("cffi",)) == [runtime]


def test_packages_are_looked_for_where_the_worker_would() -> None:
    assert LANGUAGE.package(own(), "cffi") == metadata.version("cffi")
    missing = LANGUAGE.package(own(), "no-such-package")
    assert isinstance(missing, Missing)
    assert missing.fix == f"{sys.executable} -m pip install no-such-package"


def test_a_missing_header_is_told_with_the_command_that_installs_it(tmp_path: Path) -> None:
    runtime = own()
    missing = LANGUAGE.build_needs(replace(runtime, context={**runtime.context, "include": str(tmp_path)}))
    assert missing is not None
    assert "Python.h" in missing.reason
    assert missing.fix == "apt-get install python3-dev"


@pytest.mark.parametrize(
    ("version", "free_threaded", "words"),
    [
        ("3.11.7", "", "its stable ABI is that of CPython 3.12 or later, and this is"),
        ("3.13.0", "yes", "its stable ABI is that of CPython with a GIL, and this is"),
        ("3.12.1", "", None),
        ("3.13.0", "", None),
    ],
)
def test_a_stable_abi_has_a_first_version_and_a_gil(version: str, free_threaded: str, words: str | None) -> None:
    """Nothing that could be installed would help, so that a run without the row is complete."""
    runtime = own()
    found = replace(runtime, version=version, context={**runtime.context, "free_threaded": free_threaded})
    missing = LANGUAGE.build_needs(found, {"limited_api": "0x030C0000"})
    assert (missing is None) == (words is None)
    if missing is not None:
        assert words is not None
        assert missing.reason.startswith(words)
        assert missing.never
        assert missing.fix == "use --python PATH with one"
    assert LANGUAGE.build_needs(found, {}) is None


def test_a_worker_is_started_apart_from_the_tool_s_packages() -> None:
    command = LANGUAGE.command(own(), Path("/x/python.py"), Path("/y/shim.so"))
    assert command[1:3] == ["-I", "-B"]
    assert command[3].endswith("worker/__main__.py")
    assert command[4:] == ["source=/x/python.py", "shim=/y/shim.so"]


@pytest.mark.parametrize("text", ["#!/bin/sh\nexit 0\n", "#!/bin/sh\necho '[]'\n", "#!/no/such/interpreter\n"])
def test_what_is_no_python_is_told(tmp_path: Path, text: str) -> None:
    fake = tmp_path / "python"
    fake.write_text(text, encoding="utf-8")
    fake.chmod(0o755)
    with pytest.raises(FfibenchError, match="is not a Python interpreter"):
        LANGUAGE.runtimes((str(fake),), ())


def test_an_interpreter_that_is_too_old_is_told(tmp_path: Path) -> None:
    fake = tmp_path / "python"
    fake.write_text('#!/bin/sh\necho \'{"version": "3.9.1"}\'\n', encoding="utf-8")
    fake.chmod(0o755)
    with pytest.raises(FfibenchError, match=r"is Python 3\.9\.1; workers need 3\.10"):
        LANGUAGE.runtimes((str(fake),), ())


@pytest.fixture(scope="module")
def another(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Make an interpreter that is not the tool's own: an environment of it, without packages."""
    folder = tmp_path_factory.mktemp("another")
    venv.create(folder, with_pip=False)
    return str(folder / "bin" / "python")


def test_another_interpreter_gets_a_private_environment(another: str, monkeypatch: pytest.MonkeyPatch) -> None:
    installed: list[list[str]] = []

    def install(python: Path, wanted: list[str]) -> bool:
        installed.append(wanted)
        return True

    monkeypatch.setattr(environments, "_install", install)
    (runtime,) = LANGUAGE.runtimes((another,), ("cffi", "pyzmq"))
    assert isinstance(runtime, Runtime)
    assert runtime.executable != sys.executable
    assert runtime.context["base"] == describe()["base"]
    assert installed == [[f"cffi=={metadata.version('cffi')}", f"pyzmq=={metadata.version('pyzmq')}"]]
    LANGUAGE.runtimes((another,), ("cffi", "pyzmq"))
    assert len(installed) == 1, "a complete environment is kept"


def test_without_network_the_rows_that_need_packages_say_so(another: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # No index answers there; pip gives up at once.
    for name, value in (("PIP_INDEX_URL", "http://127.0.0.1:9/simple"), ("PIP_NO_INDEX", "1"), ("PIP_FIND_LINKS", "")):
        monkeypatch.setenv(name, value)
    (runtime,) = LANGUAGE.runtimes((another,), ("cffi",))
    assert isinstance(runtime, Runtime)
    missing = LANGUAGE.package(runtime, "cffi")
    assert isinstance(missing, Missing)
    assert "could not be installed" in missing.reason
    assert "network" in missing.reason


def test_two_builds_of_one_version_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = describe()

    def described(path: str) -> dict[str, str]:
        return {**facts, "base": path, "purelib": path, "executable": path, "real": path}

    def unchanged(about: dict[str, str], packages: Any) -> str:  # noqa: ANN401
        return about["base"]

    monkeypatch.setattr("ffibench.languages.python.language.run_describe", described)
    monkeypatch.setattr("ffibench.languages.python.language.private_environment", unchanged)
    labels = [runtime.label for runtime in LANGUAGE.runtimes(("/one", "/two"), ()) if isinstance(runtime, Runtime)]
    assert labels == [f"CPython {facts['version']} at /one", f"CPython {facts['version']} at /two"]


def test_describe_runs_by_file_path_in_any_interpreter() -> None:
    path = PACKAGE / "worker" / "describe.py"
    answer = subprocess.run([sys.executable, "-I", str(path)], capture_output=True, text=True, check=True)
    assert f'"version": "{describe()["version"]}"' in answer.stdout
    assert shutil.which(describe()["executable"])
