"""The rounds of a run: one fresh process of every contestant in each, in an order drawn from the seed."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from random import Random

from ffibench.errors import FfibenchError
from ffibench.harness.cases import in_drawn_order
from ffibench.harness.team import run_team
from ffibench.host.sampler import HostWatch
from ffibench.model import BASELINE, Audit, Host, Plan, PlannedWorker, Round, Value, WorkerRecord
from ffibench.temporary import temporary_folder

# sockaddr_un.sun_path holds 108 bytes on Linux and 104 on macOS and the BSDs, the NUL among them: unix(7).
IPC_PATH_BYTES_MAX = 107 if os.uname().sysname == "Linux" else 103


Team = tuple[PlannedWorker, ...]
"""Workers that run at the same time."""


def order(plan: Plan, number: int) -> list[Team]:
    """Return the teams in the order of round `number`: a random permutation, determined by the seed.

    Those at one point of a sweep follow each other, the points in random order too: a ratio is of two processes at one
    point, and the speed of a machine changes in a fraction of a second.
    """
    teams = plan.teams()
    Random(f"{plan.seed}/{number}").shuffle(teams)
    points: dict[tuple[tuple[str, Value], ...], list[Team]] = {}
    for team in teams:
        point = next(case.point for worker in team for case in plan.cases_of(worker))
        points.setdefault(tuple(point.items()), []).append(team)
    return [team for there in points.values() for team in _with_baseline(plan, there)]


def _with_baseline(plan: Plan, teams: Sequence[Team]) -> Sequence[Team]:
    """Return the teams at one point with the baseline as often as the plan says, in the middle of as many others.

    Where cases that only some run have a process of the baseline of their own, each other stands beside the one that
    runs its cases.
    """
    baselines = [team for team in teams if team[0].key in plan.repeated]
    if not baselines:
        return teams
    beside: dict[str, list[Team]] = {team[0].key: [] for team in baselines}
    for team in teams:
        if team not in baselines:
            ran = _cases(plan, team)
            with_it = (each for each in baselines if not ran.isdisjoint(_cases(plan, each)))
            beside[next(with_it, baselines[0])[0].key].append(team)
    return [team for each in baselines for team in _interleaved(each, beside[each[0].key], plan.repeated[each[0].key])]


def _cases(plan: Plan, team: Team) -> set[str]:
    return {case.name for worker in team for case in plan.cases_of(worker)}


def _interleaved(baseline: Team, others: Sequence[Team], count: int) -> Iterator[Team]:
    bounds = [len(others) * part // count for part in range(count + 1)]
    for first, last in pairwise(bounds):
        middle = (first + last) // 2
        yield from (*others[first:middle], baseline, *others[middle:last])


@contextmanager
def endpoints(plan: Plan) -> Iterator[Sequence[str | None]]:
    """Yield an endpoint per worker of the plan, in a private temporary folder, or None where it needs none.

    Interrupts must be postponed, so that the folder is removed. Raises FfibenchError where it cannot be made, or
    its path is too long for a socket.
    """
    if plan.transport is None:
        yield [None] * len(plan.workers)
        return
    with temporary_folder() as folder:
        paths = [str(folder / f"{number}.ipc") for number in range(len(plan.workers))]
        if len(os.fsencode(paths[-1])) > IPC_PATH_BYTES_MAX:
            raise FfibenchError(
                f"the path of an ipc socket in {folder} has more than {IPC_PATH_BYTES_MAX} bytes",
                fix="set TMPDIR=/tmp before the command to use a shorter one",
            )
        yield [f"ipc://{path}" for path in paths]


def removed_file(plan: Plan) -> str | None:
    """Return the first file that a worker of a plan needs and that is no longer there; None where all are.

    The cache may be emptied while they run.
    """
    paths = dict.fromkeys([plan.library.path, *(path for worker in plan.workers for path in worker.files)])
    return next((path for path in paths if not Path(path).exists()), None)


Count = Callable[[Sequence[PlannedWorker], str | None, int | None], Sequence[Audit]]
"""Runs a team with its native calls counted, at an endpoint and on a processor, where there are such."""


def counted_in(plan: Plan, number: int) -> set[str]:
    """Return the first worker's key of each team that is counted once more in round `number`.

    The seed draws a round for each team, among those that a run has in any case.
    """
    draw = Random(f"{plan.seed}/counted")
    return {team[0].key for team in plan.teams() if draw.randint(1, plan.rounds_min) == number}


def turns(plan: Plan, number: int) -> list[tuple[Team, bool]]:
    """Return the teams in the order of a round, each with whether this process is the one whose calls are counted."""
    found = [(team, False) for team in order(plan, number)]
    draw = Random(f"{plan.seed}/{number}/counted")
    counted = counted_in(plan, number)
    for team in plan.teams():
        if team[0].key in counted:
            found.insert(draw.randint(0, len(found)), (team, True))
    return found


class RoundUnderWay:
    """Round `number` (from 1) of a plan on a host, team by team. Those of which a worker `failed` before do nothing."""

    def __init__(
        self, plan: Plan, number: int, failed: frozenset[str], addresses: Sequence[str | None], host: Host
    ) -> None:
        self._plan = plan
        self._number = number
        self._failed = failed
        self._addresses = dict(zip((worker.key for worker in plan.workers), addresses, strict=True))
        self._host = host
        self._watch = HostWatch(host.siblings)
        self._started = time.monotonic()
        self._started_before = Counter[str]()
        self._records: list[WorkerRecord] = []
        self._audits: list[Audit] = []

    def run(self, team: Team) -> bool:
        """Run a team; return whether the round goes on: without the baseline nothing can be compared."""
        key = team[0].key
        if self._is_out(team):
            return True
        mixed, drawn = in_drawn_order(team, self._plan, self._number, key, self._started_before[key])
        self._started_before[key] += 1
        found = run_team(mixed, drawn, endpoint=self._addresses[key], cpu=self._host.pinned_to)
        self._records += found
        return team[0].contestant.name != BASELINE or found[0].failure is None

    def count(self, team: Team, count: Count) -> None:
        """Run a team once more, to have its native calls counted."""
        if not self._is_out(team):
            self._audits += count(team, self._addresses[team[0].key], self._host.pinned_to)

    def finish(self) -> Round:
        """Return the round."""
        return Round(
            number=self._number,
            seconds=time.monotonic() - self._started,
            records=tuple(self._records),
            host=self._watch.sample(),
            audits=tuple(self._audits),
        )

    def _is_out(self, team: Team) -> bool:
        return any(worker.key in self._failed for worker in team)


def run_round(
    plan: Plan,
    number: int,
    failed: frozenset[str],
    addresses: Sequence[str | None],
    host: Host,
    count: Count | None = None,
) -> Round:
    """Run a round and return it. Stops at a failure of the baseline.

    With `count` some teams run once more, at random, to have their native calls counted.
    """
    under_way = RoundUnderWay(plan, number, failed, addresses, host)
    for team, counted in turns(plan, number):
        if not counted:
            if not under_way.run(team):
                break
        elif count is not None:
            under_way.count(team, count)
    return under_way.finish()
