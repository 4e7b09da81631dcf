"""The promise: what is judged is a real run, by the real harness; what it says of the clock no test decides."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from support.executed import executed

from ffibench.model import BASELINE, CONTROL, Progress, Run
from ffibench.results.compare import compare
from ffibench.selftest.answers import Answers, examined
from ffibench.selftest.scenarios import ROUNDS_MIN, SCENARIOS, Scenario
from ffibench.selftest.spins import PRECISION
from ffibench.selftest.verdict import CHECKS_MAX, LEVEL
from ffibench.stats import rounds_needed

ROUNDS = 3


def nobody(_: Run | Progress) -> None:
    """Look away."""


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.title)
def test_a_scenario_runs_from_end_to_end(scenario: Scenario, tmp_path: Path) -> None:
    plan = replace(scenario.plan(tmp_path, 7), rounds_min=ROUNDS, rounds_max=ROUNDS)
    run = executed(plan, keep=nobody, observe=nobody)
    checks = scenario.judge(run, compare(run))
    assert (checks[0].what, checks[0].verdict) == ("receipts that equal the oracle's", "as known")
    assert len(checks) > 1
    found = examined(run, checks)
    assert (found.rounds, found.processes) == (ROUNDS, ROUNDS * len(scenario.spins))
    assert 0 <= found.disturbed <= 1


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.title)
def test_every_plan_has_the_baseline_the_control_and_rounds_enough(scenario: Scenario, tmp_path: Path) -> None:
    plan = scenario.plan(tmp_path, 7)
    assert [worker.contestant.name for worker in plan.workers][:2] == [BASELINE, CONTROL]
    assert plan.rounds_max >= plan.rounds_min == ROUNDS_MIN >= rounds_needed(4, LEVEL)
    assert (plan.precision, plan.seed, plan.pinned) == (PRECISION, 7, True)


def test_the_level_allows_for_every_check_there_is(tmp_path: Path) -> None:
    """The receipts and the seconds of a process are no matter of chance."""
    runs = []
    for scenario in SCENARIOS:
        plan = replace(scenario.plan(tmp_path, 7), rounds_min=1, rounds_max=1)
        run = executed(plan, keep=nobody, observe=nobody)
        runs.append(examined(run, scenario.judge(run, compare(run))))
    checks = [check for run in runs for check in run.checks]
    by_chance = [check for check in checks if "receipts" not in check.what and "seconds" not in check.what]
    assert len(by_chance) <= CHECKS_MAX
    answers = Answers(seed=7, started="", tool="", interrupted=False, runs=tuple(runs))
    counts = [answers.count("as known"), answers.count("inconclusive"), answers.count("contradicted")]
    assert sum(counts) == len(checks)
