"""The promise, on noise whose truth is known: equal rows stay tied, intervals cover, and what differs is seen.

The noise is that of a bad host: rounds that are slow or fast for everybody, a drift from round to round, heavy tails
in every process, and one in 25 of them far off. Runs end by the real stopping rule. Seeded: the figures are fixed.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from random import Random

import pytest

from ffibench.selftest.summing import most_by_chance
from ffibench.stats import Limits, paired_ratio, stop, ties

COPIES = 3
SLOWER = (1.01, 1.02, 1.05)
FACTORS = (*[1.0] * COPIES, *SLOWER)
RUNS = 300
LIMITS = Limits(rounds_min=11, rounds_max=60, seconds_max=math.inf, precision=0.02)
"""Those of a default run, but for the time: a simulated round takes none."""

NOISE = 0.02
OUTLIERS = 0.04


@dataclass(frozen=True)
class Simulated:
    """What one simulated run came to."""

    ending: str
    control_apart: bool
    copies_apart: bool
    covered: tuple[bool, ...]
    """Whether the interval at 95 % holds the truth, for the control and then for each of `FACTORS`."""
    covered_at_80: tuple[bool, ...]
    seen: tuple[bool, ...]
    """Whether each of `SLOWER` was told apart from every copy."""


def process_noise(random: Random) -> float:
    """One process: the tails of Student's t with 3 degrees, and now and then far off."""
    heavy = random.gauss(0, 1) / math.sqrt(random.gammavariate(1.5, 2) / 3)
    outlier = random.expovariate(2) if random.random() < OUTLIERS else 0
    return math.exp(NOISE * heavy + outlier)


def simulated(random: Random) -> Simulated:
    baseline: list[float] = []
    rows: list[list[float]] = [[] for _ in range(1 + len(FACTORS))]
    truths = (1.0, *FACTORS)
    drift = 0.0
    while True:
        drift += random.gauss(0, 0.02)
        shared = 100 * math.exp(drift + random.gauss(0, 0.1))
        baseline.append(shared * process_noise(random))
        for row, truth in zip(rows, truths, strict=True):
            row.append(shared * truth * process_noise(random))
        intervals = [paired_ratio(row, baseline).interval for row in rows]
        widths = [None if interval is None else interval.half_width for interval in intervals]
        ending = stop(LIMITS, len(baseline), 0, widths, 0)
        if ending is not None:
            break
    control = ties([baseline, rows[0]])
    block = ties(rows[1:])
    assert control is not None
    assert block is not None
    copies, slower = block[:COPIES], block[COPIES:]
    return Simulated(
        ending=ending,
        control_apart=not set(control[0]) & set(control[1]),
        copies_apart=any(not set(left) & set(right) for left in copies for right in copies),
        covered=tuple(holds(row, baseline, truth, 0.95) for row, truth in zip(rows, truths, strict=True)),
        covered_at_80=tuple(holds(row, baseline, truth, 0.8) for row, truth in zip(rows, truths, strict=True)),
        seen=tuple(all(not set(row) & set(copy) for copy in copies) for row in slower),
    )


def holds(row: list[float], baseline: list[float], truth: float, confidence: float) -> bool:
    interval = paired_ratio(row, baseline, confidence).interval
    return interval is not None and interval.low <= truth <= interval.high


@pytest.fixture(scope="module")
def runs() -> list[Simulated]:
    random = Random(1812)
    return [simulated(random) for _ in range(RUNS)]


def test_the_stopping_rule_is_at_work(runs: list[Simulated]) -> None:
    """Where all runs ended for one reason, nothing would be said of stopping on width."""
    endings = Counter(run.ending for run in runs)
    assert min(endings["precision"], endings["rounds"]) > RUNS / 20


def test_equal_rows_are_told_apart_no_more_often_than_promised(runs: list[Simulated]) -> None:
    most = most_by_chance(RUNS, 0.05, 0.02)
    assert sum(run.control_apart for run in runs) <= most
    assert sum(run.copies_apart for run in runs) <= most
    # The bound is worth something: it lies far below what a test at 20 % would give.
    assert most < RUNS * 0.1


def test_intervals_cover_what_they_promise(runs: list[Simulated]) -> None:
    held = [each for run in runs for each in run.covered]
    assert 0.92 <= sum(held) / len(held) <= 0.985
    each_row = [sum(column) / RUNS for column in zip(*(run.covered for run in runs), strict=True)]
    assert min(each_row) >= 0.92
    # An interval of another confidence would not pass.
    narrower = [each for run in runs for each in run.covered_at_80]
    assert sum(narrower) / len(narrower) < 0.92


def test_the_more_rows_differ_the_more_often_it_is_seen(runs: list[Simulated]) -> None:
    seen = [sum(column) for column in zip(*(run.seen for run in runs), strict=True)]
    assert seen[0] < seen[1] < seen[2]
    assert seen[2] > RUNS * 0.9
