"""A/A: whole runs of one program against itself, and against itself made slower by a known share.

A run has the baseline, the control, copies of them, and entries that are slower. All are one C program; a slower
one really does more work: it is told to go round its loop so many times more, and not to say so in its receipt.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import median

from msgspec import Struct
from msgspec.structs import replace

from ffibench.model import BASELINE, CONTROL, Comparison, Ending, Plan, PlannedWorker, Row, Run

FOLDER = Path(__file__).with_name("send")
"""The experiment, laid out as any experiment is."""

SECONDS_MAX = 15.0
"""Of one run: a default run ends before, where the host leaves it alone."""

COPIES = ("c/copy-1", "c/copy-2", "c/copy-3")
SLOWER = {"c/slower-1": 0.01, "c/slower-2": 0.02, "c/slower-5": 0.05}
"""Contestant to the share by which it does more than the others."""

EXTRA = "extra"


class Repeat(Struct, frozen=True, kw_only=True):
    """What one whole run found."""

    seed: int
    rounds: int
    seconds: float
    ending: Ending | None
    gross_ns: dict[str, float]
    """Contestant to nanoseconds an operation."""
    ratios: dict[str, tuple[float, float, float]]
    """Contestant to its ratio to the baseline and the ends of its interval at 95 %."""
    control_apart: bool
    """Whether the table told the control apart from the baseline."""
    copies_apart: bool
    """Whether the table told any two of the copies apart."""
    seen: dict[str, bool]
    """Slower contestant to whether the table told it apart from every copy."""
    slow_down: dict[str, float]
    """Slower contestant to the share by which it was slower than the first copy."""
    disturbed: int
    """Slices whose wall time exceeded their CPU time by more than 2 %."""
    pressure: float | None
    invalid: str | None = None
    """Why a row is not valid, where one is not."""


def aa_plan(plan: Plan, seed: int) -> Plan:
    """Return the plan of one A/A run from that of its baseline and control.

    ValueError where those two do not take part.
    """
    by_name = {worker.contestant.name: worker for worker in plan.workers}
    if by_name.keys() != {BASELINE, CONTROL}:
        raise ValueError(f"an A/A run is made of {BASELINE} and {CONTROL}, not of {', '.join(by_name)}")
    baseline = by_name[BASELINE]
    copies = [_entered_as(baseline, name, 0) for name in COPIES]
    slower = [_entered_as(baseline, name, round(1000 * share)) for name, share in SLOWER.items()]
    return replace(plan, workers=(*plan.workers, *copies, *slower), seconds_max=SECONDS_MAX, seed=seed)


def _entered_as(worker: PlannedWorker, name: str, extra: int) -> PlannedWorker:
    """The same program under another name, told how many sends in 1,000 it does more. ValueError where it asks not."""
    if EXTRA not in worker.arguments:
        raise ValueError(f"{worker.key} is not told how many sends to do more")
    contestant = replace(worker.contestant, name=name)
    return replace(worker, contestant=contestant, arguments={**worker.arguments, EXTRA: extra})


def repeat_of(run: Run, comparison: Comparison) -> Repeat:
    """Return what a finished A/A run found."""
    rows = {row.contestant: row for row in comparison.rows}
    invalid = next((f"{row.contestant}: {row.reason}" for row in rows.values() if not row.valid), None)
    pressures = [each.host.pressure for each in run.rounds if each.host.pressure is not None]
    copies = [rows[name] for name in COPIES]
    return Repeat(
        seed=run.plan.seed,
        rounds=len(run.rounds),
        seconds=sum(each.seconds for each in run.rounds),
        ending=run.ending,
        gross_ns={name: row.gross_ns for name, row in rows.items() if row.gross_ns is not None},
        ratios={
            name: (row.ratio, row.ratio_low, row.ratio_high)
            for name, row in rows.items()
            if name != BASELINE and row.ratio is not None and row.ratio_low is not None and row.ratio_high is not None
        },
        control_apart=_apart([rows[BASELINE], rows[CONTROL]]),
        copies_apart=_apart(copies),
        seen={name: all(_apart([rows[name], copy]) for copy in copies) for name in SLOWER},
        slow_down={name: _slow_down(rows[name], copies[0]) for name in SLOWER if rows[name].valid and copies[0].valid},
        disturbed=sum(row.disturbed for row in rows.values()),
        pressure=median(pressures) if pressures else None,
        invalid=invalid,
    )


def _apart(rows: Sequence[Row]) -> bool:
    """Whether any two of the rows share no letter; without letters none differ."""
    letters = [set(row.tie) for row in rows if row.tie]
    return any(not left & right for left in letters for right in letters)


def _slow_down(row: Row, copy: Row) -> float:
    assert row.ratio is not None
    assert copy.ratio is not None
    return row.ratio / copy.ratio - 1
