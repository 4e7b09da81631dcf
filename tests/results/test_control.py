"""The promise: what parts two entries of one program is called the error of the run, where it is no chance."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from support.runs import changed, run_of

from ffibench.model import Run
from ffibench.results.compare import compare
from ffibench.results.control import ControlGap, control_gaps

ROUNDS = 12
SAME = {"c": [20.0] * ROUNDS, "control": [20.0] * ROUNDS}
OFF = {"c": [20.0] * ROUNDS, "control": [20.2] * ROUNDS}


def gaps(run: Run) -> tuple[ControlGap, ...]:
    return control_gaps(run, compare(run).rows)


def test_a_control_that_is_always_slower_is_an_error_of_that_size() -> None:
    (gap,) = gaps(run_of(OFF))
    assert gap.error == pytest.approx(0.01)
    assert gap.ratio.interval is not None
    assert gap.ratio.interval.low == pytest.approx(1.01)


def test_one_that_is_faster_is_as_much_of_an_error() -> None:
    (gap,) = gaps(run_of({**SAME, "control": [19.8] * ROUNDS}))
    assert gap.error == pytest.approx(0.01)


def test_one_that_is_slower_and_faster_in_turns_is_none() -> None:
    assert gaps(run_of({**SAME, "control": [19.0, 21.0] * (ROUNDS // 2)})) == ()
    assert gaps(run_of(SAME)) == ()


def test_few_rounds_prove_nothing() -> None:
    assert gaps(run_of({name: times[:5] for name, times in OFF.items()})) == ()
    assert len(gaps(run_of({name: times[:6] for name, times in OFF.items()}))) == 1


def test_the_largest_error_comes_first() -> None:
    run = run_of(OFF, cases={"receive": {**SAME, "control": [21.0] * ROUNDS}, "peek": SAME})
    assert [gap.row.case for gap in gaps(run)] == ["receive", "send"]


def test_many_cases_ask_for_more_than_one_alone() -> None:
    """Ten of twelve rounds on one side: p is 0.039, which one case in ten has by chance."""
    leaning = {**SAME, "control": [20.2] * 10 + [19.8] * 2}
    assert len(gaps(run_of(leaning))) == 1
    assert gaps(run_of(leaning, cases={f"case{number}": SAME for number in range(3)})) == ()


def test_a_control_without_figures_is_no_error() -> None:
    assert gaps(changed(run_of(OFF), "control", lambda record: replace(record, failure="hung"))) == ()
