"""The promise: a run stops on width, rounds or time, and its intervals go on covering."""

import math
from collections import Counter
from random import Random

import pytest

from ffibench.stats import Limits, Stop, paired_ratio, stop

LIMITS = Limits(rounds_min=6, rounds_max=50, seconds_max=60, precision=0.02)

PRECISE = [0.01, 0.02]
ROUGH = [0.01, 0.021]
UNKNOWN = [0.01, None]

RATIO = 1.3


@pytest.mark.parametrize(
    ("rounds_done", "seconds_used", "half_widths", "round_seconds", "verdict"),
    [
        pytest.param(0, 0.0, [None, None], 0.0, None, id="nothing done yet"),
        pytest.param(49, 10.0, ROUGH, 0.2, None, id="room for one more"),
        pytest.param(50, 10.0, ROUGH, 0.2, "rounds", id="all rounds done"),
        pytest.param(6, 10.0, PRECISE, 0.2, "precision", id="every row is precise"),
        pytest.param(6, 10.0, ROUGH, 0.2, None, id="one row is not precise"),
        pytest.param(6, 10.0, UNKNOWN, 0.2, None, id="one row has no interval"),
        pytest.param(5, 10.0, PRECISE, 0.2, None, id="precise too early"),
        pytest.param(6, 10.0, [], 0.2, "precision", id="no row left to sharpen"),
        pytest.param(10, 59.0, ROUGH, 1.0, None, id="the last round that fits"),
        pytest.param(10, 59.0, ROUGH, 1.01, "time", id="one more would take too long"),
        pytest.param(1, 70.0, UNKNOWN, 70.0, "time", id="one round is too long already"),
        pytest.param(5, 100.0, UNKNOWN, 20.0, None, id="the fewest rounds fit into twice the time"),
        pytest.param(2, 50.0, UNKNOWN, 25.0, "time", id="they do not, and are not begun"),
        pytest.param(6, 100.0, ROUGH, 20.0, "time", id="the fewest rounds are done, past the time"),
        pytest.param(0, 70.0, UNKNOWN, 70.0, None, id="the first round is always done"),
        pytest.param(50, 99.0, PRECISE, 9.0, "rounds", id="rounds before precision"),
        pytest.param(20, 99.0, PRECISE, 9.0, "precision", id="precision before time"),
    ],
)
def test_why_a_run_stops(
    rounds_done: int,
    seconds_used: float,
    half_widths: list[float | None],
    round_seconds: float,
    verdict: Stop | None,
) -> None:
    assert stop(LIMITS, rounds_done, seconds_used, half_widths, round_seconds) == verdict


@pytest.mark.parametrize(
    ("rounds_done", "seconds_used", "round_seconds", "left"),
    [
        pytest.param(10, 10.0, 1.0, 40.0, id="until the most rounds are done"),
        pytest.param(10, 40.0, 4.0, 20.0, id="until the time is up"),
        pytest.param(2, 30.0, 15.0, 60.0, id="until the fewest rounds are done, past the time"),
        pytest.param(2, 50.0, 25.0, 10.0, id="no longer where these do not fit into twice the time"),
        pytest.param(6, 70.0, 12.0, 0.0, id="no longer"),
        pytest.param(1, 300.0, 300.0, 0.0, id="no longer after one long round"),
    ],
)
def test_how_long_a_run_may_go_on(rounds_done: int, seconds_used: float, round_seconds: float, left: float) -> None:
    assert LIMITS.seconds_left(rounds_done, seconds_used, round_seconds) == left


def worker_time(random: Random) -> float:
    """One worker's time: 3 % of noise with the tails of Student's t (3 degrees), and 4 % of outliers."""
    heavy = random.gauss(0, 1) / math.sqrt(random.gammavariate(1.5, 2) / 3)
    outlier = random.expovariate(2) if random.random() < 0.04 else 0
    return math.exp(0.03 * heavy + outlier)


def simulated_run(random: Random, rows: int) -> tuple[Stop, list[tuple[bool, bool]]]:
    """Why one whole run stopped; for each row, whether its intervals at 95 % and at 90 % cover the truth."""
    limits = Limits(rounds_min=10, rounds_max=50, seconds_max=math.inf, precision=0.025)
    baseline: list[float] = []
    times: list[list[float]] = [[] for _ in range(rows)]
    while True:
        baseline.append(worker_time(random))
        for row in times:
            row.append(RATIO * worker_time(random))
        intervals = [paired_ratio(row, baseline).interval for row in times]
        widths = [None if interval is None else interval.half_width for interval in intervals]
        reason = stop(limits, len(baseline), 0, widths, 0)
        if reason is not None:
            return reason, [(covered(row, baseline, 0.95), covered(row, baseline, 0.9)) for row in times]


def covered(times: list[float], baseline: list[float], confidence: float) -> bool:
    interval = paired_ratio(times, baseline, confidence).interval
    return interval is not None and interval.low <= RATIO <= interval.high


@pytest.mark.parametrize(
    ("rows", "runs", "lowest", "highest"),
    [
        # A table waits for its widest row, so no row chooses its own moment: what it promises, or a little
        # more, as order statistics come in steps.
        pytest.param(5, 400, 0.946, 0.98, id="a table"),
        # A row alone stops when it happens to look narrow, which costs a point or two;
        # the band holds that price where it was measured.
        pytest.param(1, 1500, 0.916, 0.955, id="a row alone"),
    ],
)
def test_stopping_on_width_keeps_the_coverage(rows: int, runs: int, lowest: float, highest: float) -> None:
    random = Random(1969)
    outcomes = [simulated_run(random, rows) for _ in range(runs)]
    # The rule must be at work: neither reason alone would say anything about it.
    reasons = Counter(reason for reason, _ in outcomes)
    assert min(reasons["precision"], reasons["rounds"]) > runs / 10
    at_95, at_90 = zip(*(row for _, table in outcomes for row in table), strict=True)
    assert lowest <= sum(at_95) / (runs * rows) <= highest
    # The band is worth something: an interval at 90 % falls out of it.
    assert sum(at_90) / (runs * rows) < lowest
