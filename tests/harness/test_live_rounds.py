"""Nothing is written to the terminal while a worker runs: it would be written on the worker's machine."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from threading import Thread

from support.contestants import Script, scripted_plan
from support.executed import executed
from support.terminal import Screen, console_on

from ffibench.model import Plan
from ffibench.report.terminal.live import LiveView

ROUNDS = 8
"""Some with intervals and some without."""


def plan_of(folder: Path, **script: object) -> Plan:
    """Three contestants whose processes note when they begin and end."""
    noted = {"noted": folder / "noted", **script}
    scripts: Mapping[str, Script] = {name: {"gross": 27, **noted} for name in ("c", "control", "python/a")}
    return scripted_plan(folder, scripts, rounds_min=ROUNDS, rounds_max=ROUNDS)


def rounds_noted(folder: Path) -> list[tuple[int, int]]:
    """The first start and the last end of each round, in nanoseconds of the monotonic clock."""
    notes: dict[int, list[int]] = {}
    for line in (folder / "noted").read_text(encoding="ascii").splitlines():
        number, _, nanoseconds = line.split()
        notes.setdefault(int(number), []).append(int(nanoseconds))
    return [(min(times), max(times)) for _, times in sorted(notes.items())]


def written_while_workers_ran(screen: Screen, folder: Path) -> list[str]:
    return [
        text
        for written, text in screen.written
        if any(first <= written <= last for first, last in rounds_noted(folder))
    ]


def test_the_live_view_is_drawn_between_rounds_alone(folder: Path) -> None:
    screen = Screen(100, 30)
    plan = plan_of(folder)
    with LiveView(console_on(screen), plan.title, plan.rounds_max) as view:
        executed(plan, observe=view.update)
    assert len(rounds_noted(folder)) == ROUNDS
    assert written_while_workers_ran(screen, folder) == []
    assert len(screen.written) == ROUNDS + 2, "before the first round, after each, and at the end"


def test_a_view_that_is_drawn_by_a_thread_is_found(folder: Path) -> None:
    """The other side of the test above: workers go on until a thread has drawn while they run."""
    screen = Screen(100, 30)
    drawn = folder / "drawn"
    plan = plan_of(folder, trouble=f"run:while [ ! -e {drawn} ]; do sleep 0.01; done@slice")

    def draw() -> None:
        noted = folder / "noted"
        while not noted.exists() or not noted.read_bytes():  # the file is there before the time is in it
            time.sleep(0.01)
        screen.write("tick")
        drawn.touch()

    thread = Thread(target=draw)
    thread.start()
    with LiveView(console_on(screen), plan.title, plan.rounds_max) as view:
        executed(plan, observe=view.update)
    thread.join()
    assert written_while_workers_ran(screen, folder) == ["tick"]
