"""The promise: the roles of a contestant run side by side, and where one fails the others are ended and say why."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace
from support.contestants import ITERATIONS, team_plan
from support.runs import HOST

from ffibench.harness.rounds import order, run_round
from ffibench.harness.spawn import part_threads
from ffibench.harness.team import run_team
from ffibench.model import Plan, WorkerRecord

PUBLISHER = {"role": "publisher"}
SUBSCRIBER = {"role": "subscriber"}
UNPINNED = replace(HOST, pinned_to=None)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def run(plan: Plan) -> list[WorkerRecord]:
    (team,) = plan.teams()
    return run_team(team, plan, endpoint=None, cpu=None)


def test_all_roles_are_followed_and_recorded(folder: Path) -> None:
    publisher, subscriber = run(team_plan(folder, PUBLISHER, {**SUBSCRIBER, "figure": 7}))
    assert (publisher.failure, subscriber.failure) == (None, None)
    assert publisher.key == "c [gcc 12.2.0] publisher"
    assert {one.case for one in publisher.slices} == {"publisher"}
    assert {one.case for one in subscriber.slices} == {"subscriber"}
    assert len(publisher.slices) == len(subscriber.slices) == 5
    assert [one.figures for one in subscriber.slices if one.kind == "timed"] == [{"figure": 7}] * 2
    assert publisher.usage is not None
    assert subscriber.usage is not None
    assert publisher.left_behind == subscriber.left_behind == ()


def test_the_first_names_the_endpoint_that_the_others_are_told(folder: Path) -> None:
    publisher, subscriber = run(team_plan(folder, {**PUBLISHER, "waits_at": "tcp://127.0.0.1:5556"}, SUBSCRIBER))
    assert subscriber.versions["told"] == "tcp://127.0.0.1:5556"
    # It differs from round to round, and is no version.
    assert "endpoint" not in publisher.versions


@pytest.mark.parametrize("endpoint", ["tcp://a\0b", "", "x" * 1_000, "two\nlines"])
def test_an_endpoint_that_no_worker_could_be_told_is_a_failure(folder: Path, endpoint: str) -> None:
    ready = json.dumps({"ready": {"endpoint": endpoint}}) + "\n"
    spoken = ready.encode("unicode_escape").decode()
    publisher, subscriber = run(team_plan(folder, {**PUBLISHER, "trouble": f"say:{spoken}@start"}, SUBSCRIBER))
    assert str(publisher.failure).startswith("reported an invalid endpoint: ")
    assert str(subscriber.failure).startswith("was stopped because c, the publisher, reported an invalid endpoint")


@pytest.mark.parametrize("thread", [1, 0, -3, 2**70, "main", None, 1.0, True])
def test_a_thread_that_it_does_not_have_is_a_failure(folder: Path, thread: object) -> None:
    spoken = (json.dumps({"ready": {"thread": thread}}) + "\n").encode("unicode_escape").decode()
    publisher, _ = run(team_plan(folder, {**PUBLISHER, "trouble": f"say:{spoken}@start"}, SUBSCRIBER))
    assert str(publisher.failure).startswith("reported a thread that it does not have: ")


@pytest.mark.parametrize("figure", [-1, 10**30])
def test_a_figure_that_cannot_be_is_a_failure(folder: Path, figure: int) -> None:
    _, subscriber = run(team_plan(folder, PUBLISHER, {**SUBSCRIBER, "figure": figure}))
    assert str(subscriber.failure).startswith("reported an invalid figure: 'figure' ")


def test_a_first_that_names_no_endpoint_is_told(folder: Path) -> None:
    publisher, subscriber = run(team_plan(folder, {**PUBLISHER, "waits_at": None}, SUBSCRIBER))
    assert publisher.failure == "did not report the endpoint at which it waits for the others"
    assert subscriber.failure == (
        "was stopped because c, the publisher, did not report the endpoint at which it waits for the others"
    )


@pytest.mark.parametrize("where", ["start", "warmup", "slice", "empty", "end", "closed"])
@pytest.mark.parametrize("who", [0, 1])
def test_where_one_fails_the_others_do_not_wait_for_the_time_limit(folder: Path, who: int, where: str) -> None:
    scripts = [dict[str, object](PUBLISHER), dict[str, object](SUBSCRIBER)]
    scripts[who]["trouble"] = f"exit:it is broken@{where}"
    if where not in {"start", "end", "closed"}:
        scripts[1 - who]["trouble"] = "hang@slice"
    began = time.monotonic()
    records = run(team_plan(folder, *scripts))
    assert time.monotonic() - began < 30
    role = ("publisher", "subscriber")[who]
    assert records[who].failure == "ended with status 3, saying 'it is broken'"
    assert records[1 - who].failure == f"was stopped because c, the {role}, {records[who].failure}"


def test_a_time_limit_says_what_was_expected_next_of_each_role(folder: Path) -> None:
    plan = team_plan(
        folder, {**PUBLISHER, "trouble": "hang@warmup"}, {**SUBSCRIBER, "trouble": "hang@slice"}, worker_seconds_max=2.0
    )
    publisher, _ = run(plan)
    assert publisher.failure == (
        "was still running after 2 s, the time limit of one worker; --timeout SECONDS sets another (expected next from "
        "the publisher: warmup slice 0 of publisher; expected next from the subscriber: timed slice 0 of subscriber)"
    )


def test_a_wrong_receipt_is_that_role_s_own(folder: Path) -> None:
    publisher, subscriber = run(team_plan(folder, PUBLISHER, {**SUBSCRIBER, "receipt": '{"sends": 3}'}))
    assert publisher.failure is None
    assert subscriber.failure == (f"reported sends = 3 in warmup slice 0 of subscriber, expected {ITERATIONS:,}")


@pytest.mark.parametrize(("verbose", "said"), [(True, "x" * 10), (False, "")])
def test_what_it_writes_to_standard_error_is_kept_where_it_was_asked_to_say_more(
    folder: Path, verbose: bool, said: str
) -> None:
    _, subscriber = run(team_plan(folder, PUBLISHER, {**SUBSCRIBER, "trouble": "complain:10@end"}, verbose=verbose))
    assert subscriber.said == said


class TestRounds:
    ENTRIES = ("c", "control", "python/a", "python/b")

    def test_a_round_runs_the_teams_in_the_drawn_order(self, folder: Path) -> None:
        plan = team_plan(folder, PUBLISHER, SUBSCRIBER, entries=self.ENTRIES)
        found = run_round(plan, 3, frozenset(), [None] * 8, UNPINNED)
        assert [record.key for record in found.records] == [worker.key for team in order(plan, 3) for worker in team]
        assert all(record.failure is None for record in found.records)

    def test_a_team_of_which_one_failed_is_left_out(self, folder: Path) -> None:
        plan = team_plan(folder, PUBLISHER, SUBSCRIBER, entries=self.ENTRIES)
        failed = frozenset({"python/a [CPython 3.11.7] subscriber"})
        found = run_round(plan, 1, failed, [None] * 8, UNPINNED)
        assert {record.key.partition(" ")[0] for record in found.records} == {"c", "control", "python/b"}


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="this system cannot pin a process")
class TestProcessors:
    def test_the_loop_of_the_first_role_is_alone_on_its_processor(self, folder: Path) -> None:
        allowed = os.sched_getaffinity(0)
        cpu = max(allowed)
        (team,) = team_plan(folder, PUBLISHER, SUBSCRIBER).teams()
        publisher, subscriber = run_team(team, team_plan(folder, PUBLISHER, SUBSCRIBER), endpoint=None, cpu=cpu)
        assert publisher.conditions is not None
        assert subscriber.conditions is not None
        others = allowed - {cpu}
        expected = ({cpu}, others) if others else (allowed, allowed)
        found = tuple(numbers(each.conditions.processors) for each in (publisher, subscriber) if each.conditions)
        assert found == expected

    def test_threads_that_it_has_already_run_elsewhere(self) -> None:
        allowed = os.sched_getaffinity(0)
        cpu = max(allowed)
        with two_threads() as process:
            part_threads(process.pid, cpu, loop=process.pid)
            found = {task == process.pid: os.sched_getaffinity(task) for task in tasks_of(process)}
        others = allowed - {cpu}
        assert found == ({True: {cpu}, False: others} if others else {True: allowed, False: allowed})

    def test_its_loop_may_run_in_another_thread_than_the_main_one(self) -> None:
        allowed = os.sched_getaffinity(0)
        cpu = max(allowed)
        with two_threads() as process:
            (loop,) = [task for task in tasks_of(process) if task != process.pid]
            part_threads(process.pid, cpu, loop=loop)
            found = {task == loop: os.sched_getaffinity(task) for task in tasks_of(process)}
        others = allowed - {cpu}
        assert found == ({True: {cpu}, False: others} if others else {True: allowed, False: allowed})

    @pytest.mark.parametrize(("before", "after"), [("OTHER", "BATCH"), ("IDLE", "IDLE")])
    def test_no_thread_takes_it_from_another_on_waking(self, before: str, after: str) -> None:
        """But for a policy that somebody chose for all of it."""
        with two_threads() as process:
            for task in tasks_of(process):
                os.sched_setscheduler(task, getattr(os, f"SCHED_{before}"), os.sched_param(0))
            part_threads(process.pid, max(os.sched_getaffinity(0)), loop=process.pid)
            found = [os.sched_getscheduler(task) for task in tasks_of(process)]
        assert found == [getattr(os, f"SCHED_{after}")] * 2


@contextmanager
def two_threads() -> Iterator[subprocess.Popen[str]]:
    """A process of two threads that wait."""
    program = "import threading; threading.Thread(target=input).start(); print(flush=True); threading.Event().wait(60)"
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process
        process.kill()


def tasks_of(process: subprocess.Popen[str]) -> list[int]:
    return [int(task.name) for task in Path(f"/proc/{process.pid}/task").iterdir()]


def numbers(listed: str | None) -> set[int]:
    """`0-1,3` as the kernel lists processors."""
    ends = [part.partition("-") for part in (listed or "").split(",")]
    return {number for low, _, high in ends for number in range(int(low), int(high or low) + 1)}
