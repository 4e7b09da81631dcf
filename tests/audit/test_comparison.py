"""How much longer a counted command takes is told from pairs in random order, with an exact interval or none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from msgspec.structs import replace

from ffibench.audit.comparison import PAIRS_FOR_INTERVAL, Comparison, compared
from ffibench.audit.descendants import Survivor
from ffibench.audit.foreground import Ended
from ffibench.cli.audit import PAIRS
from ffibench.stats import CONFIDENCE, paired_ratio

COUNTED = (1.10, 1.20, 1.05, 1.30, 1.15, 9.00, 1.25)
BARE = (1.00, 1.10, 1.00, 1.00, 1.05, 1.00, 1.00)


def ended(seconds: float, *, status: int = 0, asked_to_end: bool = False) -> Ended:
    return Ended(seconds=seconds, cpu_seconds=seconds / 2, status=status, asked_to_end=asked_to_end)


class Runs:
    """Runs of a command whose times are given, and the order in which they were made."""

    def __init__(self, counted: Sequence[float] = COUNTED, bare: Sequence[float] = BARE) -> None:
        self.order: list[bool] = []
        self._times: dict[bool, Iterator[float]] = {True: iter(counted), False: iter(bare)}

    def __call__(self, counted: bool) -> Ended:
        self.order.append(counted)
        return ended(next(self._times[counted]))

    def compared(self, pairs: int, seed: int = 7) -> Comparison:
        found, troubles = compared(self, pairs, 0, seed=seed)
        assert troubles == ()
        assert found is not None
        return found


def test_the_ratios_are_those_of_the_pairs_with_their_sign_test_interval() -> None:
    found = Runs().compared(7)
    assert found.seconds == paired_ratio(COUNTED, BARE, CONFIDENCE)
    assert found.cpu_seconds is not None
    assert found.cpu_seconds.interval == found.seconds.interval
    assert found.seconds.ratio == pytest.approx(1.10)  # the run of 9 s among them does not matter
    assert found.pairs_asked == 7


def test_the_fewest_pairs_with_an_interval_are_what_is_made_by_default() -> None:
    assert PAIRS == PAIRS_FOR_INTERVAL
    assert Runs().compared(PAIRS).seconds.interval is not None
    assert Runs().compared(PAIRS - 1).seconds.interval is None


def test_each_pair_has_both_runs_in_an_order_that_the_seed_gives() -> None:
    orders = {}
    for seed in range(20):
        runs = Runs()
        found = runs.compared(7, seed)
        assert [pair.counted_first for pair in found.pairs] == runs.order[::2]
        assert [not first for first in runs.order[::2]] == runs.order[1::2]
        assert found.seed == seed
        orders[seed] = tuple(runs.order)
    assert len(set(orders.values())) > 10
    again = Runs()
    again.compared(7, 3)
    assert tuple(again.order) == orders[3]


def test_what_counting_adds_to_a_call_is_the_median_of_the_pairs() -> None:
    added = Runs().compared(7).added(calls=1_000_000)
    assert added.ns == pytest.approx(50)  # of processor time: half of 0.1 s more, over a million calls
    assert added.low_ns == pytest.approx(25)
    assert added.high_ns == pytest.approx(4000)
    assert Runs().compared(2).added(calls=10).low_ns is None


def test_a_run_that_takes_no_processor_time_has_no_ratio_of_it() -> None:
    found, _ = compared(lambda _: Ended(seconds=1, cpu_seconds=0, status=0), 2, 0)
    assert found is not None
    assert found.cpu_seconds is None


def test_another_exit_status_is_told_once() -> None:
    _, troubles = compared(lambda counted: ended(1, status=4 if counted else 5), 3, 3, seed=1)
    assert sorted(troubles) == [
        "counted once more, the command exited with status 4, not 3",
        "without counting, the command exited with status 5, not 3",
    ]


def test_what_a_run_leaves_behind_disturbs_the_next() -> None:
    left = replace(ended(1), survivors=(Survivor(program="/bin/sleep", pid=7),))
    _, troubles = compared(lambda _: left, 3, 0)
    assert troubles == ("runs of the comparison were disturbed by what earlier ones left running",)


@pytest.mark.parametrize("at", [0, 1, 4, 5])
def test_a_signal_to_end_ends_the_comparison_with_the_pairs_that_are_whole(at: int) -> None:
    made = iter(range(100))
    found, troubles = compared(lambda _: ended(1, asked_to_end=next(made) == at), 9, 0)
    whole = at // 2
    assert troubles == (f"the comparison ended after {whole} of 9 pairs, when a signal to end arrived",)
    assert next(made) == at + 1
    assert (0 if found is None else len(found.pairs)) == whole


def test_a_signal_between_two_runs_keeps_the_pairs_as_well() -> None:
    """What a terminal sends then is for this process, and must not cost the counts."""
    runs = iter([ended(1), ended(1), ended(1)])

    def run(_: bool) -> Ended:
        try:
            return next(runs)
        except StopIteration:
            raise KeyboardInterrupt from None

    found, troubles = compared(run, 5, 0)
    assert found is not None
    assert len(found.pairs) == 1
    assert troubles == ("the comparison ended after 1 of 5 pairs, when a signal to end arrived",)
