"""The promise: ratios are paired inside a round, and told with their doubt."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from support.compared import ROUNDS, by_name, steady
from support.contestants import ITERATIONS
from support.runs import EMPTY_NS, USAGE, changed, run_of

from ffibench.model import Comparison, Row, WorkerRecord
from ffibench.results.compare import compare


class TestFigures:
    def test_of_a_row(self) -> None:
        row = by_name(compare(run_of(steady(c=20, control=20, a=50))))["python/a"]
        exact = {name: round(getattr(row, name), 9) for name in ("ratio", "ratio_low", "ratio_high")}
        assert replace(row, **exact) == Row(
            contestant="python/a",
            role="worker",
            interpreter="CPython 3.11.7",
            case="send",
            version="1.0",
            block="lock held",
            lock="held",
            iterations=ITERATIONS,
            rounds=ROUNDS,
            gross_ns=50.0,
            net_ns=50.0 - EMPTY_NS,
            added_ns=30.0,
            added_low_ns=30.0,
            added_high_ns=30.0,
            baseline_ns=20.0,
            ratio=2.5,
            ratio_low=2.5,
            ratio_high=2.5,
            tie="",
            receipts=ROUNDS * 3,
            timed_slices=ROUNDS * 2,
            disturbed=0,
            settled=True,
            real_s=0.2,
            user_s=0.1,
            system_s=0.05,
            valid=True,
            reason=None,
        )
        assert row.clock == "wall"

    def test_the_baseline_is_compared_with_itself(self) -> None:
        row = by_name(compare(run_of(steady(c=20, a=50))))["c"]
        assert (row.ratio, row.ratio_low, row.ratio_high, row.added_ns) == (1, 1, 1, 0)

    def test_ratios_are_paired_and_times_are_not(self) -> None:
        """One contestant, ever 2.5 times as slow, on a host that slows down: the middle of each is told."""
        slower = [20.0 + 10 * number for number in range(ROUNDS)]
        row = by_name(compare(run_of({"c": slower, "python/a": [2.5 * each for each in slower]})))["python/a"]
        assert (row.ratio, row.ratio_low, row.ratio_high) == pytest.approx((2.5, 2.5, 2.5))
        assert row.gross_ns == pytest.approx(2.5 * (slower[5] + slower[6]) / 2)
        assert row.added_ns == pytest.approx(1.5 * (slower[5] + slower[6]) / 2)

    def test_an_outlier_changes_nothing(self) -> None:
        times = steady(c=20, a=50)
        times["python/a"][3] = 5000.0
        row = by_name(compare(run_of(times)))["python/a"]
        assert (row.gross_ns, row.added_ns, row.ratio) == pytest.approx((50, 30, 2.5))

    def test_a_worker_may_tell_its_version_where_the_plan_could_not(self) -> None:
        run = run_of(steady(c=20, a=50))
        run = changed(run, "python/a", lambda record: replace(record, versions={"binding": "9.9"}))
        assert by_name(compare(run))["python/a"].version == "1.0"
        workers = [replace(each, contestant=replace(each.contestant, version="")) for each in run.plan.workers]
        run = replace(run, plan=replace(run.plan, workers=tuple(workers)))
        assert by_name(compare(run))["python/a"].version == "9.9"
        assert by_name(compare(run))["c"].version == ""

    def test_the_seconds_of_whole_processes_and_the_net_time_are_of_the_middle_round(self) -> None:
        run = run_of({"c": [20.0] * 5, "python/a": [60.0, 52.0, 50.0, 90.0, 51.0]})
        seconds = iter((0.9, 0.2, 0.3, 0.1, 0.8))

        def take(record: WorkerRecord) -> WorkerRecord:
            real_s = next(seconds)
            return replace(record, usage=replace(USAGE, real_s=real_s, user_s=real_s / 2, system_s=real_s / 4))

        run = changed(run, "python/a", take)
        row = by_name(compare(run))["python/a"]
        assert (row.real_s, row.user_s, row.system_s) == pytest.approx((0.3, 0.15, 0.075))
        assert row.net_ns == pytest.approx(52 - EMPTY_NS)

    def test_what_is_added_is_paired_too(self) -> None:
        """Ever 5 ns more but for one round: the middle of the differences, not the difference of the middles."""
        baseline = [10.0, 20.0, 30.0, 40.0, 50.0]
        row = by_name(compare(run_of({"c": baseline, "python/a": [15.0, 25.0, 95.0, 45.0, 55.0]})))["python/a"]
        assert row.added_ns == pytest.approx(5)
        assert row.gross_ns == pytest.approx(45)

    def test_the_first_calls_are_told_beside_the_row_s_time(self) -> None:
        def begin_cold(record: WorkerRecord) -> WorkerRecord:
            cold = replace(record.slices[0], kind="cold", slice=0, wall_ns=9_000, receipt={"sends": 100})
            return replace(record, slices=(cold, *record.slices))

        run = changed(run_of(steady(c=20, a=50)), "python/a", begin_cold)
        cases = tuple(replace(each, cold=100, cold_receipt={"sends": 100}) for each in run.plan.cases)
        row = by_name(compare(replace(run, plan=replace(run.plan, cases=cases))))["python/a"]
        assert (row.cold_ns, row.gross_ns) == (90, 50)

    @pytest.mark.parametrize(("pinned", "disturbed"), [(True, 2 * ROUNDS), (False, 0)])
    def test_slices_that_were_disturbed_are_counted(self, pinned: bool, disturbed: int) -> None:
        """Only the timed ones, and only where there is one thread: several make CPU time run faster."""

        def wait(record: WorkerRecord) -> WorkerRecord:
            return replace(record, slices=tuple(replace(each, cpu_ns=each.wall_ns // 2) for each in record.slices))

        run = changed(run_of(steady(c=20, a=50), pinned=pinned), "python/a", wait)
        assert [row.disturbed for row in compare(run).rows] == [0, disturbed]

    def test_a_row_that_warms_up_is_told(self) -> None:
        def speed_up(record: WorkerRecord) -> WorkerRecord:
            return replace(
                record,
                slices=tuple(
                    replace(each, wall_ns=each.wall_ns // (each.slice + 1)) if each.kind == "timed" else each
                    for each in record.slices
                ),
            )

        run = changed(run_of(steady(c=20, a=50)), "python/a", speed_up)
        assert [row.settled for row in compare(run).rows] == [True, False]


class TestRatios:
    times = st.lists(st.floats(1, 1e6), min_size=6, max_size=20)
    sides = st.integers(6, 20).flatmap(
        lambda size: st.tuples(*[st.lists(st.floats(1, 1e6), min_size=size, max_size=size)] * 2)
    )

    @staticmethod
    def row(times: Sequence[float], baseline: Sequence[float]) -> Row:
        return by_name(compare(run_of({"c": baseline, "python/a": times})))["python/a"]

    @given(times)
    def test_the_same_times_give_one(self, times: list[float]) -> None:
        row = self.row(times, times)
        assert (row.ratio, row.ratio_low, row.ratio_high, row.added_ns) == (1, 1, 1, 0)

    @given(sides)
    def test_swapping_the_sides_inverts(self, sides: tuple[list[float], list[float]]) -> None:
        there, back = self.row(*sides), self.row(*reversed(sides))
        assert there.ratio is not None
        assert there.ratio_low is not None
        assert there.ratio_high is not None
        assert (back.ratio, back.ratio_low, back.ratio_high) == pytest.approx(
            (1 / there.ratio, 1 / there.ratio_high, 1 / there.ratio_low)
        )

    @given(sides, st.integers(2, 1000))
    def test_scaling_all_times_changes_no_ratio(self, sides: tuple[list[float], list[float]], factor: int) -> None:
        whole = [[float(round(time)) for time in side] for side in sides]
        plain = self.row(*whole)
        scaled = self.row(*[[factor * time for time in side] for side in whole])
        assert (scaled.ratio, scaled.ratio_low, scaled.ratio_high) == pytest.approx(
            (plain.ratio, plain.ratio_low, plain.ratio_high)
        )
        assert scaled.gross_ns == pytest.approx(factor * (plain.gross_ns or 0))

    @given(sides)
    def test_the_interval_lies_around_the_ratio(self, sides: tuple[list[float], list[float]]) -> None:
        row = self.row(*sides)
        assert row.ratio is not None
        assert row.ratio_low is not None
        assert row.ratio_high is not None
        assert row.ratio_low <= row.ratio <= row.ratio_high


@pytest.mark.parametrize("ending", [None, "interrupted"])
def test_a_run_without_a_round_has_no_rows(ending: object) -> None:
    run = replace(run_of(steady(c=20, a=50)), rounds=(), ending=ending)
    assert compare(run) == Comparison(rows=(), resolution={}, warnings=())


def test_a_run_is_compared_after_every_round() -> None:
    """The run file carries its summary from the first round on."""
    run = run_of(steady(c=20, control=20, a=50))
    summaries = [compare(replace(run, rounds=run.rounds[:number], ending=None)).rows for number in range(1, ROUNDS + 1)]
    assert [rows[2].rounds for rows in summaries] == list(range(1, ROUNDS + 1))
    assert all(rows[2].ratio == pytest.approx(2.5) for rows in summaries)
    carried = [rows[2].ratio_low is not None for rows in summaries]
    assert carried == [number >= 6 for number in range(1, ROUNDS + 1)]
    assert all(before <= after for before, after in pairwise(carried))
