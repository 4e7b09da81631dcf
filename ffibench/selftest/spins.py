"""The contestants whose cost is known, and the plan of a run of them, made without a catalog."""

from __future__ import annotations

import platform
import sys
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from ffibench.builds.library import library_identity
from ffibench.model import Contestant, Plan, PlannedCase, PlannedWorker

WORKER = Path(__file__).with_name("worker.py")

CASE = "spin"
ITERATIONS = 5_000
"""At 100 ns each a slice of half a millisecond: shorter than a scheduler's time slice, so most are not interrupted,
and 2,000 times as long as the reading of the clock by which it may overrun."""

COST_NS = 100.0
EMPTY_NS = 20.0
SLICES = 9
PRECISION = 0.01
WORKER_SECONDS_MAX = 60.0


class Spin(Struct, frozen=True, kw_only=True):
    """A contestant of known cost, in nanoseconds per iteration."""

    name: str
    cost_ns: float
    drift: float = 0.0
    """The share of its cost by which each slice is slower than the one before it."""
    warming: int = 0
    """The number of slices from the start of the process that cost `warming_ns`."""
    warming_ns: float = 0.0
    other_ns: float | None = None
    """The cost of every other process, in place of `cost_ns`."""


def spin_plan(
    spins: Sequence[Spin],
    *,
    title: str,
    folder: Path,
    seed: int,
    warmup: int,
    rounds_min: int,
    rounds_max: int,
    seconds_max: float,
) -> Plan:
    """Return the plan of a run of `spins`, the baseline and control among them.

    The library under test is the worker's own file, which every worker maps. `folder` is where the workers of one
    contestant count each other; it must exist until the run is over.
    """
    library = library_identity(WORKER)
    contract = {
        "cases": f"{CASE}:{ITERATIONS}",
        "slices": SLICES,
        "warmup": warmup,
        "library": library.path,
        "empty_ns": EMPTY_NS,
        "seed": seed,
    }
    return Plan(
        experiment="selftest",
        title=title,
        cases=(
            PlannedCase(
                name=CASE,
                operation="a spin until the clock has moved by a known time",
                iterations=ITERATIONS,
                receipt={"iterations": ITERATIONS},
            ),
        ),
        parameters={},
        workers=tuple(
            _worker(spin, {**contract, "starts": folder / f"starts-{number}"}) for number, spin in enumerate(spins)
        ),
        library=library,
        slices=SLICES,
        warmup=warmup,
        mode="default",
        rounds_min=rounds_min,
        rounds_max=rounds_max,
        seconds_max=seconds_max,
        precision=PRECISION,
        seed=seed,
        worker_seconds_max=WORKER_SECONDS_MAX,
    )


def _worker(spin: Spin, contract: dict[str, object]) -> PlannedWorker:
    own: dict[str, object] = {"cost_ns": spin.cost_ns, "drift": spin.drift}
    if spin.warming:
        own |= {"warming": spin.warming, "warming_ns": spin.warming_ns}
    if spin.other_ns is not None:
        own["other_ns"] = spin.other_ns
    arguments = (f"{name}={value}" for name, value in {**contract, **own}.items())
    return PlannedWorker(
        contestant=Contestant(
            name=spin.name,
            language="python",
            interpreter=f"{platform.python_implementation()} {platform.python_version()}",
        ),
        role="worker",
        command=(sys.executable, "-I", "-S", str(WORKER), *arguments),
    )
