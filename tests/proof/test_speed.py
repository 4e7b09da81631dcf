"""A process that was counted among the rounds must be as fast as the timed ones, but for what the count costs."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from support.contestants import ITERATIONS, planned_case

from ffibench.model import Audit, CalledFunction
from ffibench.proof.speed import wrong_speed

TIMED_NS = [2_000_000.0, 2_200_000.0, 2_400_000.0] * 2


def judged(
    cpu_ns: int | None, calls: int = 3 * ITERATIONS, timed_ns: Sequence[float] = TIMED_NS, slices: int = 3
) -> str | None:
    functions = (CalledFunction(name="send", calls=calls),)
    audit = Audit(
        key="c", case="send", operations=3 * ITERATIONS, functions=functions, cpu_ns=cpu_ns, verdict="accepted"
    )
    return wrong_speed(planned_case(), audit, timed_ns, slices)


@pytest.mark.parametrize("cpu_ns", [800_000, 2_000_000, 6_100_000])
def test_as_fast(cpu_ns: int) -> None:
    assert judged(cpu_ns) is None


def test_slower_since_it_does_the_work_only_where_it_is_counted() -> None:
    assert judged(6_200_000) == (
        "took 6.2 ms of processor time a slice while its calls were counted, "
        "expected 0.7 to 6.1 ms by its timed processes"
    )


def test_faster_since_it_does_less_where_it_is_counted() -> None:
    assert judged(600_000) is not None


def test_a_few_processes_are_too_few_to_compare_with() -> None:
    assert judged(9_000_000, timed_ns=TIMED_NS[:5]) is None


def test_a_short_slice_may_be_interrupted() -> None:
    assert judged(110_000, timed_ns=[5_000.0] * 6) is None


def test_of_few_slices_one_may_have_lost_its_processor() -> None:
    assert judged(2_300_000, timed_ns=[5_000.0] * 6, slices=2) is None
    assert judged(2_300_000, timed_ns=[5_000.0] * 6) is not None
    assert judged(24_000_000, timed_ns=[5_000.0] * 6, slices=2) is not None


def test_many_calls_cost_their_count() -> None:
    assert judged(10_000_000, calls=600 * ITERATIONS) is None


def test_what_is_not_known_is_not_judged() -> None:
    assert judged(None) is None
    audit = Audit(key="c", case="send", operations=3, cpu_ns=9, verdict="not auditable", reason="it is static")
    assert wrong_speed(planned_case(), audit, TIMED_NS, 3) is None
