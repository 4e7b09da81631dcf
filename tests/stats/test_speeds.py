"""The promise: two groups of processes are seen where they are, and not where figures have a single peak."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random

import pytest

from ffibench.stats import two_groups

Draw = Callable[[Random], float]

SINGLE_PEAKS: dict[str, tuple[Draw, float]] = {
    "uniform": (lambda drawn: drawn.random(), 0.016),
    "normal": (lambda drawn: drawn.gauss(0, 1), 0.002),
    "long tails": (lambda drawn: drawn.gauss(0, 1) / math.sqrt(drawn.gammavariate(1.5, 2) / 3), 0.002),
    "skewed": (lambda drawn: drawn.expovariate(1), 0.016),
    # Three of eight processes disturbed in the same way are a group: it happens by chance in 0.3 % of these rows.
    "outliers": (lambda drawn: drawn.gauss(0, 0.1) + (2.0 if drawn.random() < 0.04 else 0.0), 0.008),
}
ROWS = 3_000


@pytest.mark.parametrize("count", [8, 11, 18, 30, 60])
@pytest.mark.parametrize("shape", SINGLE_PEAKS)
def test_one_peak_is_hardly_ever_two(shape: str, count: int) -> None:
    """The share of rows in which two groups are seen, of figures spread so wide that groups would count."""
    draw, most = SINGLE_PEAKS[shape]
    drawn = Random(f"{shape} {count}")
    rows = ([math.exp(draw(drawn)) for _ in range(count)] for _ in range(ROWS))
    assert sum(two_groups(row) is not None for row in rows) / ROWS <= most


@pytest.mark.parametrize("count", [11, 18, 60])
@pytest.mark.parametrize("share", [0.3, 0.5])
def test_two_speeds_are_seen(count: int, share: float) -> None:
    """Three percent of noise around 24 and 40, as on a machine whose neighbour comes and goes."""
    drawn = Random(f"{count} {share}")
    slow = set(drawn.sample(range(count), round(share * count)))
    times = [(40.0 if place in slow else 24.0) * math.exp(drawn.gauss(0, 0.03)) for place in range(count)]
    found = two_groups(times)
    assert found is not None
    assert {frozenset(group.members) for group in found} == {frozenset(slow), frozenset(range(count)) - slow}
    assert len(found[0].members) >= len(found[1].members)
    assert sorted(group.time for group in found) == [pytest.approx(24, rel=0.06), pytest.approx(40, rel=0.06)]


def test_of_equal_groups_the_faster_is_the_first() -> None:
    found = two_groups([40.0, 24.0] * 6)
    assert found is not None
    assert [(group.time, len(group.members)) for group in found] == [(24.0, 6), (40.0, 6)]


@pytest.mark.parametrize(
    "times",
    [
        pytest.param([24.0] * 10 + [40.0], id="one outlier"),
        pytest.param([24.0] * 16 + [40.0] * 3, id="three of nineteen are outliers"),
        pytest.param([24.0, 24.1] * 10, id="too near to matter"),
        pytest.param([24.0] * 12, id="no noise at all"),
        pytest.param([24.0] * 3 + [40.0] * 3, id="too few to tell"),
        pytest.param([24.0], id="one process"),
        pytest.param([], id="none"),
    ],
)
def test_what_is_no_second_speed(times: list[float]) -> None:
    assert two_groups(times) is None


def test_a_time_that_is_none() -> None:
    with pytest.raises(ValueError, match="not positive and finite"):
        two_groups([1.0] * 10 + [0.0])
