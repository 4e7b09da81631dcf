"""The runs of the selftest: the spins of each, its plan, and the function that checks it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ffibench.model import BASELINE, CONTROL, Comparison, Plan, Run
from ffibench.selftest import steady, unsteady
from ffibench.selftest.spins import COST_NS, Spin, spin_plan
from ffibench.selftest.verdict import Check

ROUNDS_MIN = 40
"""At the confidence of the checks the sign test needs 16 rounds for an interval and 40 for a narrow one."""


@dataclass(frozen=True)
class Scenario:
    """One run of spins."""

    title: str
    spins: tuple[Spin, ...]
    warmup: int
    rounds_max: int
    seconds_max: float
    judge: Callable[[Run, Comparison], list[Check]]

    def plan(self, folder: Path, seed: int) -> Plan:
        """Return its plan; `folder` must exist until the run is over."""
        return spin_plan(
            self.spins,
            title=self.title,
            folder=folder,
            seed=seed,
            warmup=self.warmup,
            rounds_min=ROUNDS_MIN,
            rounds_max=self.rounds_max,
            seconds_max=self.seconds_max,
        )


_BASE = (Spin(name=BASELINE, cost_ns=COST_NS), Spin(name=CONTROL, cost_ns=COST_NS))
_WARMING = Spin(name=unsteady.WARMING, cost_ns=COST_NS, warming=unsteady.WARMING_SLICES, warming_ns=unsteady.WARMING_NS)

SCENARIOS = (
    Scenario(
        title="steady spins",
        spins=(
            *_BASE,
            Spin(name=steady.ONCE, cost_ns=COST_NS),
            Spin(name=steady.AGAIN, cost_ns=COST_NS),
            Spin(name=steady.SLOWER, cost_ns=COST_NS * steady.SLOWER_RATIO),
            Spin(name=steady.TWICE, cost_ns=COST_NS * 2),
        ),
        warmup=1,
        rounds_max=200,
        seconds_max=40.0,
        judge=steady.judge_steady,
    ),
    Scenario(
        title="unsteady spins",
        spins=(
            *_BASE,
            Spin(name=unsteady.DRIFTING, cost_ns=COST_NS, drift=unsteady.DRIFT),
            Spin(name=unsteady.MODES, cost_ns=COST_NS, other_ns=COST_NS * unsteady.MODES_RATIO),
            _WARMING,
        ),
        warmup=unsteady.WARMING_SLICES,
        rounds_max=ROUNDS_MIN,
        seconds_max=40.0,
        judge=unsteady.judge_unsteady,
    ),
    Scenario(
        title="warm-up not counted",
        spins=(*_BASE, _WARMING),
        warmup=0,
        rounds_max=ROUNDS_MIN,
        seconds_max=20.0,
        judge=unsteady.judge_cold,
    ),
)
