"""The command line as a user has it: the installed script, another process, its output piped."""

from __future__ import annotations

import os
import subprocess
import sysconfig
from collections.abc import Callable, Mapping
from pathlib import Path

Cli = Callable[..., "subprocess.CompletedProcess[str]"]
SCRIPT = Path(sysconfig.get_path("scripts")) / "ffibench"


def start_cli(
    arguments: tuple[str, ...], environment: Mapping[str, str] | None = None, stdin: int | None = None
) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [str(SCRIPT), *arguments],
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **(environment or {})},
    )


def assert_told(answer: subprocess.CompletedProcess[str], *words: str, status: int = 1) -> None:
    """A user's mistake is told in a sentence on standard error, without a traceback."""
    assert answer.returncode == status, answer.stderr
    assert "Traceback" not in answer.stderr
    told = " ".join(answer.stderr.split())
    assert "Error: " in told
    for word in words:
        assert word in told
