"""Node is found with its headers, its npm and its own module for calls of C, or told what it lacks."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from msgspec.structs import replace
from support.anywhere import runtime_or_skip
from support.command import Cli
from support.trees import plant

from ffibench.languages import programs
from ffibench.languages.node import LANGUAGE, _ffi
from ffibench.languages.programs import _runtime
from ffibench.model.runtime import Missing, Runtime


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose `bin` is the whole of PATH, on a machine without the wheel."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(programs, "wheel_path", lambda *_: None)
    _runtime.cache_clear()
    _ffi.cache_clear()
    return tmp_path


def found() -> Runtime | Missing:
    (only,) = LANGUAGE.runtimes((), ())
    return only


def fake_node(home: Path, *, version: str = "20.1.2", ffi: str = "", then: str = "") -> Path:
    """A shell script that answers what node is asked about itself."""
    script = home / "bin" / "node"
    asked = f'case "$1" in -p) echo "v{version} {script}";; -e) echo "{ffi}";; esac'
    script.write_text(f"#!/bin/sh\n{then}\n{asked}\n", encoding="ascii")
    script.chmod(0o755)
    return script


def faked(home: Path, **facts: str) -> Runtime:
    fake_node(home, **facts)
    runtime = found()
    assert isinstance(runtime, Runtime)
    return runtime


def test_an_addon_needs_the_header(path: Path) -> None:
    runtime = faked(path)
    include = path / "include" / "node"
    missing = LANGUAGE.build_needs(runtime)
    assert missing is not None
    assert missing.reason == f"node 20.1.2 has no node_api.h in {include}"
    assert missing.fix.startswith("pip install 'ffibench[languages]'")
    include.mkdir(parents=True)
    (include / "node_api.h").touch()
    assert LANGUAGE.build_needs(runtime) is None


def test_debian_s_headers_are_a_package(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runtime = faked(path)
    monkeypatch.setattr(Path, "is_file", lambda _: False)
    missing = LANGUAGE.build_needs(replace(runtime, context={**runtime.context, "include": "/usr/include/node"}))
    assert missing is not None
    assert missing.fix == "apt-get install libnode-dev"


def test_koffi_is_fetched_by_npm(path: Path) -> None:
    assert LANGUAGE.package(faked(path), "koffi") == Missing(
        reason="there is no npm on PATH, which fetches koffi", fix="apt-get install npm"
    )
    beside = path / "lib" / "node_modules" / "npm" / "bin"
    beside.mkdir(parents=True)
    (beside / "npm-cli.js").touch()
    version = LANGUAGE.package(faked(path), "koffi")
    assert isinstance(version, str)
    assert version[0].isdigit()


def test_any_other_package_is_one_that_node_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runtime = runtime_or_skip("node")
    manifest = '{"version": "1.2.3", "exports": {".": "./index.js"}}'
    plant(tmp_path / "node_modules", {"ffibench-sums/package.json": manifest, "@ffibench/sums/package.json": "{}"})
    (tmp_path / "deep").mkdir()
    monkeypatch.chdir(tmp_path / "deep")
    assert LANGUAGE.package(runtime, "ffibench-sums") == "1.2.3"
    assert LANGUAGE.package(runtime, "@ffibench/sums") == "unknown"
    assert LANGUAGE.package(runtime, "ffibench-gone") == Missing(
        reason=f"{runtime.label} finds no package ffibench-gone here", fix="npm install ffibench-gone"
    )
    assert LANGUAGE.package(runtime, "../sums") == Missing(
        reason="'../sums' is not the name of a package of npm", fix="correct it, as in koffi"
    )


def test_a_technology_whose_package_is_not_there_is_listed(cli: Cli, tmp_path: Path) -> None:
    runtime_or_skip("node")
    extension = 'from ffibench.model import Extension\n\nEXPERIMENT = Extension(of="xsub")\n'
    technology = 'artifact = "{module}.mjs"\npackage = "ffibench-gone"\n[bindings.gone]\n'
    plant(tmp_path, {"experiment.py": extension, "shims/node/gone/technology.toml": technology})
    answer = cli("list", str(tmp_path))
    assert answer.returncode == 0, answer.stderr
    assert "npm install ffibench-gone" in answer.stdout


@pytest.mark.parametrize("ffi", ["there", "--experimental-ffi"])
def test_node_ffi_is_used_where_node_has_it(path: Path, ffi: str) -> None:
    runtime = faked(path, ffi=ffi, version="26.1.0")
    assert LANGUAGE.run_needs(runtime, {"ffi": "yes"}) is None
    command = LANGUAGE.command(runtime, Path("/some.mjs"), Path("/shim.mjs"), {"ffi": "yes"})
    kit = next(number for number, word in enumerate(command) if word.endswith("ffibench.mjs"))
    flag = [ffi] if ffi.startswith("-") else []
    assert command[:kit] == [runtime.executable, "--disable-warning=ExperimentalWarning", *flag]
    assert command[kit + 1 :] == ["source=/some.mjs", "shim=/shim.mjs"]
    assert LANGUAGE.command(runtime, Path("/some.mjs"), None)[1].endswith("ffibench.mjs")


def test_without_node_ffi_its_binding_says_so(path: Path) -> None:
    runtime = faked(path)
    assert LANGUAGE.run_needs(runtime, {}) is None
    missing = LANGUAGE.run_needs(runtime, {"ffi": "yes"})
    assert missing is not None
    assert missing.reason == "node 20.1.2 has no module node:ffi, which is there since Node 26.1"


def test_new_objects_have_a_space_of_the_size_that_a_binding_asks_for(path: Path) -> None:
    runtime = faked(path)
    plain = LANGUAGE.command(runtime, path, path, {})
    sized = LANGUAGE.command(runtime, path, path, {"young": "2"})
    assert list(sized) == [plain[0], "--min-semi-space-size=2", "--max-semi-space-size=2", *plain[1:]]


def test_the_words_are_those_that_no_variable_can_have(tmp_path: Path) -> None:
    node = runtime_or_skip("node").executable
    numbers = {"Infinity", "NaN", "undefined"}  # a variable could have their names: loops mean the numbers
    others = {"async", "of", "get", "native", "Number"}
    usable = set()
    for word in (LANGUAGE.keywords | others) - numbers:
        source = tmp_path / "word.mjs"
        source.write_text(f"const {word} = 42;\n", encoding="utf-8")
        if subprocess.run([node, "--check", str(source)], capture_output=True, check=False).returncode == 0:
            usable.add(word)
    assert usable == others
