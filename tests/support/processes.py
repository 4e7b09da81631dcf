"""Workers of a few words, started as the harness starts them."""

from __future__ import annotations

import sys

import pytest

from ffibench.harness.process import WorkerError, start
from ffibench.model import Usage

SECONDS_MAX = 60.0
HANGS = 0.7


def python(code: str) -> list[str]:
    return [sys.executable, "-I", "-S", "-c", code]


def run_code(code: str, seconds_max: float = SECONDS_MAX) -> Usage:
    """Run a worker of a few words that says `ready` once, to its end."""
    with start(python(code), cpu=None, seconds_max=seconds_max) as worker:
        assert worker.line() == b"ready"
        worker.go()
        return worker.finish()


def failure_of(code: str, seconds_max: float = SECONDS_MAX) -> str:
    with pytest.raises(WorkerError) as failure:
        run_code(code, seconds_max)
    return str(failure.value)


CLEAN = "import sys; print('ready', flush=True); sys.stdin.read()"
