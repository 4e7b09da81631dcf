"""The promise: Ctrl-C at whichever line of the harness leaves no process, descriptor or folder, and no trace of itself.

The lines are counted by a trace function, so that no clock decides where it comes: `nothing_left` looks after each.
"""

from __future__ import annotations

import ctypes
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from support.contestants import scripted_plan
from support.executed import executed
from support.leftovers import assert_as_before, footprint

from ffibench.harness.orphans import PR_GET_CHILD_SUBREAPER
from ffibench.model import Plan, Run

TRACED = (
    "ffibench/harness/",
    "ffibench/host/",
    "ffibench/interrupts.py",
    "/selectors.py",
    "/contextlib.py",
    "/subprocess.py",
)
"""Ours, and what it stands on: where a signal is handled between two lines of theirs, ours is half-way too."""
STRIDE = 4
"""Every fourth line is enough for each interpreter, of which every one begins with another."""

Place = tuple[str, int, str, int]
"""A line of a file, and the line that called it."""


class Lines:
    """Notes the lines that are traced, and interrupts before the first time of one of them."""

    def __init__(self, at: Place | None = None) -> None:
        self.at = at
        self.seen: dict[Place, None] = {}

    def trace(self, frame: FrameType, event: str, argument: object) -> Any:  # noqa: ANN401
        code, caller = frame.f_code, frame.f_back
        if caller is None or not any(part in code.co_filename for part in TRACED):
            return None
        if "__del__" in {code.co_name, caller.f_code.co_name}:  # what is raised there, Python prints and forgets
            return None
        if event == "line":
            place = code.co_filename, frame.f_lineno, caller.f_code.co_filename, caller.f_lineno
            comes = place == self.at and place not in self.seen
            self.seen[place] = None
            if comes:
                signal.raise_signal(signal.SIGINT)
        return self.trace


def carried_out(plan: Plan, lines: Lines) -> Run | None:
    """Carry a plan out with its lines traced; None where the interrupt came before there was a run, or after it."""
    kept: list[Run] = []
    before = sys.gettrace()
    sys.settrace(lines.trace)
    try:
        run = executed(plan, keep=kept.append, observe=lambda progress: None)
    except KeyboardInterrupt:
        assert not kept or kept[-1].ending is not None
        return None
    finally:
        sys.settrace(before)
    assert run == kept[-1]
    return run


def is_subreaper() -> bool:
    found = ctypes.c_int()
    ctypes.CDLL(None).prctl(PR_GET_CHILD_SUBREAPER, ctypes.byref(found), 0, 0, 0)
    return bool(found.value)


@pytest.fixture
def plan(folder: Path) -> Iterator[Plan]:
    yield scripted_plan(folder, {"c": 27, "control": 27}, rounds_min=1, rounds_max=1, transport="ipc")
    assert not is_subreaper()


def test_nothing_is_left_behind(plan: Plan) -> None:
    whole = Lines()
    assert carried_out(plan, whole) is not None
    interrupted = 0
    for place in list(whole.seen)[sys.version_info.minor % STRIDE :: STRIDE]:
        before = footprint()
        lines = Lines(at=place)
        run = carried_out(plan, lines)
        assert_as_before(before)
        if run is not None and place in lines.seen:  # how often a pipe is read is not the same each time
            assert run.ending == "interrupted", place
            interrupted += 1
    assert interrupted > 0
