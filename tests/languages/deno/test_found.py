"""Deno is found on PATH or in its wheel, or told how to install; its calls on other threads need no JIT to settle."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.javascript import runtime_or_skip

from ffibench.languages import languages, programs
from ffibench.languages.deno import LANGUAGE
from ffibench.languages.programs import _runtime
from ffibench.model.runtime import Missing, Runtime
from ffibench.workflow import RunOptions, run

INSTALL = "pip install 'ffibench[languages]'"


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the whole of PATH, on a machine without the wheel."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(programs, "wheel_path", lambda *_: None)
    _runtime.cache_clear()
    return tmp_path


def found() -> Runtime | Missing:
    (only,) = LANGUAGE.runtimes((), ())
    return only


def fake_deno(home: Path, version: str, program: str = "/opt/deno") -> None:
    """A shell script that answers what deno is asked about itself, as one that starts another program."""
    script = home / "deno"
    script.write_text(f'#!/bin/sh\necho "deno {version} {program}"\n', encoding="ascii")
    script.chmod(0o755)


def test_deno_is_one_of_the_languages_that_are_asked_for() -> None:
    assert languages()["deno"] is LANGUAGE
    assert (LANGUAGE.optional, LANGUAGE.asked, LANGUAGE.lock) == (True, True, None)


def test_its_version_and_its_program_are_its_own(path: Path) -> None:
    program = path / "real deno"
    program.touch()
    fake_deno(path, "2.9.8", str(program))
    runtime = found()
    assert isinstance(runtime, Runtime)
    assert (runtime.label, runtime.version, runtime.executable) == ("deno 2.9.8", "2.9.8", str(program))


def test_no_deno_names_the_wheel(path: Path) -> None:
    assert found() == Missing(reason="there is no deno on PATH", fix=INSTALL)


def test_deno_1_is_too_old(path: Path) -> None:
    fake_deno(path, "1.46.3", str(path / "deno"))
    assert found() == Missing(reason="deno 1.46.3 is older than 2", fix=INSTALL)


def test_calls_on_another_thread_cannot_be_counted_by_a_thread() -> None:
    runtime_or_skip("deno")
    options = RunOptions(contestants=("deno/*",), cases=("nothing",), iterations=20, rounds=1, slices=2, warmup=1)
    result = run("calls", options)
    rows = {row.contestant: row for row in result.comparison.rows}
    assert rows["deno/ffi"].valid
    assert "other threads make these calls" in str(rows["deno/ffi~nonblocking"].reason)


def test_each_binding_has_the_warm_up_that_it_needs() -> None:
    runtime_or_skip("deno")
    options = RunOptions(contestants=("deno/*",), iterations=20, rounds=1, slices=2, audit=False)
    plan = run("xsub", options).run.plan
    warmups = {each.contestant.name: plan.warmup_of(each) for each in plan.workers}
    assert warmups == {"c": 1, "control": 1, "deno/ffi": LANGUAGE.warmup, "deno/ffi~nonblocking": 1}
