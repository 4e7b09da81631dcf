"""The promise: ratios are paired and told with their doubt, and what is not measured alike is not ranked."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from support.contestants import ITERATIONS, LIBRARY, contestant
from support.runs import EMPTY_NS, changed, run_of

from ffibench.model import Absent, Comparison, LibraryIdentity, Row, Run, WorkerRecord
from ffibench.results.compare import compare

ROUNDS = 12
REASON = "ended with status 3, saying 'words'"


def steady(**times: float) -> dict[str, list[float]]:
    """Twelve rounds without noise; `c=20, a=50` are `c` and `python/a`."""
    names = {name: name if name in {"c", "control"} else f"python/{name.replace('_nogil', '~nogil')}" for name in times}
    return {names[name]: [time] * ROUNDS for name, time in times.items()}


def by_name(comparison: Comparison, case: str = "send") -> dict[str, Row]:
    return {row.contestant: row for row in comparison.rows if row.case == case}


def names(comparison: Comparison) -> list[str]:
    return [row.contestant for row in comparison.rows]


def fail(record: WorkerRecord) -> WorkerRecord:
    return replace(record, failure=REASON, usage=None)


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
            block="GIL held",
            gil="held",
            iterations=ITERATIONS,
            rounds=ROUNDS,
            gross_ns=50.0,
            net_ns=50.0 - EMPTY_NS,
            added_ns=30.0,
            ratio=2.5,
            ratio_low=2.5,
            ratio_high=2.5,
            tie="",
            receipts=ROUNDS * 3,
            disturbed=0,
            settled=True,
            real_s=0.2,
            user_s=0.1,
            system_s=0.05,
            valid=True,
            reason=None,
        )
        assert (row.figure, row.unit, row.clock) == ("operation", "ns", "wall")

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


class TestTable:
    def test_blocks_come_in_order_and_in_each_the_slowest_last(self) -> None:
        run = run_of(
            {
                "perl/xs": [60.0] * ROUNDS,
                "python/slow": [90.0] * ROUNDS,
                "python/z~nogil": [70.0] * ROUNDS,
                "control": [21.0] * ROUNDS,
                "python/fast": [40.0] * ROUNDS,
                "python/a~nogil": [80.0] * ROUNDS,
                "c": [20.0] * ROUNDS,
                "perl/platypus": [120.0] * ROUNDS,
            }
        )
        assert [(row.block, row.contestant) for row in compare(run).rows] == [
            ("baseline", "c"),
            ("baseline", "control"),
            ("GIL held", "python/fast"),
            ("GIL held", "python/slow"),
            ("GIL released", "python/z~nogil"),
            ("GIL released", "python/a~nogil"),
            ("other languages", "perl/xs"),
            ("other languages", "perl/platypus"),
        ]

    def test_the_baseline_comes_first_however_slow(self) -> None:
        assert names(compare(run_of(steady(control=1, c=900, a=50)))) == ["c", "control", "python/a"]

    def test_letters_are_given_inside_a_block(self) -> None:
        run = run_of(steady(c=20, control=20, a=50, b=50, d=60, e_nogil=50, f_nogil=70))
        assert {name: row.tie for name, row in by_name(compare(run)).items()} == {
            "c": "a",
            "control": "a",
            "python/a": "a",
            "python/b": "a",
            "python/d": "b",
            "python/e~nogil": "a",
            "python/f~nogil": "b",
        }

    def test_a_row_may_carry_two_letters(self) -> None:
        """The middle one wins half of its rounds against either neighbour; the ends are apart."""
        low, high = [50.0] * ROUNDS, [52.0] * ROUNDS
        middle = [49.0, 53.0] * (ROUNDS // 2)
        rows = by_name(
            compare(run_of({"c": [20.0] * ROUNDS, "python/low": low, "python/mid": middle, "python/top": high}))
        )
        assert [rows[f"python/{name}"].tie for name in ("low", "mid", "top")] == ["a", "ab", "b"]

    def test_too_few_rounds_for_intervals_and_letters(self) -> None:
        times = {name: row[:5] for name, row in steady(c=20, control=20, a=50, b=60).items()}
        comparison = compare(run_of(times))
        assert {(row.ratio_low, row.ratio_high, row.tie) for row in comparison.rows} == {(None, None, None)}
        assert [row.ratio for row in comparison.rows] == pytest.approx([1, 1, 2.5, 3])
        assert comparison.resolution == {}

    def test_too_few_rounds_for_the_letters_of_a_large_block_alone(self) -> None:
        """Eight rows need 11 rounds, two need six."""
        held = {f"python/{letter}": [float(ord(letter))] * 8 for letter in "abcdefgh"}
        rows = by_name(compare(run_of({"c": [20.0] * 8, "control": [20.0] * 8, **held})))
        assert {row.tie for row in rows.values() if row.block == "GIL held"} == {None}
        assert {row.tie for row in rows.values() if row.block == "baseline"} == {"a"}
        assert all(row.ratio_low is not None for row in rows.values())

    def test_a_block_that_needs_more_than_all_letters_is_told_without(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A dozen bindings under five interpreters may all be apart."""

        def ties(samples: Sequence[Sequence[float]]) -> list[str]:
            raise ValueError(f"{len(samples)} rows need 60 letters, and there are 52")

        monkeypatch.setattr("ffibench.results.compare.ties", ties)
        rows = compare(run_of(steady(c=20, control=20, a=50))).rows
        assert [row.tie for row in rows] == [None, None, None]
        assert [row.ratio for row in rows] == pytest.approx([1, 1, 2.5])

    def test_cases_are_tables_of_their_own(self) -> None:
        run = run_of(
            steady(c=20, a=50, b=60), cases={"receive": steady(c=10, a=90, b=30), "peek": steady(c=5, a=5, b=5)}
        )
        comparison = compare(run)
        assert [(row.case, row.contestant) for row in comparison.rows] == [
            ("send", "c"),
            ("send", "python/a"),
            ("send", "python/b"),
            ("receive", "c"),
            ("receive", "python/b"),
            ("receive", "python/a"),
            ("peek", "c"),
            ("peek", "python/a"),
            ("peek", "python/b"),
        ]
        assert [row.ratio for row in comparison.rows] == pytest.approx([1, 2.5, 3, 1, 3, 9, 1, 1, 1])
        assert [row.tie for row in comparison.rows if row.case == "peek"] == ["", "a", "a"]
        assert set(comparison.resolution) == {"send", "receive", "peek"}

    def test_interpreters_are_rows_of_their_own(self) -> None:
        run = run_of(
            {
                "c": [20.0] * ROUNDS,
                "python/a [CPython 3.11.7]": [50.0] * ROUNDS,
                "python/a [CPython 3.14.0]": [40.0] * ROUNDS,
            }
        )
        assert [(row.contestant, row.interpreter, row.gross_ns, row.tie) for row in compare(run).rows] == [
            ("c", "gcc 12.2.0", 20, ""),
            ("python/a", "CPython 3.14.0", 40, "a"),
            ("python/a", "CPython 3.11.7", 50, "b"),
        ]

    def test_how_fine_a_run_could_see_is_that_of_its_coarsest_block(self) -> None:
        noisy = [50.0 * factor for factor in (1, 1.1, 0.9, 1.05, 0.95, 1, 1.02, 0.98, 1.1, 0.9, 1, 1)]
        quiet = compare(run_of(steady(c=20, control=20, a=50, b=50)))
        coarse = compare(run_of({**steady(c=20, control=20, a=50, b=50), "python/b": noisy}))
        assert quiet.resolution == {"send": 0}
        assert 0.02 < coarse.resolution["send"] < 0.2


