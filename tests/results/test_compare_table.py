"""The promise: rows stand in the order of their blocks and times, and what is not measured alike is not ranked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace
from support.compared import REASON, ROUNDS, by_name, fail, names, steady
from support.contestants import ITERATIONS, LIBRARY, contestant
from support.runs import changed, run_of

from ffibench.model import LibraryIdentity, Row, Run, Unavailable, WorkerRecord
from ffibench.results.blocks import block_of
from ffibench.results.compare import compare


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
            ("lock held", "python/fast"),
            ("lock held", "python/slow"),
            ("lock released", "python/z~nogil"),
            ("lock released", "python/a~nogil"),
            ("no lock", "perl/xs"),
            ("no lock", "perl/platypus"),
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
        assert {row.tie for row in rows.values() if row.block == "lock held"} == {None}
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

    def test_how_fine_a_run_could_see_is_not_told_of_some_blocks_alone(self) -> None:
        held = {f"python/{letter}": [float(ord(letter))] * 8 for letter in "abcdefgh"}
        assert compare(run_of({"c": [20.0] * 8, "control": [20.0] * 8, **held})).resolution == {}


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

    def test_a_case_that_it_was_never_given_is_not_said_to_have_failed(self) -> None:
        """Its process failed in the other case; of this one the plan knew beforehand."""
        times = steady(c=20, a=50)
        run = changed(run_of(times, cases={"receive": times}), "python/a", fail)
        workers = [
            replace(each, cannot={"receive": "no structs"}) if each.contestant.name == "python/a" else each
            for each in run.plan.workers
        ]
        rows = compare(replace(run, plan=replace(run.plan, workers=tuple(workers)))).rows
        assert {row.case: row.reason for row in rows if row.contestant == "python/a"} == {
            "send": f"It {REASON}.",
            "receive": "It cannot run this case: no structs.",
        }

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
        unavailable = [
            Unavailable(contestant=contestant("python/x~nogil"), reason="it does not build"),
            Unavailable(contestant=contestant("python/y"), reason="it is not installed"),
        ]
        run = replace(self.RUN, plan=replace(self.RUN.plan, unavailable=tuple(unavailable)))
        comparison = compare(run)
        assert names(comparison) == ["c", "control", "python/a", "python/b", "python/d", "python/y", "python/x~nogil"]
        row = by_name(comparison)["python/x~nogil"]
        assert (row.valid, row.reason, row.rounds, row.gross_ns) == (False, "it does not build", 0, None)
        assert (row.block, row.role, row.iterations, row.version) == ("lock released", "worker", ITERATIONS, "1.0")

    def test_a_contestant_is_absent_from_the_cases_that_it_was_meant_to_run(self) -> None:
        times = steady(c=20, a=50)
        run = run_of(times, cases={"receive": times})
        unavailable = Unavailable(contestant=contestant("python/y"), reason="it is not installed", cases=("receive",))
        rows = compare(replace(run, plan=replace(run.plan, unavailable=(unavailable,)))).rows
        assert [row.case for row in rows if row.contestant == "python/y"] == ["receive"]

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


@pytest.mark.parametrize(
    ("declared", "block"),
    [
        ({"lock": "held"}, "lock held"),
        ({"lock": "held", "callbacks": False}, "lock held, no callbacks"),
        ({"lock": "released", "runtime": "continues"}, "lock released"),
        ({}, "no lock"),
        ({"runtime": "continues"}, "runtime continues"),
        ({"runtime": "continues", "callbacks": False}, "runtime continues, no callbacks"),
        ({"callbacks": False}, "no callbacks"),
        ({"runtime": "none"}, "no runtime"),
    ],
)
def test_a_block_is_what_a_runtime_does_around_a_call(declared: dict[str, Any], block: str) -> None:
    assert block_of(replace(contestant("perl/xs"), **declared)) == block
