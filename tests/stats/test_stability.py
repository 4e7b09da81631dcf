"""The promise: a row that was still warming up says so, and so does a slice that was disturbed."""

import math
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ffibench.stats import disturbed, settled, settled_processes

# A busy machine must not fail a test of arithmetic.
unhurried = settings(deadline=None)


def drifting(rounds: int, drift: float, slices: int = 6, noise: float = 0.0) -> list[list[float]]:
    """Rounds whose second half takes (1 + drift) times as long as the first."""
    random = Random(7)
    return [
        [
            100 * (1 + drift if 2 * position >= slices else 1) * math.exp(random.gauss(0, noise))
            for position in range(slices)
        ]
        for _ in range(rounds)
    ]


@pytest.mark.parametrize("drift", [-0.3, -0.02, 0.02, 0.3])
def test_a_drift_that_repeats_in_every_process_is_seen(drift: float) -> None:
    assert not settled(drifting(20, drift))


def test_noise_hides_no_drift_that_is_larger_and_makes_none() -> None:
    assert not settled(drifting(30, -0.1, noise=0.03))
    assert settled(drifting(30, 0.0, noise=0.03))


@pytest.mark.parametrize("drift", [-0.009, 0.0, 0.009])
def test_a_drift_under_one_percent_is_settled_however_certain(drift: float) -> None:
    assert settled(drifting(1000, drift))


def test_seven_rounds_cannot_show_a_drift_at_one_percent_and_eight_can() -> None:
    assert settled(drifting(7, -0.5))
    assert not settled(drifting(8, -0.5))
    assert not settled(drifting(7, -0.5), level=0.05)
    assert settled(drifting(8, -0.5), level=2 / 2**8)


def test_one_process_that_warmed_up_late_is_not_the_row() -> None:
    assert settled([[500.0, 100.0, 100.0, 100.0], *drifting(20, 0.0, slices=4)])


def test_the_middle_slice_of_an_odd_number_belongs_to_neither_half() -> None:
    assert settled([[100.0, 900.0, 100.0]] * 20)
    assert not settled([[900.0, 100.0, 100.0]] * 20)
    assert not settled([[100.0, 100.0, 900.0]] * 20)


def test_without_two_slices_there_is_nothing_to_compare() -> None:
    assert settled([])
    assert settled([[], [100.0]] * 20)
    assert not settled([[100.0], *drifting(20, -0.5)])


@unhurried
@given(rounds=st.lists(st.lists(st.floats(1, 1e12), max_size=7), max_size=20))
def test_a_row_run_backwards_has_settled_just_as_much(rounds: list[list[float]]) -> None:
    assert settled(rounds) == settled([slices[::-1] for slices in rounds])


@pytest.mark.parametrize("time", [0.0, -1.0, math.nan, math.inf])
def test_a_time_is_positive_and_finite(time: float) -> None:
    with pytest.raises(ValueError, match="not positive and finite"):
        settled([[1.0, time]])


@pytest.mark.parametrize(
    ("wall_ns", "cpu_ns", "verdict"),
    [
        (1_000, 1_000, False),
        (1_020, 1_000, False),
        (1_021, 1_000, True),
        (1_000, 1_900, False),
        (5_000_000_000, 2_500_000_000, True),
        (1, 0, True),
        (0, 0, False),
    ],
)
def test_a_slice_that_waited_more_than_two_percent_was_disturbed(wall_ns: int, cpu_ns: int, verdict: bool) -> None:
    assert disturbed(wall_ns, cpu_ns) is verdict


def test_processes_that_settled_are_counted() -> None:
    assert settled_processes(drifting(3, -0.1) + drifting(4, 0.04) + [[100.0]]) == 5
    assert settled_processes([]) == 0
