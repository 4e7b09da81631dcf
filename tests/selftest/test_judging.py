"""The promise: a tool that is right is never contradicted, and a slip in a unit or a division always is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from support.spins import run_of_spins

from ffibench.model import Comparison, PlannedCase, Run, Slice, WorkerRecord
from ffibench.results.compare import compare
from ffibench.selftest.scenarios import SCENARIOS, Scenario
from ffibench.selftest.verdict import Check
from ffibench.stats import Measured

STEADY, UNSTEADY, COLD = SCENARIOS

Spoil = Callable[[Run, Comparison], tuple[Run, Comparison]]


def verdicts(scenario: Scenario, run: Run, comparison: Comparison | None = None) -> dict[str, str]:
    checks: list[Check] = scenario.judge(run, compare(run) if comparison is None else comparison)
    return {check.what: check.verdict for check in checks}


def red(found: dict[str, str]) -> set[str]:
    return {what for what, verdict in found.items() if verdict == "contradicted"}


# What is wrong is seen


def row(name: str, **factors: float) -> Spoil:
    """Printed figures of a row times a factor."""

    def spoil(run: Run, comparison: Comparison) -> tuple[Run, Comparison]:
        def spoilt(found: Any) -> Any:  # noqa: ANN401
            if found.contestant != name:
                return found
            return replace(found, **{key: getattr(found, key) * factor for key, factor in factors.items()})

        return run, replace(comparison, rows=tuple(map(spoilt, comparison.rows)))

    return spoil


def told(name: str, **values: object) -> Spoil:
    """Printed words of a row replaced."""

    def spoil(run: Run, comparison: Comparison) -> tuple[Run, Comparison]:
        rows = [replace(each, **values) if each.contestant == name else each for each in comparison.rows]
        return run, replace(comparison, rows=tuple(rows))

    return spoil


def resolution(factor: float) -> Spoil:
    def spoil(run: Run, comparison: Comparison) -> tuple[Run, Comparison]:
        smaller = {case: factor * value for case, value in comparison.resolution.items()}
        return run, replace(comparison, resolution=smaller)

    return spoil


@pytest.mark.parametrize(
    ("scenario", "spoil", "what"),
    [
        (STEADY, row("c", gross_ns=10), "a spin of 100 ns, gross"),
        (STEADY, row("c", gross_ns=0.1), "a spin of 100 ns, gross"),
        (STEADY, row("c", net_ns=10), "net of its empty loop of 20 ns"),
        (STEADY, row("c", net_ns=1.25), "net of its empty loop of 20 ns"),
        (STEADY, row("spin/twice", added_ns=2), "twice the baseline, added"),
        (STEADY, row("spin/twice", added_ns=-1), "twice the baseline, added"),
        (STEADY, row("c", real_s=1000), "its whole process, seconds"),
        (STEADY, row("c", real_s=0.001), "its whole process, seconds"),
        (STEADY, row("spin/twice", ratio=0.25), "twice the baseline, ratio"),
        (STEADY, row("spin/twice", ratio_low=1.1, ratio_high=1.1), "twice the baseline, ratio"),
        (STEADY, row("spin/twice", ratio_low=0.5), "twice the baseline, ratio"),
        (STEADY, row("control", ratio=1.02), "control, the baseline again, ratio"),
        (STEADY, row("spin/slower", ratio=1 / 1.03), "3 % slower, ratio"),
        (STEADY, told("spin/slower", tie="a"), "two rows 3 % apart"),
        (STEADY, resolution(100), "smallest detectable difference"),
        (STEADY, resolution(0.01), "smallest detectable difference"),
        (STEADY, told("spin/once", settled=False), "rows that run at one speed"),
        (UNSTEADY, told("spin/drifting", settled=True), "each slice 5 % slower"),
        (UNSTEADY, row("spin/drifting", gross_ns=1.2 / 1.4), "its middle slice, gross"),
        (UNSTEADY, row("spin/modes", ratio=1.1), "two costs by process, estimate"),
        (UNSTEADY, row("spin/modes", ratio_low=1.04, ratio_high=0.96), "two costs by process, interval"),
        (UNSTEADY, told("spin/warming", settled=False), "warm-up counted"),
        (UNSTEADY, row("spin/warming", gross_ns=1.5), "warm-up counted, gross"),
        (COLD, told("spin/warming", settled=True), "a spin that warms up"),
        (COLD, told("c", receipts=1), "receipts that equal the oracle's"),
        (COLD, told("c", valid=False, reason="It crashed."), "receipts that equal the oracle's"),
    ],
)
def test_a_figure_that_is_wrong_is_contradicted(scenario: Scenario, spoil: Spoil, what: str, tmp_path: Path) -> None:
    run = run_of_spins(scenario, tmp_path)
    right = compare(run)
    assert set(verdicts(scenario, run, right).values()) == {"as known"}
    assert red(verdicts(scenario, *spoil(run, right))) == {what}


def test_a_wrong_division_is_seen_although_every_ratio_is_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = run_of_spins(STEADY, tmp_path)
    sample, beside = Measured.sample, Measured.beside

    def slipped(measured: Measured, key: str, case: PlannedCase) -> object:
        return sample(measured, key, replace(case, iterations=case.iterations * 10))

    def slipped_beside(measured: Measured, key: str, other: str, case: PlannedCase) -> object:
        return beside(measured, key, other, replace(case, iterations=case.iterations * 10))

    monkeypatch.setattr(Measured, "sample", slipped)
    monkeypatch.setattr(Measured, "beside", slipped_beside)
    assert red(verdicts(STEADY, run)) == {
        "a spin of 100 ns, gross",
        "net of its empty loop of 20 ns",
        "twice the baseline, added",
    }


def test_a_process_told_by_its_fastest_slice_is_seen(tmp_path: Path) -> None:
    """Where every slice costs the same the minimum looks right."""
    run = run_of_spins(UNSTEADY, tmp_path)

    def fastest(record: WorkerRecord) -> WorkerRecord:
        lowest = {kind: min(one.wall_ns for one in record.slices if one.kind == kind) for kind in ("timed", "empty")}
        slices = [replace(one, wall_ns=lowest.get(one.kind, one.wall_ns)) for one in record.slices]
        return replace(record, slices=tuple(slices))

    rounds = [replace(each, records=tuple(map(fastest, each.records))) for each in run.rounds]
    assert "its middle slice, gross" in red(verdicts(UNSTEADY, replace(run, rounds=tuple(rounds))))


@pytest.mark.parametrize("taken", [0.0, 0.3, 1.0])
def test_a_clock_in_another_unit_is_seen_on_any_host(tmp_path: Path, taken: float) -> None:
    """A worker that reads microseconds: a thousand times too little, also where the host is busy."""
    run = run_of_spins(STEADY, tmp_path, taken=taken)

    def in_us(one: Slice) -> Slice:
        return replace(one, wall_ns=one.wall_ns // 1000, cpu_ns=one.cpu_ns // 1000)

    def faster(one: Slice) -> Slice:
        return replace(one, wall_ns=one.wall_ns // 10, cpu_ns=one.cpu_ns // 10)

    def slower(one: Slice) -> Slice:
        return replace(one, wall_ns=one.wall_ns * 10, cpu_ns=one.cpu_ns * 10)

    assert red(verdicts(STEADY, with_slices(run, in_us)))  # 0.1 ns is less than a cycle, and so invalid
    assert "a spin of 100 ns, gross" in red(verdicts(STEADY, with_slices(run, faster)))
    assert "a spin of 100 ns, gross" in red(verdicts(STEADY, with_slices(run, slower)))


def test_wall_time_in_another_unit_is_not_taken_for_a_busy_host(tmp_path: Path) -> None:
    """By the slices alone the processor might have been away nine tenths of the time; the harness's clock knows."""
    run = run_of_spins(STEADY, tmp_path)
    found = verdicts(STEADY, with_slices(run, lambda one: replace(one, wall_ns=one.wall_ns * 10)))
    assert red(found) == {"its whole process, seconds"}
    assert found["a spin of 100 ns, gross"] == "inconclusive"


