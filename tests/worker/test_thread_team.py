"""The promise: the threads of a worker begin together, are waited for, and one that fails is told of."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from ffibench.worker.thread_team import ThreadTeam


def threads() -> set[Path]:
    """The threads of this process, by the system's numbers."""
    return set(Path("/proc/self/task").iterdir())


def test_each_does_its_part_and_the_sum_is_returned() -> None:
    team = ThreadTeam(4)
    numbers = []

    def work(number: int) -> int:
        numbers.append(number)
        return 10 * number

    assert team.run(work) == 60
    assert sorted(numbers) == [0, 1, 2, 3]
    team.close()


def test_they_work_at_the_same_time() -> None:
    team = ThreadTeam(3)
    together = threading.Barrier(3, timeout=30)

    def work(_: int) -> int:
        together.wait()
        return 1

    assert team.run(work) == 3
    team.close()


def test_they_are_the_same_threads_every_time_and_then_none() -> None:
    before = threads()
    team = ThreadTeam(3)
    runs: list[set[int]] = []
    for _ in range(50):
        seen: set[int] = set()

        def work(_: int, seen: set[int] = seen) -> int:
            seen.add(threading.get_ident())
            return 1

        assert team.run(work) == 3
        runs.append(seen)
    assert all(seen == runs[0] for seen in runs)
    assert len(runs[0]) == 3
    assert len(threads() - before) == 3
    team.close()
    end = time.monotonic() + 30
    while threads() - before:  # each has left the team, and ends
        assert time.monotonic() < end
        time.sleep(0.001)


def test_one_that_fails_is_told_of_when_all_have_returned() -> None:
    team = ThreadTeam(3)
    returned = []

    def work(number: int) -> int:
        if number == 1:
            raise OSError("no such request")
        returned.append(number)
        return 1

    with pytest.raises(OSError, match="no such request"):
        team.run(work)
    assert sorted(returned) == [0, 2]
    team.close()


def test_more_threads_than_the_system_allows() -> None:
    """Stacks of 256 MiB: where there is room for no further one, there is still room for everything else."""
    code = (
        "import resource, threading; from ffibench.worker.thread_team import ThreadTeam\n"
        "threading.stack_size(2**28)\n"
        "resource.setrlimit(resource.RLIMIT_AS, (2**31, 2**31))\n"
        "ThreadTeam(10_000)"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert answer.returncode == 1
    last = answer.stderr.splitlines()[-1]
    assert last.startswith("OSError: cannot start thread ")
    assert last.endswith(" of 10000: can't start new thread")
