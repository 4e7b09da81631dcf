"""Node, Deno and Bun as the tool finds them, and a worker of theirs from a text, with a stub in place of a shim."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ffibench.languages import languages
from ffibench.model.runtime import Missing, Runtime

STUB = """\
export default { add: (one, other) => one + other, LIMIT: 7 };
export const helpers = { text: (value) => value };
"""
GO = "go\n"


def runtime_or_skip(language: str) -> Runtime:
    """Return a runtime as the tool finds it; skip with the sentence that a user would be told."""
    (found,) = languages()[language].runtimes((), ())
    if isinstance(found, Missing):
        pytest.skip(f"{found.reason}; {found.fix}")
    return found


class Scripted:
    """A worker from a text and a stub of a shim."""

    def __init__(self, runtime: Runtime, folder: Path) -> None:
        self.runtime, self.folder = runtime, folder

    def command(self, script: str, shim: str | None = STUB) -> list[str]:
        """Return the command of a worker, without the arguments of the contract."""
        source = self.folder / "source.mjs"
        source.write_text(script, encoding="utf-8")
        artifact = None if shim is None else self.folder / "stub.mjs"
        if artifact is not None:
            artifact.write_text(shim or "", encoding="utf-8")
        return list(languages()[self.runtime.language].command(self.runtime, source, artifact))

    def run(
        self, script: str, *, told: str = GO, shim: str | None = STUB, **changes: str
    ) -> subprocess.CompletedProcess[str]:
        """Run a worker to its end; `changes` are arguments of the contract that differ."""
        options = {"binding": "stub", "slices": "2", "warmup": "1", "cases": "sum:10", **changes}
        arguments = [f"{name}={value}" for name, value in options.items()]
        command = [*self.command(script, shim), *arguments]
        return subprocess.run(command, input=told, capture_output=True, text=True, check=False, timeout=120)
