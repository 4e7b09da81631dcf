"""The Python kit as the harness starts it: by file path, isolated from the user's environment."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ffibench

KIT = Path(ffibench.__file__).parent / "worker" / "__main__.py"
CONTRACT = {"experiment": "work", "binding": "mine", "role": "worker", "cases": "send:10", "slices": "2", "warmup": "1"}


class Answer:
    """What a worker printed and how it ended."""

    def __init__(self, process: subprocess.CompletedProcess[str]) -> None:
        self.status = process.returncode
        self.errors = process.stderr
        self.lines: list[dict[str, Any]] = [json.loads(line) for line in process.stdout.splitlines()]


Serve = Callable[..., Answer]


def kit_command(source: Path, **arguments: object) -> list[str]:
    """The command of a worker; `arguments` add to those of the contract or replace them."""
    options = {"source": source, **CONTRACT, **arguments}
    return [sys.executable, "-I", str(KIT), *(f"{name}={value}" for name, value in options.items())]