class TestNotRanked:
    RUN = run_of(steady(c=20, control=20, a=50, b=60, d=70))

    def told(self, run: Run) -> Row:
        """The row of `python/a`; the others stand as if it had not been there."""
        comparison = compare(run)
        rest = {row.contestant: row.tie for row in comparison.rows if row.contestant != "python/a"}
        assert rest == {"c": "a", "control": "a", "python/b": "a", "python/d": "b"}
        return by_name(comparison)["python/a"]

    @pytest.mark.parametrize("rounds", [[1], [7], [ROUNDS]])
    def test_a_contestant_that_failed_once(self, rounds: list[int]) -> None:
        """Later rounds may lack it, or, in a file of somebody else's, have it."""
        run = changed(self.RUN, "python/a", fail, rounds)
        row = self.told(run)
        assert (row.valid, row.reason) == (False, f"It {REASON}.")
        assert (row.gross_ns, row.ratio, row.ratio_low, row.tie, row.receipts) == (None, None, None, None, 0)
        later = range(rounds[0] + 1, ROUNDS + 1)
        dropped = changed(run, "python/a", lambda record: None, later)
        assert self.told(dropped) == replace(row, rounds=rounds[0])

    def test_rows_without_figures_come_last_in_their_block(self) -> None:
        run = changed(self.RUN, "python/a", fail, [3])
        assert names(compare(run)) == ["c", "control", "python/b", "python/d", "python/a"]

    def test_a_case_that_it_cannot_run(self) -> None:
        run = changed(
            self.RUN, "python/a", lambda record: replace(record, slices=(), unsupported={"send": "no structs"})
        )
        row = self.told(run)
        assert (row.valid, row.reason, row.rounds) == (False, "It cannot run this case: no structs.", ROUNDS)

    def test_one_case_of_two_that_it_cannot_run(self) -> None:
        times = steady(c=20, a=50)

        def leave_out(record: WorkerRecord) -> WorkerRecord:
            kept = tuple(each for each in record.slices if each.case != "receive")
            return replace(record, slices=kept, unsupported={"receive": "no structs"})

        comparison = compare(changed(run_of(times, cases={"receive": times}), "python/a", leave_out))
        assert [(row.case, row.valid) for row in comparison.rows if row.contestant == "python/a"] == [
            ("send", True),
            ("receive", False),
        ]

    def test_a_round_that_lacks_it(self) -> None:
        """Ratios are of whole rounds only: nothing is made of the rest."""
        row = self.told(changed(self.RUN, "python/a", lambda record: None, [4]))
        assert (row.valid, row.reason, row.ratio) == (False, "It has no figures.", None)

    def test_a_library_of_its_own(self) -> None:
        """Its figures are shown, and that they are not comparable is said."""
        other = LibraryIdentity(path="/elsewhere/libwork.so.4", sha256="1" * 64)
        run = changed(self.RUN, "python/a", lambda record: replace(record, libraries=(other,)))
        row = self.told(run)
        assert row.reason == (
            f"It ran on a library of its own and is not ranked: /elsewhere/libwork.so.4 (sha256 {'1' * 64})."
        )
        assert row.valid
        assert row.ratio == pytest.approx(2.5)
        assert row.tie is None

    def test_a_library_of_its_own_beside_the_one_under_test(self) -> None:
        other = LibraryIdentity(path="/elsewhere/libwork.so.4", sha256="1" * 64)
        run = changed(self.RUN, "python/a", lambda record: replace(record, libraries=(LIBRARY, other)), [ROUNDS])
        assert "not ranked" in (self.told(run).reason or "")

    def test_a_library_of_its_own_that_has_another_name(self) -> None:
        """`--library ./mine.so`: what it loaded is not found by that name, but it was not the library under test."""
        run = changed(self.RUN, "python/a", lambda record: replace(record, libraries=()))
        workers = [
            replace(each, contestant=contestant(each.contestant.name, own_library=True)) for each in run.plan.workers
        ]
        row = self.told(replace(run, plan=replace(run.plan, workers=(*run.plan.workers[:2], *workers[2:]))))
        assert row.reason == "It did not load the library under test and is not ranked: it brings one of its own."
        assert (row.valid, row.tie) == (True, None)

    def test_where_no_map_can_be_read_nothing_is_held_against_it(self) -> None:
        run = changed(self.RUN, "python/a", lambda record: replace(record, libraries=None))
        assert compare(run).rows == compare(self.RUN).rows

    def test_a_contestant_that_is_absent(self) -> None:
        absent = [
            Absent(contestant=contestant("python/x~nogil"), reason="it does not build"),
            Absent(contestant=contestant("python/y"), reason="it is not installed"),
        ]
        run = replace(self.RUN, plan=replace(self.RUN.plan, absent=tuple(absent)))
        comparison = compare(run)
        assert names(comparison) == ["c", "control", "python/a", "python/b", "python/d", "python/y", "python/x~nogil"]
        row = by_name(comparison)["python/x~nogil"]
        assert (row.valid, row.reason, row.rounds, row.gross_ns) == (False, "it does not build", 0, None)
        assert (row.block, row.role, row.iterations, row.version) == ("GIL released", "worker", ITERATIONS, "1.0")

    @pytest.mark.parametrize("name", ["control", "c"])
    def test_control_and_baseline_fail_like_any_other(self, name: str) -> None:
        comparison = compare(changed(self.RUN, name, fail, [2]))
        assert names(comparison)[:2] == ["c", "control"]
        row = by_name(comparison)[name]
        assert (row.valid, row.reason) == (False, f"It {REASON}.")

    def test_without_the_baseline_there_is_nothing_to_rank(self) -> None:
        """It failed in the last round, which ended there: some contestants had their turn in it, some had not."""
        run = changed(self.RUN, "c", fail, [ROUNDS])
        run = changed(run, "python/a", lambda record: None, [ROUNDS])
        rows = by_name(compare(run))
        assert {row.reason for name, row in rows.items() if name != "c"} == {"The baseline has no figures."}
        assert {(row.valid, row.ratio, row.tie) for row in rows.values()} == {(False, None, None)}


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
