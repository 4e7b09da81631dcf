"""The times that a worker claims are held against the clocks of the harness."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from support.contestants import contestant, plan_of, scripted_plan

from ffibench.harness import member
from ffibench.harness.team import run_worker
from ffibench.model import Clocks, PlannedWorker, Slice, WorkerRecord
from ffibench.proof.clocks import CHILDREN_NS_MAX, OUTSIDE_NS_MAX, much_outside, often_outside, wrong_clocks

CHEATS = Path(__file__).parent / "data/cheats.py"
ALONE = plan_of(PlannedWorker(contestant=contestant("c"), role="worker", command=("c",)), pinned=True)
"""A plan of one role on one processor."""

Cheat = Callable[..., WorkerRecord]


def wrong(record: WorkerRecord, around: str = "") -> str | None:
    """What makes a record invalid, alone or where most of its row are like it."""
    return record.failure or much_outside(record, replace(ALONE, around=around))


@pytest.fixture
def cheat(folder: Path) -> Cheat:
    """Run a worker that cheats in one way; `around` is what its experiment declares."""

    def run(mode: str, *, work_ms: int = 20, around: str = "", around_times: int = 1) -> WorkerRecord:
        plan = replace(scripted_plan(folder, {"c": 27}), pinned=True, around=around, slices=3)
        (worker,) = plan.workers
        arguments = {
            "cases": f"{plan.cases[0].name}:{plan.cases[0].iterations}",
            "slices": plan.slices,
            "warmup": plan.warmup,
            "library": plan.library.path,
            "mode": mode,
            "work_ms": work_ms,
            "around_times": around_times,
        }
        command = (sys.executable, "-I", "-S", str(CHEATS))
        worker = replace(worker, command=command, arguments=arguments)
        return run_worker(worker, replace(plan, workers=(worker,)), endpoint=None, cpu=max(os.sched_getaffinity(0)))

    return run


@pytest.mark.parametrize("mode", ["inside", "child before go", "warm-up alone", "empty loop sleeps"])
def test_work_inside_the_clocks_is_what_it_claims(cheat: Cheat, mode: str) -> None:
    """What is done inside the wrong slice, the counts of native calls and the figures themselves show."""
    record = cheat(mode, work_ms=2)
    assert wrong(record) is None
    assert record.clocks is not None
    assert record.clocks.cpu_ns >= sum(each.cpu_ns for each in record.slices)


@pytest.mark.parametrize(
    "mode",
    [
        "at go",
        "before warmup",
        "before timed",
        "after warmup",
        "after timed",
        "before empty",
        "after empty",
        "between loop and empty loop",
        "before the last line",
        "printing",
        "thread",
    ],
)
def test_work_outside_the_clocks(cheat: Cheat, mode: str) -> None:
    failure = wrong(cheat(mode))
    assert failure is not None
    assert failure.startswith("used ")
    assert "of processor time outside its slices, allowed 3.0 ms" in failure


@pytest.mark.parametrize("mode", ["child", "orphan"])
def test_work_of_another_process(cheat: Cheat, mode: str) -> None:
    failure = wrong(cheat(mode, work_ms=150))
    assert failure is not None
    assert "outside its slices and in processes that it started, allowed" in failure


@pytest.mark.parametrize("mode", ["both clocks slow", "wall clock slow", "wall clock stands"])
def test_slow_clocks(cheat: Cheat, mode: str) -> None:
    failure = wrong(cheat(mode))
    assert failure is not None
    assert ("outside its slices" if mode == "both clocks slow" else "on one processor") in failure


@pytest.mark.parametrize("mode", ["both clocks fast", "processor clock fast", "wall clock fast"])
def test_fast_clocks(cheat: Cheat, mode: str) -> None:
    failure = wrong(cheat(mode))
    assert failure is not None
    assert failure.startswith("reported ")
    said = {"wall clock fast": "passed from go to its end", "both clocks fast": "from go to its end"}
    assert said.get(mode, "on one processor") in failure


class TestDeclared:
    """Work around a slice that the experiment declares has a clock of its own."""

    def test_what_is_declared_is_no_failure(self, cheat: Cheat) -> None:
        record = cheat("before timed", around="a queue is made and ended")
        assert wrong(record, "a queue is made and ended") is None
        assert all(each.around_ns > 15_000_000 for each in record.slices if each.kind == "timed")

    def test_no_more_than_was_used_can_be_claimed(self, cheat: Cheat) -> None:
        failure = cheat("before timed", around="a queue is made and ended", around_times=5).failure
        assert failure is not None
        assert failure.startswith("reported ")

    def test_elsewhere_it_counts(self, cheat: Cheat) -> None:
        failure = wrong(cheat("printing", around="a queue is made and ended"), "a queue is made and ended")
        assert failure is not None
        assert "outside its slices" in failure


def test_without_such_clocks_nothing_is_said(cheat: Cheat, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(member, "processor_ns", lambda pid: None)
    record = cheat("before timed")
    assert wrong(record) is None
    assert record.clocks is None


class TestLimits:
    """In numbers made up: 20 ms of slices, and as much time as passed."""

    SLICES = tuple(Slice(case="send", slice=n, kind="timed", wall_ns=5_000_000, cpu_ns=5_000_000) for n in range(4))

    def judged(self, outside_ns: int = 0, children_ns: int = 0, factor: int = 1) -> str | None:
        longer = 5_000_000 * factor
        slices = tuple(replace(each, wall_ns=longer, cpu_ns=longer) for each in self.SLICES)
        passed = 20_000_000 * factor
        clocks = Clocks(wall_ns=passed * 2, cpu_ns=passed + outside_ns, children_ns=children_ns)
        return much_outside(WorkerRecord(key="c", slices=slices, clocks=clocks), ALONE)

    def test_the_limit_is_three_milliseconds(self) -> None:
        assert self.judged(OUTSIDE_NS_MAX) is None
        assert self.judged(OUTSIDE_NS_MAX + 100_000) == (
            "used 3.1 ms of processor time outside its slices, allowed 3.0 ms"
        )

    def test_a_language_that_compiles_while_it_runs_uses_more(self) -> None:
        compiled = replace(ALONE, workers=tuple(replace(each, compiles=True) for each in ALONE.workers))
        slices = self.SLICES

        def said(outside_ns: int) -> str | None:
            clocks = Clocks(wall_ns=60_000_000, cpu_ns=20_000_000 + outside_ns, children_ns=0)
            return much_outside(WorkerRecord(key=compiled.workers[0].key, slices=slices, clocks=clocks), compiled)

        assert said(8_000_000) is None
        assert said(8_100_000) == "used 8.1 ms of processor time outside its slices, allowed 8.0 ms"

    def test_or_five_percent(self) -> None:
        assert self.judged(20_000_000, factor=20) is None
        assert (
            self.judged(25_000_000, factor=20) == "used 25.0 ms of processor time outside its slices, allowed 20.0 ms"
        )

    def test_children_are_known_in_ticks(self) -> None:
        assert self.judged(children_ns=CHILDREN_NS_MAX + OUTSIDE_NS_MAX) is None
        said = self.judged(children_ns=CHILDREN_NS_MAX + 4_000_000)
        assert said == (
            "used 4.0 ms of processor time outside its slices and in processes that it started, allowed 3.0 ms"
        )

    @pytest.mark.parametrize(
        ("most", "count", "used_ms", "allowed_ms"),
        [(0, 1, 12.1, 12), (2, 4, 12.1, 12), (2, 5, 4.2, 3), (4, 9, 4.2, 3), (5, 10, 4.2, 3), (21, 42, 4.2, 3)],
    )
    def test_half_of_the_processes_may_have_lost_their_processor(
        self, most: int, count: int, used_ms: float, allowed_ms: float
    ) -> None:
        """To another virtual machine, which no clock told. Of few processes each may have, for some milliseconds."""
        little, much = (
            WorkerRecord(
                key="c",
                slices=self.SLICES,
                clocks=Clocks(wall_ns=40_000_000, cpu_ns=20_000_000 + outside, children_ns=0),
            )
            for outside in (300_000, round(used_ms * 1e6))
        )
        assert often_outside([*[much] * most, *[little] * (count - most)], ALONE) is None
        said = often_outside([*[little] * (count - most - 1), *[much] * (most + 1)], ALONE)
        also = f", and so in {most + 1} of {count} processes" if count > 1 else ""
        assert said == f"used {used_ms} ms of processor time outside its slices, allowed {allowed_ms}.0 ms{also}"
        if count < 5:
            barely = replace(much, clocks=Clocks(wall_ns=40_000_000, cpu_ns=32_000_000, children_ns=0))
            assert often_outside([barely] * count, ALONE) is None

    def test_what_few_processes_lost_adds_to_what_they_print(self) -> None:
        slices = tuple(replace(each, wall_ns=1_000_000, cpu_ns=1_000_000) for each in self.SLICES * 52)
        claimed = sum(each.cpu_ns for each in slices)
        clocks = Clocks(wall_ns=2 * claimed, cpu_ns=claimed + 37_000_000, children_ns=0)
        record = WorkerRecord(key="c", slices=slices, clocks=clocks)
        assert often_outside([record], ALONE) is None
        assert "allowed 31.2 ms" in str(often_outside([record] * 5, ALONE))

    def test_one_interrupted_slice_does_not_decide(self) -> None:
        late = replace(self.SLICES[0], cpu_ns=9_000_000)
        record = WorkerRecord(key="c", slices=(late, *self.SLICES[1:]))
        assert wrong_clocks(record, ALONE) is None
        record = WorkerRecord(key="c", slices=(late, *(replace(each, cpu_ns=9_000_000) for each in self.SLICES[1:])))
        assert wrong_clocks(record, ALONE) == (
            "reported 9.0 ms of processor time in 5.0 ms of wall time, on one processor"
        )
        assert wrong_clocks(record, replace(ALONE, pinned=False)) is None
