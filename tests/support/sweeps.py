"""Sweeps made up for tests: queues and bindings over threads, and a message that grows."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from ffibench.model import Run
from support.runs import Along, swept_run

THREADS = (1, 2, 4, 8)
QUEUES: Mapping[str, tuple[float | None, ...]] = {
    "lock": (50.1, 90.3, 160, 210),
    "sharded": (47.2, 25.1, 13.1, 7.21),
    "sharded-edge": (52.4, 27.5, 14.2, 8.13),
    "ring": (12.2, None, None, None),
    "wait-free": (80.5, 40.4, 22.1, 30.3),
}
BINDINGS: Mapping[str, tuple[float | None, ...]] = {
    "python/cython": (80.2, 95.1, 101, 104),
    "python/nanobind~method": (89.4, 104, 110, 113),
    "python/cython~nogil": (110, 105, 101, 122),
    "python/nanobind~nogil": (119, 113, 110, 131),
    "perl/xs": (92.2, None, None, None),
}


def noisy(times: tuple[float | None, ...], name: str, rounds: int = 12) -> Along:
    """So many rounds around each time, half a percent up or down, the same in every run of the tests."""
    drawn = random.Random(name)
    return {
        value: None if ns is None else [ns * (1 + drawn.uniform(-0.005, 0.005)) for _ in range(rounds)]
        for value, ns in zip(THREADS, times, strict=True)
    }


def fanout(rounds: int = 12, processors: int = 8) -> Run:
    times = {
        series: {name: noisy(ns, name + series, rounds) for name in ("c", "control")} for series, ns in QUEUES.items()
    }
    times["sharded-edge"].update({name: noisy(ns, name, rounds) for name, ns in BINDINGS.items()})
    return swept_run(times, processors=processors)


def sizes(values: Sequence[int]) -> Run:
    """One series, of which time grows with a parameter that is no count of threads; on one thread."""
    costs = {"c": 30, "python/capi": 90}
    along: Mapping[str, Along] = {
        name: {value: [cost + 0.05 * value] * 6 for value in values} for name, cost in costs.items()
    }
    return swept_run({"send": along}, parameter="size", pinned=True)


def payloads(
    values: Sequence[int] = (1, 64, 1024, 16_384),
    rounds: int = 12,
    lines: Mapping[str, tuple[float, float]] | None = None,
    **own: tuple[float, float],
) -> Run:
    """One series over the bytes of a message, with what each binding of Python takes for any and for each byte.

    Half a percent of noise, the same in every run of the tests.
    """
    costs = {
        "c": (5.0, 0.02),
        "control": (5.0, 0.02),
        **{f"python/{name}": line for name, line in {**(lines or {}), **own}.items()},
    }
    along: dict[str, Along] = {}
    for name, (fixed, each) in costs.items():
        drawn = random.Random(name)
        along[name] = {
            value: [(fixed + each * value) * (1 + drawn.uniform(-0.005, 0.005)) for _ in range(rounds)]
            for value in values
        }
    run = swept_run({"copy": along}, parameter="size", pinned=True)
    cases = tuple(replace(case, bytes=int(case.point["size"])) for case in run.plan.cases)
    return replace(run, plan=replace(run.plan, cases=cases))


def ways(
    rounds: int = 12,
    values: Sequence[int] = (100, 1_000, 10_000, 100_000),
    ratios: Mapping[str, Sequence[float | None]] | None = None,
) -> Run:
    """Two ways to carry bytes, `packed` and `message`, by C and a binding: the message takes so many times as long.

    Half a percent of noise that both ways of a process share, so that no ratio has any.
    """
    given = ratios or {"c": (4, 2, 1.2, 1.05), "control": (4, 2, 1.2, 1.05), "python/capi": (2, 2, 2, 2)}
    along: dict[str, dict[str, Along]] = {"packed": {}, "message": {}}
    for name, factors in given.items():
        drawn = random.Random(name)
        noise = [1 + drawn.uniform(-0.005, 0.005) for _ in range(rounds)]
        own = {value: 50 + 0.02 * value for value in values}
        along["packed"][name] = {value: [ns * each for each in noise] for value, ns in own.items()}
        along["message"][name] = {
            value: None if factor is None else [ns * factor * each for each in noise]
            for (value, ns), factor in zip(own.items(), factors, strict=True)
        }
    run = swept_run(along, parameter="size", pinned=True)
    cases = tuple(
        replace(case, bytes=int(case.point["size"]), alternative="message" if case.series == "packed" else "")
        for case in run.plan.cases
    )
    return replace(run, plan=replace(run.plan, cases=cases))
