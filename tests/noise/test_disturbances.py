"""The promise: a round that was disturbed is marked with its causes, and one that was not is left in peace."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace
from support.runs import HOST, QUIET, run_of

from ffibench.model import Conditions, Disturbance, Host, Run, RuntimeState, WorkerRecord
from ffibench.noise.disturbances import (
    CAUSES,
    OF_RECORDS,
    OF_SAMPLES,
    round_disturbances,
    sample_disturbances,
)

RUN = run_of({"c": [20.0], "control": [20.0], "python/a": [50.0]}, slices=3)
RECORDS = RUN.rounds[0].records


def of_workers(change: Callable[[WorkerRecord], WorkerRecord], run: Run = RUN) -> tuple[Disturbance, ...]:
    """The causes of a round in a quiet host whose last contestant met with something."""
    *others, last = run.rounds[0].records
    return round_disturbances(QUIET, [*others, change(last)], run.plan, HOST)


def test_every_cause_has_its_judge_and_its_words() -> None:
    assert [*OF_SAMPLES, *OF_RECORDS] == list(CAUSES)
    assert not OF_SAMPLES.keys() & OF_RECORDS.keys()


def test_a_quiet_round() -> None:
    assert round_disturbances(QUIET, RECORDS, RUN.plan, HOST) == ()


@pytest.mark.parametrize(
    ("noisy", "quiet", "cause"),
    [
        ({"pressure": 0.11}, {"pressure": 0.10}, "pressure"),
        ({"pressure": 0.0, "group_pressure": 0.11}, {"pressure": 0.9, "group_pressure": 0.10}, "pressure"),
        ({"pressure": 0.5, "others": 0.11}, {"pressure": 0.5, "others": 0.1}, "pressure"),
        ({"steal": 0.021}, {"steal": 0.02}, "steal"),
        ({"throttles": 1}, {"throttles": 0}, "throttled"),
        ({"suspended_s": 0.5}, {"suspended_s": 1e-6}, "suspended"),
        ({"suspended_s": 0.02}, {"suspended_s": 0.01}, "suspended"),
        ({"sibling": 0.11}, {"sibling": 0.1}, "sibling"),
        ({"others": 0.76}, {"others": 0.75}, "load"),
        ({"pressure": None, "load1": 3.1}, {"pressure": None, "load1": 3.0}, "load"),
    ],
)
def test_from_when_on_noise_is_too_much(noisy: dict[str, float], quiet: dict[str, float], cause: str) -> None:
    assert sample_disturbances(replace(QUIET, **noisy), HOST) == (cause,)
    assert sample_disturbances(replace(QUIET, **quiet), HOST) == ()


def test_several_threads_wait_for_a_processor_themselves() -> None:
    pressed = replace(QUIET, pressure=1.0, others=1.5)
    several = replace(RUN.plan, pinned=False)
    assert round_disturbances(pressed, RECORDS, several, HOST) == ("load",)
    assert "pressure" in round_disturbances(pressed, RECORDS, RUN.plan, HOST)


@pytest.mark.parametrize(("processors", "room"), [(1, 0.25), (2, 0.75), (64, 62.75)])
def test_others_may_use_what_workers_leave(processors: int, room: float) -> None:
    """A worker needs one processor and the harness a little of another, where there is one."""
    host: Host = replace(HOST, processors=processors)
    assert sample_disturbances(replace(QUIET, others=room), host) == ()
    assert sample_disturbances(replace(QUIET, others=room + 0.01), host) == ("load",)


def test_a_load_of_the_last_minute_is_no_load_of_now() -> None:
    """Shims were compiled before the first round: the kernel says that nobody waits any more."""
    assert sample_disturbances(replace(QUIET, load1=8.0), HOST) == ()
    assert sample_disturbances(replace(QUIET, load1=8.0, pressure=None, others=0.1), HOST) == ()


def test_what_is_not_told_disturbs_nobody() -> None:
    nothing = dict.fromkeys(("pressure", "steal", "group_pressure", "others", "sibling", "throttles", "suspended_s"))
    assert sample_disturbances(replace(QUIET, **nothing), HOST) == ()


def test_several_causes_stand_in_their_order() -> None:
    noisy = replace(QUIET, steal=0.5, pressure=0.5, suspended_s=3.0, throttles=9)
    assert sample_disturbances(noisy, HOST) == ("pressure", "steal", "throttled", "suspended")


class TestWorkers:
    @staticmethod
    def waiting(slices: int, kind: str = "timed") -> Callable[[WorkerRecord], WorkerRecord]:
        def wait(record: WorkerRecord) -> WorkerRecord:
            hit = [each for each in record.slices if each.kind == kind][:slices]
            return replace(
                record,
                slices=tuple(
                    replace(each, cpu_ns=each.wall_ns // 2) if each in hit else each for each in record.slices
                ),
            )

        return wait

    def test_a_figure_is_off_where_most_of_its_slices_waited(self) -> None:
        assert of_workers(self.waiting(2)) == ("waits",)
        assert of_workers(self.waiting(1)) == ()  # the median of the three is another one
        assert of_workers(self.waiting(3, kind="warmup")) == ()
        even = run_of({"c": [20.0], "python/a": [50.0]}, slices=4)
        assert of_workers(self.waiting(2), even) == ()
        assert of_workers(self.waiting(3), even) == ("waits",)

    def test_each_case_is_a_figure_of_its_own(self) -> None:
        times = {"c": [20.0], "python/a": [50.0]}
        run = run_of(times, cases={"receive": times}, slices=3)
        assert of_workers(self.waiting(3), run) == ("waits",)  # the three of the first case, half of all

    def test_threads_hide_their_waits(self) -> None:
        run = replace(RUN, plan=replace(RUN.plan, pinned=False))
        assert of_workers(self.waiting(3), run) == ()

    @pytest.mark.parametrize(("compiles", "runtime"), [(True, "waits"), (False, "continues")])
    def test_so_do_those_of_a_runtime_beside_its_loop(self, compiles: bool, runtime: RuntimeState) -> None:
        *others, last = RUN.plan.workers
        last = replace(last, compiles=compiles, contestant=replace(last.contestant, runtime=runtime))
        run = replace(RUN, plan=replace(RUN.plan, workers=(*others, last)))
        assert last.has_threads
        for met_with, cause in ((self.waiting(3), "waits"), (self.switched(9), "switches")):
            assert of_workers(met_with) == (cause,)
            assert of_workers(met_with, run) == ()

    @staticmethod
    def switched(switches: int | None) -> Callable[[WorkerRecord], WorkerRecord]:
        return lambda record: replace(record, conditions=Conditions(switches=switches))

    def test_switches_are_held_against_the_time_that_was_measured(self) -> None:
        (last,) = RECORDS[2:]
        wall_s = sum(each.wall_ns for each in last.slices) / 1e9
        scale = round(1 / wall_s)  # so that the worker has run for a second

        def a_second(switches: int) -> Callable[[WorkerRecord], WorkerRecord]:
            return lambda record: replace(
                record,
                slices=tuple(
                    replace(each, wall_ns=each.wall_ns * scale, cpu_ns=each.cpu_ns * scale) for each in record.slices
                ),
                conditions=Conditions(switches=switches),
            )

        assert of_workers(a_second(45)) == ()
        assert of_workers(a_second(55)) == ("switches",)

    def test_two_switches_of_a_process_are_nothing_however_short_the_round(self) -> None:
        assert of_workers(self.switched(2)) == ()
        assert of_workers(self.switched(3)) == ("switches",)
        twice = [self.switched(2)(record) for record in RECORDS]
        assert round_disturbances(QUIET, twice, RUN.plan, HOST) == ()
        assert round_disturbances(QUIET, [*twice[1:], self.switched(3)(twice[0])], RUN.plan, HOST) == ("switches",)

    def test_what_the_kernel_does_not_count(self) -> None:
        assert of_workers(self.switched(None)) == ()