def with_slices(run: Run, change: Callable[[Slice], Slice]) -> Run:
    def changed(record: WorkerRecord) -> WorkerRecord:
        return replace(record, slices=tuple(map(change, record.slices)))

    rounds = [replace(each, records=tuple(map(changed, each.records))) for each in run.rounds]
    return replace(run, rounds=tuple(rounds))


def scaled(run: Run, name: str, factors: Sequence[float]) -> Run:
    """The run with all slices of a contestant longer by a factor of each round."""
    key = next(worker.key for worker in run.plan.workers if worker.contestant.name == name)

    def changed(record: WorkerRecord, factor: float) -> WorkerRecord:
        if record.key != key:
            return record
        slices = (
            replace(one, wall_ns=round(one.wall_ns * factor), cpu_ns=round(one.cpu_ns * factor))
            for one in record.slices
        )
        return replace(record, slices=tuple(slices))

    rounds = [
        replace(each, records=tuple(changed(record, factor) for record in each.records))
        for each, factor in zip(run.rounds, factors, strict=True)
    ]
    return replace(run, rounds=tuple(rounds))


def test_two_entries_of_one_program_that_differ_are_contradicted(tmp_path: Path) -> None:
    run = scaled(run_of_spins(STEADY, tmp_path), "spin/once-more", [2.0] * 40)
    assert red(verdicts(STEADY, run)) == {"two identical rows"}


