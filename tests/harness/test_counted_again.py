"""Each contestant is counted once more among the rounds, by a process that nothing tells from a timed one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from support.contestants import scripted_plan
from support.executed import executed
from support.runs import HOST

from ffibench.harness.rounds import counted_in, order, run_round, turns
from ffibench.model import Audit, AuditVerdict, Plan, PlannedWorker

NAMES = ("c", "control", "python/a", "python/b")


def plan_of_four(folder: Path, **changes: object) -> Plan:
    return scripted_plan(folder, dict.fromkeys(NAMES, 27), **{"rounds_min": 6, "rounds_max": 6, **changes})


class CountNothing:
    """Counts nothing, and remembers who was to be counted."""

    def __init__(self, verdict: AuditVerdict = "accepted", of: str = "") -> None:
        self.asked: list[tuple[str, str | None, int | None]] = []
        self.verdict, self.of = verdict, of

    def __call__(self, team: Sequence[PlannedWorker], address: str | None, cpu: int | None) -> list[Audit]:
        (worker,) = team
        self.asked.append((worker.contestant.name, address, cpu))
        verdict: AuditVerdict = self.verdict if worker.contestant.name == self.of else "accepted"
        return [Audit(key=worker.key, case="send", operations=3_000, verdict=verdict, reason="called nothing")]


def test_each_team_is_drawn_once_among_the_rounds_that_there_are(folder: Path) -> None:
    plan = plan_of_four(folder)
    drawn = Counter(key for number in range(1, 7) for key in counted_in(plan, number))
    assert drawn == Counter(worker.key for worker in plan.workers)
    assert counted_in(plan, 7) == set()


def test_the_seed_draws_the_rounds(folder: Path) -> None:
    def rounds(seed: int) -> list[set[str]]:
        return [counted_in(plan_of_four(folder, seed=seed), number) for number in range(1, 7)]

    assert rounds(1) == rounds(1)
    assert len({tuple(map(frozenset, rounds(seed))) for seed in range(20)}) > 10


def test_the_order_of_the_others_stays_as_it_is(folder: Path) -> None:
    plan = plan_of_four(folder)
    for number in range(1, 7):
        assert [team for team, counted in turns(plan, number) if not counted] == order(plan, number)
    places = {
        [counted for _, counted in turns(plan_of_four(folder, seed=seed, rounds_min=1), 1)].index(True)
        for seed in range(40)
    }
    assert len(places) > 1, "the place in a round is drawn too"


def test_its_process_is_not_timed(folder: Path) -> None:
    plan = plan_of_four(folder)
    number = next(number for number in range(1, 7) if counted_in(plan, number))
    count = CountNothing()
    addresses = [f"ipc:///{name}" for name in NAMES]
    found = run_round(plan, number, frozenset(), addresses, HOST, count)
    assert len(found.records) == len(NAMES)
    assert {audit.key for audit in found.audits} == counted_in(plan, number)
    assert {(name, address) for name, address, _ in count.asked} == {
        (audit.key.partition(" ")[0], f"ipc:///{audit.key.partition(' ')[0]}") for audit in found.audits
    }
    assert {cpu for _, _, cpu in count.asked} == {HOST.pinned_to}


def test_without_a_count_nobody_is(folder: Path) -> None:
    assert executed(plan_of_four(folder)).counted_again == ()


def test_a_whole_run_counts_everybody_again(folder: Path) -> None:
    count = CountNothing()
    run = executed(plan_of_four(folder), count=count)
    assert sorted(name for name, _, _ in count.asked) == sorted(NAMES)
    assert len(run.counted_again) == len(run.all_audits) == len(NAMES)


def test_one_that_does_something_else_is_timed_no_more(folder: Path) -> None:
    run = executed(plan_of_four(folder), count=CountNothing("invalid", of="python/b"))
    plan = run.plan
    last = next(number for number in range(1, 7) if plan.workers[3].key in counted_in(plan, number))
    timed = [each.number for each in run.rounds if any(record.key == plan.workers[3].key for record in each.records)]
    assert timed == list(range(1, last + 1))


def test_a_baseline_that_does_ends_the_run(folder: Path) -> None:
    run = executed(plan_of_four(folder), count=CountNothing("invalid", of="c"))
    assert run.ending == "baseline failed"
