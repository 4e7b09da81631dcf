"""Runs of spins made up for tests: each slice takes what its contestant was told to cost, with a little noise."""

from __future__ import annotations

from pathlib import Path
from random import Random

from ffibench.model import Host, HostSample, Round, Run, Slice, SliceKind, Usage, WorkerRecord
from ffibench.selftest.scenarios import Scenario
from ffibench.selftest.spins import CASE, EMPTY_NS, ITERATIONS, Spin

HOST = Host(
    system="Linux 6.1.0",
    machine="x86_64",
    processor="a processor",
    processors=2,
    pinned_to=1,
    governor=None,
    virtualisation=None,
    tool="ffibench 0.1.0 on CPython 3.11.7",
)
START_S = 0.01


def slice_ns(spin: Spin, number: int) -> float:
    """What an iteration costs in slice `number`, from 0, warm-up slices included."""
    return spin.warming_ns if number < spin.warming else spin.cost_ns * (1 + spin.drift * number)


def run_of_spins(
    scenario: Scenario, folder: Path, *, rounds: int = 40, noise: float = 0.0002, taken: float = 0.0, seed: int = 1970
) -> Run:
    """A finished run of a scenario.

    `noise` is the most by which a slice overruns, as a share. `taken` is the share of processes of which other
    programs took the processor in every slice, so that their wall time is a multiple of what they spun.
    """
    random = Random(seed)
    plan = scenario.plan(folder, seed)
    keys = {worker.contestant.name: worker.key for worker in plan.workers}

    def record(spin: Spin, number: int) -> WorkerRecord:
        busy = 1 + 2 * random.random() if random.random() < taken else 1.0

        def each(kind: SliceKind, place: int, cost_ns: float) -> Slice:
            spun_ns = cost_ns * ITERATIONS
            return Slice(
                case=CASE,
                slice=place,
                kind=kind,
                wall_ns=round(spun_ns * (1 + noise * random.random()) * busy),
                cpu_ns=round(spun_ns),
                receipt={} if kind == "empty" else {"iterations": ITERATIONS},
            )

        other = spin.other_ns is not None and number % 2 == 1
        factor = (spin.other_ns or 0) / spin.cost_ns if other else 1
        slices = (
            *(each("warmup", at, factor * slice_ns(spin, at)) for at in range(plan.warmup)),
            *(each("timed", at, factor * slice_ns(spin, plan.warmup + at)) for at in range(plan.slices)),
            *(each("empty", at, EMPTY_NS) for at in range(plan.slices)),
        )
        seconds = sum(one.wall_ns for one in slices) / 1e9
        usage = Usage(
            real_s=seconds + START_S,
            user_s=seconds,
            system_s=0.0,
            peak_rss_bytes=10_000_000,
            voluntary_switches=3,
            involuntary_switches=1,
        )
        return WorkerRecord(key=keys[spin.name], slices=slices, libraries=(plan.library,), usage=usage)

    def one_round(number: int) -> Round:
        records = tuple(record(spin, number) for spin in scenario.spins)
        seconds = sum(each.usage.real_s for each in records if each.usage is not None)
        return Round(
            number=number + 1, seconds=seconds, records=records, host=HostSample(load1=0.1, pressure=0.0, steal=0.0)
        )

    return Run(
        started="2025-11-20T08:13:00.250+00:00",
        plan=plan,
        host=HOST,
        rounds=tuple(one_round(number) for number in range(rounds)),
        ending="rounds",
    )
