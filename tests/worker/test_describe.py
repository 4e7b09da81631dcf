"""The promise: an interpreter is told apart from every other by what it says of itself, run by file path."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from pathlib import Path

import pytest

import ffibench
from ffibench.worker import describe as describe_module
from ffibench.worker.describe import describe, optimised


def test_an_interpreter_says_what_it_is() -> None:
    script = Path(ffibench.__file__).parent / "worker" / "describe.py"
    answer = subprocess.run([sys.executable, "-I", str(script)], capture_output=True, text=True, check=True)
    facts = json.loads(answer.stdout)
    assert facts == describe()
    assert facts["version"] == platform.python_version()
    assert facts["executable"] == sys.executable
    assert facts["suffix"].endswith(".so")
    assert all(isinstance(value, str) for value in facts.values())


class TestOptimisations:
    """What an interpreter cannot tell of its build is empty: neither a false alarm nor a false calm."""

    PYENV = "'--prefix=/opt/3.11.7' '--enable-shared' 'LDFLAGS=-L/opt/3.11.7/lib'"
    DEBIAN = "'--enable-shared' '--prefix=/usr' '--with-computed-gotos' 'CFLAGS=-g -Wformat '"
    DOCKER = "'--build=x86_64-linux-gnu' '--enable-optimizations' '--enable-shared' '--with-lto'"

    @pytest.mark.parametrize(
        ("arguments", "prefix", "library", "pgo", "lto"),
        [
            pytest.param(PYENV, "/opt/3.11.7", True, "no", "no", id="pyenv"),
            pytest.param(DOCKER, "/usr/local", True, "yes", "yes", id="docker"),
            pytest.param(DEBIAN, "/usr", False, "", "", id="debian: static, and configured otherwise"),
            pytest.param(PYENV, "/usr", True, "", "", id="a distribution's, with steps of its own"),
            pytest.param(DEBIAN, "/opt", False, "", "", id="the configuration of another build"),
            pytest.param(PYENV, "/opt/3.11.7", None, "", "", id="no memory map"),
            pytest.param(None, "/opt/3.11.7", True, "", "", id="no configuration"),
            pytest.param("'--with-lto=thin'", "/opt", True, "no", "yes", id="a kind of lto"),
            pytest.param("'--with-lto=no'", "/opt", True, "no", "no", id="no kind of lto"),
            pytest.param("'--without-lto' '--enable-optimizations=no'", "/opt", True, "no", "no", id="refused"),
            pytest.param("'CFLAGS=-O3 -flto -fprofile-use'", "/usr", None, "yes", "yes", id="by its flags"),
        ],
    )
    def test_what_can_be_told(
        self,
        arguments: str | None,
        prefix: str,
        library: bool | None,
        pgo: str,
        lto: str,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        variables = {"CONFIG_ARGS": arguments, "Py_ENABLE_SHARED": 1}
        with monkeypatch.context() as patch:
            patch.setattr("ffibench.worker.describe.sysconfig.get_config_var", variables.get)
            patch.setattr(sys, "base_prefix", prefix)
            patch.setattr(describe_module, "lies_in_a_library", lambda: library)
            found = optimised("--enable-optimizations", "-fprofile-use"), optimised("--with-lto", "-flto")
        assert found == (pgo, lto)
