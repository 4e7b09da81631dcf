"""The promise: red is a contradiction and nothing else, and chance brings it in fewer than one selftest of 1,000."""

from __future__ import annotations

from random import Random

import pytest

from ffibench.selftest.verdict import CHECKS_MAX, CONFIDENCE, LEVEL, Agreement, Bounds, Known, judge
from ffibench.stats import median_bounds

QUIET = Known(100.0, Bounds(100.0, 100.0))
BUSY = Known(100.0, Bounds(100.0, 150.0))


@pytest.mark.parametrize(
    ("known", "found", "verdict"),
    [
        pytest.param(QUIET, Bounds(99.9, 100.1), "as known", id="around it"),
        pytest.param(QUIET, Bounds(100.5, 100.6), "as known", id="within a reading of the clock"),
        pytest.param(QUIET, Bounds(101.1, 101.2), "contradicted", id="above"),
        pytest.param(QUIET, Bounds(98.0, 98.9), "contradicted", id="below"),
        pytest.param(QUIET, Bounds(50.0, 200.0), "inconclusive", id="too wide"),
        pytest.param(QUIET, None, "inconclusive", id="too few rounds"),
        pytest.param(BUSY, Bounds(99.9, 100.1), "as known", id="a busy host that did no harm"),
        pytest.param(BUSY, Bounds(120.0, 121.0), "inconclusive", id="what a busy host may have done"),
        pytest.param(BUSY, Bounds(152.0, 153.0), "contradicted", id="more than a busy host can have done"),
        pytest.param(BUSY, Bounds(90.0, 98.0), "contradicted", id="what no host can have done"),
        pytest.param(BUSY, Bounds(1000.0, 1001.0), "contradicted", id="a factor of ten"),
    ],
)
def test_the_rule(known: Known, found: Bounds | None, verdict: Agreement) -> None:
    said, reason = judge(known, found)
    assert said == verdict
    assert bool(reason) == (said != "as known")


def test_the_level_is_shared_by_all_checks() -> None:
    assert pytest.approx(0.001) == CHECKS_MAX * LEVEL
    assert pytest.approx(1 - LEVEL) == CONFIDENCE


def test_intervals_of_a_verdict_hold_the_median_in_every_one_of_many_runs() -> None:
    random = Random(1999)
    for _ in range(2_000):
        bounds = median_bounds([random.gauss(0, 1) for _ in range(40)], CONFIDENCE)
        assert bounds is not None
        assert bounds[0] <= 0 <= bounds[1]
