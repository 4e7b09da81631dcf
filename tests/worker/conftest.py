"""Contestants' sources made up for a test, and served."""

from __future__ import annotations

import subprocess
from pathlib import Path
from textwrap import dedent

import pytest
from support.kit import Answer, Serve, kit_command

HEAD = "from ffibench.worker.contract import Loops, Work\n"


@pytest.fixture
def serve(tmp_path: Path) -> Serve:
    """Run a contestant's source, `go` or other words on its standard input; keyword arguments are the contract's."""

    def run(source: str, words: str = "go\n", **arguments: object) -> Answer:
        file = tmp_path / "mine.py"
        file.write_text(HEAD + dedent(source), encoding="utf-8")
        command = kit_command(file, **arguments)
        return Answer(
            subprocess.run(command, input=words, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=60)
        )

    return run
