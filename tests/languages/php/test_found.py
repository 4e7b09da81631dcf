"""PHP is found with its extensions, or told what it lacks."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.anywhere import skip_if_missing

from ffibench.languages.php import LANGUAGE, _asked
from ffibench.model.runtime import Missing, Runtime


def found() -> Runtime | Missing:
    (only,) = LANGUAGE.runtimes((), ())
    return only


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that is the whole of PATH. What was found of other programs is forgotten before and after."""
    monkeypatch.setenv("PATH", str(tmp_path))
    _asked.cache_clear()
    yield tmp_path
    _asked.cache_clear()


def fake_php(folder: Path, version: str = "8.2.36", *, extensions: str = "printf 8.2.36") -> Path:
    """A shell script that says its version, and by a command of its own what it has of extensions."""
    script = folder / "php"
    script.write_text(
        f'#!/bin/sh\ncase "$*" in *PHP_VERSION*) echo "PHP {version}" ;; *) {extensions} ;; esac\n', encoding="ascii"
    )
    script.chmod(0o755)
    return script


def test_an_extension_has_a_version_of_its_own(path: Path) -> None:
    fake_php(path, "8.4.1RC2")
    runtime = found()
    assert isinstance(runtime, Runtime)
    assert LANGUAGE.package(runtime, "FFI") == "8.2.36"


@pytest.mark.parametrize(
    ("extension", "lacking", "fix"),
    [
        ("FFI", "PHP 8.2.36 lacks its extension FFI", "apt-get install php8.2-common"),
        (
            "opcache",
            "PHP 8.2.36 lacks a JIT compiler, which its extension opcache is",
            "apt-get install php8.2-opcache",
        ),
        ("zmq", "PHP 8.2.36 lacks its extension zmq", "apt-get install php8.2-zmq"),
    ],
)
def test_an_extension_that_it_lacks_names_the_package(path: Path, extension: str, lacking: str, fix: str) -> None:
    fake_php(path, extensions=f'case "$*" in *"-- {extension}") ;; *) printf 8.2.36 ;; esac')
    runtime = found()
    assert isinstance(runtime, Runtime)
    assert LANGUAGE.package(runtime, extension) == Missing(reason=lacking, fix=fix)


def test_the_compiler_alone_does_not_help(path: Path) -> None:
    fake_php(path, extensions='case "$*" in *"-- FFI") ;; *) printf 8.2.36 ;; esac')
    runtime = found()
    assert isinstance(runtime, Runtime)
    missing = LANGUAGE.package(runtime, "opcache")
    assert isinstance(missing, Missing)
    assert missing.reason == "PHP 8.2.36 lacks its extension FFI"


def test_an_extension_that_does_not_load_says_why(path: Path) -> None:
    fake_php(path, extensions="echo undefined symbol >&2; exit 1")
    runtime = found()
    assert isinstance(runtime, Runtime)
    missing = LANGUAGE.package(runtime, "FFI")
    assert isinstance(missing, Missing)
    assert missing.reason == "PHP 8.2.36 lacks its extension FFI: undefined symbol"


def test_no_name_of_an_extension_is_read_as_code(php: Runtime, tmp_path: Path) -> None:
    for name in ('FFI"); touch("x', "--version", "-r"):
        assert isinstance(LANGUAGE.package(php, name), Missing)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("compiles", ["on", "off"])
def test_the_compiler_is_on_where_the_binding_says_so(php: Runtime, tmp_path: Path, compiles: str) -> None:
    skip_if_missing(LANGUAGE.package(php, "opcache"))
    source = tmp_path / "php.php"
    source.write_text(
        '<?php echo opcache_get_status()["jit"]["on"] ?? false ? "on" : "off", FFIBench::option("message");'
    )
    command = [*LANGUAGE.command(php, source, None, {"jit": compiles}), "message=ä=€ \udcff"]
    answer = subprocess.run(command, capture_output=True, check=False)
    assert (answer.stdout, answer.stderr) == (compiles.encode() + "ä=€ ".encode() + b"\xff", b"")
