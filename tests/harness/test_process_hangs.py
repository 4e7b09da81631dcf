"""The promise: no worker and no child of one outlives its time limit, its worker or an interrupt of the harness."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.contestants import scripted_plan, starts
from support.processes import CLEAN, HANGS, SECONDS_MAX, failure_of, python, run_code

from ffibench.harness.process import Worker, WorkerError, start
from ffibench.model import Plan, Usage

pytestmark = pytest.mark.usefixtures("each_way_to_learn_of_an_end")


@pytest.mark.parametrize("where", ["ready", "go", "closed"])
def test_a_worker_that_hangs_is_ended_at_its_time_limit(where: str) -> None:
    hang = "import signal; [signal.signal(n, signal.SIG_IGN) for n in (1, 2, 15)]; import time; time.sleep(600)"
    code = {
        "ready": hang,
        "go": f"print('ready', flush=True); {hang}",
        "closed": f"{CLEAN}; {hang}",
    }[where]
    assert failure_of(code, HANGS) == (
        "was still running after 0.7 s, the time limit of one worker; --timeout SECONDS sets another"
    )


def test_a_worker_that_closes_its_output_and_stays_is_ended_at_its_time_limit() -> None:
    code = "import os, time; print('ready', flush=True); os.close(1); os.close(2); time.sleep(600)"
    assert "still running" in failure_of(code, HANGS)


@pytest.fixture
def with_children(folder: Path) -> Callable[[str], Plan]:
    def plan(trouble: str) -> Plan:
        return scripted_plan(folder, {"c": {"trouble": trouble}})

    return plan


def read_all(worker: Worker) -> Usage:
    worker.line()
    worker.go()
    for _ in range(5):
        worker.line()
    return worker.finish()


@pytest.mark.parametrize("writes_to", ["", "2"], ids=["silent", "writing"])
def test_a_child_that_holds_the_pipes_open_is_not_waited_for(
    writes_to: str, with_children: Callable[[str], Plan], folder: Path
) -> None:
    """Nor does one that goes on writing keep the harness reading."""
    plan = with_children(f"child:{writes_to}@start")
    with start(plan.workers[0].command, cpu=None, seconds_max=SECONDS_MAX) as worker:
        read_all(worker)
    assert len(starts(folder)) == 2  # and `nothing_left` sees to it that both are gone


def test_a_child_that_writes_faster_than_it_is_read_keeps_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """However often one reads, there is more: what came after the worker's end is none of its words."""
    code = "import sys; print('ready', flush=True); sys.stdin.readline()"
    with start(python(code), cpu=None, seconds_max=SECONDS_MAX) as worker:
        assert worker.line() == b"ready"
        with monkeypatch.context() as patch:
            patch.setattr(os, "read", lambda fd, count: b"x")
            worker.go()
            with pytest.raises(WorkerError, match=r"^ended with status 0, saying 'xx"):
                worker.line()


def test_the_whole_group_of_a_worker_is_ended(with_children: Callable[[str], Plan], folder: Path) -> None:
    plan = with_children("child@start")
    with start(plan.workers[0].command, cpu=None, seconds_max=SECONDS_MAX) as worker:
        worker.line()
        assert all(os.getpgid(pid) == worker.pid for pid in starts(folder))
        assert len(starts(folder)) == 2


def test_an_interrupt_of_the_harness_ends_the_worker_too(folder: Path) -> None:
    plan = scripted_plan(folder, {"c": 27})
    starting = start(plan.workers[0].command, cpu=None, seconds_max=SECONDS_MAX)
    assert starting.__enter__().line().startswith(b'{"ready"')
    assert not starting.__exit__(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert len(starts(folder)) == 1


class TestInterrupts:
    """Ctrl-C may come at any moment: also where a process is there and nobody has it yet, or half gone."""

    def interrupted(self) -> None:
        with pytest.raises(KeyboardInterrupt), start(python(CLEAN), cpu=None, seconds_max=SECONDS_MAX) as worker:
            worker.line()

    def test_while_it_is_started(self, monkeypatch: pytest.MonkeyPatch) -> None:
        popen = subprocess.Popen

        def start_and_interrupt(*arguments: Any, **options: Any) -> subprocess.Popen[bytes]:  # noqa: ANN401
            process: subprocess.Popen[bytes] = popen(*arguments, **options)
            signal.raise_signal(signal.SIGINT)
            return process

        with monkeypatch.context() as patch:
            patch.setattr(subprocess, "Popen", start_and_interrupt)
            self.interrupted()

    def test_while_it_is_ended(self, monkeypatch: pytest.MonkeyPatch) -> None:
        kill = os.killpg

        def kill_and_interrupt(group: int, number: int) -> None:
            kill(group, number)
            signal.raise_signal(signal.SIGINT)

        with monkeypatch.context() as patch:
            patch.setattr(os, "killpg", kill_and_interrupt)
            self.interrupted()

    def test_an_interrupt_is_what_it_was_afterwards(self) -> None:
        before = signal.getsignal(signal.SIGINT)
        run_code(CLEAN)
        assert signal.getsignal(signal.SIGINT) is before

    def test_a_thread_may_start_workers_too(self) -> None:
        usages: list[Usage] = []
        thread = threading.Thread(target=lambda: usages.append(run_code(CLEAN)))
        thread.start()
        thread.join()
        assert len(usages) == 1
