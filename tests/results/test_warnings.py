"""The promise: what a reader must be wary of is said, with what to do about it, and nothing else is."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import pytest
from msgspec.structs import replace
from support.runs import Along, changed, run_of, swept_run

from ffibench.model import Ending, HostSample, Run, RunWarning, WorkerRecord
from ffibench.results.compare import compare
from ffibench.results.warnings import control_is_clean

ROUNDS = 12
QUIET = run_of({"c": [20.0] * ROUNDS, "control": [20.0] * ROUNDS, "python/a": [50.0] * ROUNDS}, mode="default")


def warnings(run: Run) -> dict[str, RunWarning]:
    found = compare(run).warnings
    assert all(each.text.endswith(".") and each.fix.endswith(".") for each in found)
    assert len({each.code for each in found}) == len(found)
    return {each.code: each for each in found}


def test_a_quiet_run_leaves_no_doubts() -> None:
    assert warnings(QUIET) == {}


class TestControl:
    ROW = compare(QUIET).rows[1]

    @pytest.mark.parametrize(
        ("ratio", "low", "high", "mode", "clean"),
        [
            pytest.param(1.0, 0.99, 1.01, "default", True, id="where it should be"),
            pytest.param(1.019, 1.009, 1.03, "default", True, id="just near enough"),
            pytest.param(0.981, 0.97, 0.991, "default", True, id="just near enough below"),
            pytest.param(1.021, 1.0, 1.05, "default", False, id="a wide interval excuses no estimate"),
            pytest.param(0.979, 0.9, 1.1, "rigorous", False, id="nor in a rigorous run"),
            pytest.param(1.021, 1.0, 1.05, "quick", True, id="a quick run has not the rounds for it"),
            pytest.param(1.015, 1.011, 1.02, "default", False, id="an interval above"),
            pytest.param(0.985, 0.98, 0.989, "default", False, id="an interval below"),
            pytest.param(1.015, 1.011, 1.02, "quick", False, id="an interval above in a quick run"),
            pytest.param(1.3, None, None, "default", False, id="too few rounds for an interval: by the estimate"),
            pytest.param(1.3, None, None, "quick", False, id="in a quick run too"),
            pytest.param(0.981, None, None, "quick", True, id="near enough without an interval"),
            pytest.param(None, None, None, "default", True, id="no figures: its row says why"),
        ],
    )
    def test_when_it_is_clean(
        self, ratio: float | None, low: float | None, high: float | None, mode: str, clean: bool
    ) -> None:
        assert control_is_clean(replace(self.ROW, ratio=ratio, ratio_low=low, ratio_high=high), mode) is clean

    def test_a_run_whose_control_is_off_is_inconclusive(self) -> None:
        run = run_of({"c": [20.0] * ROUNDS, "control": [21.0] * ROUNDS})
        (warning,) = warnings(run).values()
        assert warning.code == "control"
        assert "inconclusive" in warning.text
        assert "1.050" in warning.text
        assert "--rigorous" in warning.fix

    @pytest.mark.parametrize(("rounds", "only"), [(1, "1 round"), (5, "5 rounds")])
    def test_after_few_rounds_it_is_looked_at_too(self, rounds: int, only: str) -> None:
        (warning,) = warnings(run_of({"c": [20.0] * rounds, "control": [26.0] * rounds})).values()
        assert warning.text.endswith(f"measured 1.300x c in send after only {only}.")
        assert warnings(run_of({"c": [20.0] * rounds, "control": [20.1] * rounds})) == {}

    def test_each_case_that_is_off_is_named(self) -> None:
        off = {"c": [20.0] * ROUNDS, "control": [22.0] * ROUNDS}
        run = run_of(off, cases={"receive": {**off, "control": [20.0] * ROUNDS}, "peek": off})
        found = [warning.text for warning in compare(run).warnings]
        assert [text.rpartition(" in ")[2] for text in found] == ["send.", "peek."]

    def test_another_row_may_be_anywhere(self) -> None:
        assert control_is_clean(compare(QUIET).rows[2], "default") is False  # and no warning came of it

    def test_a_control_that_failed_is_a_row_that_failed(self) -> None:
        run = changed(QUIET, "control", lambda record: replace(record, failure="hung"), [2])
        assert warnings(run) == {}


class TestPrecision:
    @staticmethod
    def noisy(half_width: float, ending: Ending, names: tuple[str, ...] = ("python/a",), mode: str = "default") -> Run:
        """Rows whose intervals reach from exp(-half_width) to exp(half_width) of 2.5."""
        noise = [math.exp(half_width * sign) for sign in (-1, -1, -1, 0, 0, 0, 0, 0, 0, 1, 1, 1)]
        times = {name: [50.0 * factor for factor in noise] for name in names}
        run = run_of({"c": [20.0] * ROUNDS, "control": [20.0] * ROUNDS, **times}, mode=mode)
        return replace(run, ending=ending)

    @pytest.mark.parametrize("ending", ["time", "rounds"])
    def test_a_run_that_was_stopped_before_all_were_precise(self, ending: Ending) -> None:
        (warning,) = warnings(self.noisy(0.05, ending)).values()
        assert warning.code == "precision"
        assert warning.text == "1 of 2 intervals wider than 2.0 %: python/a."

    @pytest.mark.parametrize("ending", ["precision", "interrupted", "baseline failed", None])
    def test_other_endings_need_no_words(self, ending: Ending) -> None:
        assert warnings(self.noisy(0.05, ending)) == {}

    def test_a_quick_run_promises_nothing(self) -> None:
        assert warnings(self.noisy(0.05, "time", mode="quick")) == {}

    def test_the_width_is_the_one_that_the_run_went_by(self) -> None:
        """On the log scale: a ratio near one end of its interval is as precise as in the middle."""
        assert warnings(self.noisy(0.0199, "time")) == {}
        assert set(warnings(self.noisy(0.0202, "time"))) == {"precision"}
        low, high = math.exp(-0.001), math.exp(0.038)
        factors = [low] * 9 + [high] * 3
        run = run_of({"c": [20.0] * ROUNDS, "python/a": [50.0 * factor for factor in factors]})
        row = compare(run).rows[1]
        assert (row.ratio, row.ratio_low, row.ratio_high) == pytest.approx((2.5 * low, 2.5 * low, 2.5 * high), rel=1e-4)
        assert warnings(replace(run, ending="time")) == {}

    def test_of_many_rows_the_first_are_named(self) -> None:
        letters = tuple(f"python/{letter}" for letter in "abcde")
        (warning,) = warnings(self.noisy(0.05, "time", letters)).values()
        assert warning.text.endswith(": python/a, python/b, python/c and 2 more.")
        (warning,) = warnings(self.noisy(0.05, "time", letters[:3])).values()
        assert warning.text.endswith(": python/a, python/b and python/c.")

    def test_a_row_is_named_once_for_all_its_cases(self) -> None:
        noise = [math.exp(0.05 * sign) for sign in (-1, -1, -1, 0, 0, 0, 0, 0, 0, 1, 1, 1)]
        times = {"c": [20.0] * ROUNDS, "python/a": [50.0 * factor for factor in noise]}
        run = replace(run_of(times, cases={"receive": times, "peek": times}), ending="time")
        (warning,) = warnings(run).values()
        assert warning.text.endswith(": python/a.")


class TestHost:
    @staticmethod
    def disturbed(rounds: int, **sample: float | None) -> Run:
        noise = replace(HostSample(load1=0.1, pressure=0.0, steal=0.0), **sample)
        return replace(
            QUIET, rounds=tuple(replace(each, host=noise) if each.number <= rounds else each for each in QUIET.rounds)
        )

    @pytest.mark.parametrize(
        ("sample", "code", "words"),
        [
            ({"pressure": 0.11}, "pressure", "Other programs waited for a processor in 7 of 12 rounds."),
            ({"steal": 0.021}, "steal", "The hypervisor took processor time away in 7 of 12 rounds."),
        ],
    )
    def test_a_noisy_host_is_said_to_be_noisy(self, sample: dict[str, float], code: str, words: str) -> None:
        (warning,) = warnings(self.disturbed(7, **sample)).values()
        assert (warning.code, warning.text) == (code, words)
        assert warnings(self.disturbed(6, **sample)) == {}

    @pytest.mark.parametrize("sample", [{"pressure": 0.1}, {"steal": 0.02}, {"pressure": None}, {"steal": None}])
    def test_a_little_noise_is_none(self, sample: dict[str, float | None]) -> None:
        assert warnings(self.disturbed(12, **sample)) == {}

    @pytest.mark.parametrize(
        ("governor", "codes"), [("powersave", {"governor"}), ("performance", set()), (None, set())]
    )
    def test_a_governor_that_scales(self, governor: str | None, codes: set[str]) -> None:
        run = replace(QUIET, host=replace(QUIET.host, governor=governor))
        assert set(warnings(run)) == codes
        if codes:
            assert "powersave" in warnings(run)["governor"].text
            assert "cpupower" in warnings(run)["governor"].fix

    def test_nothing_is_said_of_a_host_before_the_first_round(self) -> None:
        run = replace(QUIET, rounds=(), host=replace(QUIET.host, governor="powersave"))
        assert warnings(run) == {}


def waiting(share: float) -> Callable[[WorkerRecord], WorkerRecord]:
    def wait(record: WorkerRecord) -> WorkerRecord:
        return replace(
            record, slices=tuple(replace(each, cpu_ns=round(each.wall_ns * share)) for each in record.slices)
        )

    return wait


class TestDisturbedSlices:
    def test_many_slices_that_waited(self) -> None:
        """Two of the 36 processes: 5.6 %."""
        run = changed(QUIET, "python/a", waiting(0.9), [1, 2])
        (warning,) = warnings(run).values()
        assert warning.code == "disturbed"
        assert warning.text == "5.6 % of the timed slices were interrupted by other programs."

    def test_few_slices_that_waited(self) -> None:
        assert warnings(changed(QUIET, "python/a", waiting(0.9), [1])) == {}

    @pytest.mark.parametrize(("rounds", "told"), [(19, {"disturbed"}), (20, set())])
    def test_a_slice_in_twenty_is_borne(self, rounds: int, told: set[str]) -> None:
        """Two processes of 38, 5.3 %, are more than that; two of 40 are not."""
        run = run_of({"c": [20.0] * rounds, "python/a": [50.0] * rounds})
        assert set(warnings(changed(run, "python/a", waiting(0.9), [1, 2]))) == told

    def test_rows_without_figures_dilute_nothing(self) -> None:
        times = {name: [20.0] * ROUNDS for name in ("c", "control")}
        failing = {f"python/{letter}": [50.0] * ROUNDS for letter in "bcdef"}
        run = run_of({**times, "python/a": [50.0] * ROUNDS, **failing})
        run = changed(run, "python/a", waiting(0.9), [1, 2])
        for name in failing:
            run = changed(run, name, lambda record: replace(record, failure="hung"), [ROUNDS])
        assert warnings(run)["disturbed"].text.startswith("5.6 %")


def test_the_gravest_comes_first() -> None:
    run = run_of({"c": [20.0] * ROUNDS, "control": [21.0] * ROUNDS, "python/a": [50.0, 60.0] * 6})
    run = changed(run, "python/a", waiting(0.5))
    noise = HostSample(load1=3, pressure=0.5, steal=0.5)
    run = replace(
        run,
        ending="time",
        host=replace(run.host, governor="powersave"),
        rounds=tuple(replace(each, host=noise) for each in run.rounds),
    )
    assert list(warnings(run)) == ["control", "precision", "pressure", "steal", "governor", "disturbed"]


class TestUnchecked:
    def test_a_system_without_memory_maps(self) -> None:
        run = changed(QUIET, "python/a", lambda record: replace(record, libraries=None))
        (warning,) = warnings(run).values()
        assert warning.code == "library"
        assert "does not show which library a live process has mapped" in warning.text

    def test_a_worker_that_failed_had_no_map_to_read(self) -> None:
        run = changed(QUIET, "python/a", lambda record: replace(record, libraries=None, failure="ended with status 1"))
        assert "library" not in warnings(run)

    def test_a_system_that_cannot_pin(self) -> None:
        run = replace(QUIET, host=replace(QUIET.host, pinned_to=None))
        (warning,) = warnings(run).values()
        assert warning.code == "pinning"

    def test_an_experiment_with_threads_is_not_pinned(self) -> None:
        run = replace(QUIET, host=replace(QUIET.host, pinned_to=None), plan=replace(QUIET.plan, pinned=False))
        assert warnings(run) == {}


@pytest.mark.parametrize(
    ("last", "told"),
    [(12.0, "1.100x to 1.200x c in 2 of 3 cells, worst in lock threads=4"), (10.0, "1.100x c in lock threads=2")],
)
def test_controls_off_their_place_along_a_sweep_are_told_at_once(last: float, told: str) -> None:
    ratios = {1: 10.0, 2: 11.0, 4: last}
    along: Mapping[str, Along] = {
        "c": {value: [10.0] * ROUNDS for value in ratios},
        "control": {value: [ns] * ROUNDS for value, ns in ratios.items()},
    }
    text = warnings(swept_run({"lock": along}))["control"].text
    assert text == f"The run is inconclusive: control, the same program as c, measured {told}."


def test_processes_left_behind_are_told_once_by_the_name_of_the_contestant() -> None:
    run = changed(QUIET, "python/a", lambda record: replace(record, left_behind=("'make'", "'sh'")), [2])
    run = changed(run, "python/a", lambda record: replace(record, left_behind=("'sleep'",)), [3])
    (warning,) = warnings(run).values()
    assert warning.text == "python/a left processes behind, which were ended: 'make', 'sh'."
