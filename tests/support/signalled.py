"""The command, with a signal sent to itself at one stage: `signalled.py STAGE SIGNAL ARGUMENT ...`.

Run by file path. The stages are points of the tool's own code, so that no clock decides where it is.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

# Where the stage is: module, name, at which call, and whether the signal comes before the call or after it.
STAGES = {
    "preparing": ("ffibench.workflow.prepare", "find_library", 1, "before"),
    "building": ("ffibench.builds.command", "_start", 1, "after"),
    "counting": ("ffibench.audit.teams", "run_team", 2, "before"),
    "saving": ("pathlib", "Path.replace", 2, "before"),
    "saved": ("pathlib", "Path.replace", 2, "after"),
    "printing": ("ffibench.report.terminal.report", "print_report", 1, "before"),
    "printed": ("ffibench.report.terminal.report", "print_report", 1, "after"),
}


def signal_at(stage: str, number: int) -> None:
    """Replace the function of a stage by one that also sends the signal, once."""
    module, name, at, when = STAGES[stage]
    *holders, attribute = name.split(".")
    holder: Any = import_module(module)
    for each in holders:
        holder = getattr(holder, each)
    real: Callable[..., object] = getattr(holder, attribute)
    calls = 0

    def replacement(*arguments: object, **options: object) -> object:
        nonlocal calls
        calls += 1
        if calls == at and when == "before":
            os.kill(os.getpid(), number)
        result = real(*arguments, **options)
        if calls == at and when == "after":
            os.kill(os.getpid(), number)
        return result

    setattr(holder, attribute, replacement)


if __name__ == "__main__":
    signal_at(sys.argv[1], int(sys.argv[2]))
    sys.argv = ["ffibench", *sys.argv[3:]]
    from ffibench.__main__ import main

    main()