def test_letters_that_tell_nothing_apart_are_contradicted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not excused as a want of precision, although the judge has no other letters to compare them with."""
    monkeypatch.setattr("ffibench.results.compare.ties", lambda samples: ["a"] * len(samples))
    assert red(verdicts(STEADY, run_of_spins(STEADY, tmp_path))) == {"two rows 3 % apart"}


def test_letters_that_tell_everything_apart_are_contradicted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ffibench.results.compare.ties", lambda samples: list("abcdef"[: len(samples)]))
    assert red(verdicts(STEADY, run_of_spins(STEADY, tmp_path))) == {"two identical rows"}


# What is right is not contradicted


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.title)
@pytest.mark.parametrize("taken", [0.0, 0.2, 0.5, 0.9, 1.0])
@pytest.mark.parametrize("seed", range(5))
def test_no_host_however_busy_contradicts_what_is_right(
    scenario: Scenario, taken: float, seed: int, tmp_path: Path
) -> None:
    run = run_of_spins(scenario, tmp_path, taken=taken, noise=0.002, seed=seed)
    found = verdicts(scenario, run)
    assert not red(found)
    assert len(found) >= 2


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.title)
@pytest.mark.parametrize("taken", [0.05, 0.15, 0.3, 0.5])
@pytest.mark.parametrize("seed", range(3))
def test_no_slices_that_are_taken_away_contradict_what_is_right(
    scenario: Scenario, taken: float, seed: int, tmp_path: Path
) -> None:
    """Some slices of every process, and not all of some: the lengthened ones pass others of the same process."""
    random = Random(seed)

    def maybe(one: Slice) -> Slice:
        return replace(one, wall_ns=round(one.wall_ns * (1 + 5 * random.random()))) if random.random() < taken else one

    run = with_slices(run_of_spins(scenario, tmp_path, seed=seed), maybe)
    rounds = [replace(each, seconds=each.seconds * 6, records=tuple(map(waited, each.records))) for each in run.rounds]
    assert not red(verdicts(scenario, replace(run, rounds=tuple(rounds))))


def waited(record: WorkerRecord) -> WorkerRecord:
    """The process as the harness's clock saw it."""
    assert record.usage is not None
    seconds = sum(one.wall_ns for one in record.slices) / 1e9
    return replace(record, usage=replace(record.usage, real_s=seconds + 0.01))


def test_a_host_that_is_too_busy_says_so(tmp_path: Path) -> None:
    run = run_of_spins(STEADY, tmp_path, taken=1.0)
    checks = {check.what: check for check in STEADY.judge(run, compare(run))}
    gross = checks["a spin of 100 ns, gross"]
    assert (gross.verdict, "Other programs" in gross.reason) == ("inconclusive", True)
    assert checks["two rows 3 % apart"].verdict == "inconclusive"
    assert checks["smallest detectable difference"].verdict == "inconclusive"


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.title)
@pytest.mark.parametrize("rounds", [1, 5, 8, 15])
def test_too_few_rounds_are_no_contradiction(scenario: Scenario, rounds: int, tmp_path: Path) -> None:
    found = verdicts(scenario, run_of_spins(scenario, tmp_path, rounds=rounds))
    assert not red(found)
    if scenario is not COLD:
        assert "inconclusive" in found.values()


def test_equal_rows_that_the_table_tells_apart_at_its_own_level_are_no_contradiction(tmp_path: Path) -> None:
    """It may do so in one run of 20; what would be wrong is to do so at the level of the verdicts."""
    run = run_of_spins(STEADY, tmp_path, noise=0)
    run = scaled(run, "spin/once-more", [1.001] * 31 + [0.999] * 9)
    found = verdicts(STEADY, run)
    assert found["two identical rows"] == "inconclusive"
    assert not red(found)


def test_equal_rows_that_differ_by_less_than_a_spin_may_be_off_are_no_contradiction(tmp_path: Path) -> None:
    run = scaled(run_of_spins(STEADY, tmp_path, noise=0), "spin/once-more", [1.004] * 40)
    assert verdicts(STEADY, run)["two identical rows"] == "inconclusive"


def test_a_run_without_a_round_is_not_judged(tmp_path: Path) -> None:
    for scenario in SCENARIOS:
        (check,) = scenario.judge(*emptied(run_of_spins(scenario, tmp_path, rounds=1)))
        assert (check.verdict, check.reason) == ("contradicted", "No round was finished.")


def emptied(run: Run) -> tuple[Run, Comparison]:
    run = replace(run, rounds=())
    return run, compare(run)
