"""A sweep over a size: the lines of the contestants, and the sizes at which two meet."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from support.sweeps import fanout, payloads

from ffibench.model import Run
from ffibench.results.compare import compare
from ffibench.results.scaling import Scaling, scalings
from ffibench.results.sizes import Meeting, fits, meetings, sized


def along(run: Run) -> tuple[Scaling, ...]:
    return scalings(run, compare(run).rows)


def met(run: Run) -> list[Meeting]:
    found = along(run)
    return meetings(found, fits(run, found))


def test_a_sweep_is_one_over_a_size_where_bytes_cross_and_change() -> None:
    run = payloads(a=(20, 0.1))
    assert sized(along(run))
    assert not sized(along(fanout()))
    same = tuple(replace(case, bytes=8) for case in run.plan.cases)
    assert not sized(along(replace(run, plan=replace(run.plan, cases=same))))
    one_without = (replace(run.plan.cases[0], bytes=0), *run.plan.cases[1:])
    assert not sized(along(replace(run, plan=replace(run.plan, cases=one_without))))
    assert not sized([])


def test_each_contestant_has_a_line() -> None:
    run = payloads(a=(20, 0.1), b=(60, 0.05))
    found = fits(run, along(run))
    lines = {key[0]: (fit.line.fixed.value, fit.line.slope.value) for key, fit in found.items()}
    assert lines["python/a"] == pytest.approx((20, 0.1), rel=0.01)
    assert lines["python/b"] == pytest.approx((60, 0.05), rel=0.01)
    assert all(fit.miss < 0.02 for fit in found.values())


def test_a_line_that_misses_says_where() -> None:
    run = payloads(a=(20, 0.1))
    cases = {case.name: case for case in run.plan.cases}
    # The bytes of the largest are ten times as many, so that its time lies far under the line of the others.
    last = next(name for name in cases if name.endswith("=16384"))
    plan = replace(
        run.plan,
        cases=tuple(replace(case, bytes=case.bytes * (10 if name == last else 1)) for name, case in cases.items()),
    )
    run = replace(run, plan=plan)
    (fit,) = (fit for key, fit in fits(run, along(run)).items() if key[0] == "python/a")
    assert fit.miss_at == 16_384
    assert fit.miss > 0.2


def test_two_sizes_make_no_line() -> None:
    run = payloads(values=(1, 64), a=(20, 0.1))
    assert fits(run, along(run)) == {}
    assert met(run) == []


def test_two_meet_where_their_lines_cross_inside_the_sweep() -> None:
    (found,) = met(payloads(a=(20, 0.1), b=(60, 0.05)))
    assert (found.below.contestant, found.above.contestant) == ("python/a", "python/b")
    assert found.low <= 800 <= found.high
    assert found.size == pytest.approx(800, rel=0.02)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ((20, 0.1), (60, 0.2)),  # never
        ((20, 0.1), (2000, 0.05)),  # at 39,600 bytes, which nobody measured
        ((20, 0.1), (20.05, 0.05)),  # at a byte
    ],
)
def test_those_that_do_not_cross_inside_it_do_not_meet(a: tuple[float, float], b: tuple[float, float]) -> None:
    assert met(payloads(a=a, b=b)) == []


def test_without_intervals_nobody_is_said_to_meet() -> None:
    assert met(payloads(rounds=5, a=(20, 0.1), b=(60, 0.05))) == []


def test_those_of_two_blocks_are_not_compared() -> None:
    run = payloads(a=(20, 0.1), b=(60, 0.05))
    workers = [
        replace(worker, contestant=replace(worker.contestant, lock="released"))
        if worker.contestant.name == "python/b"
        else worker
        for worker in run.plan.workers
    ]
    assert met(replace(run, plan=replace(run.plan, workers=tuple(workers)))) == []
