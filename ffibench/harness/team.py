"""Runs a worker, or a team of them, by the contract: ready, go, a line per slice, a look at the process, a clean exit.

The result is always a record. Where a worker breaks the contract, crashes, hangs or reports a wrong receipt, the
record's `failure` says so.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence

from ffibench.harness.member import Member, Observer
from ffibench.harness.process import Worker, WorkerError, WorkerTimeoutError, start
from ffibench.harness.spawn import part_threads
from ffibench.model import Plan, PlannedWorker, WorkerRecord


def run_worker(
    planned: PlannedWorker, plan: Plan, *, endpoint: str | None, cpu: int | None, observer: Observer | None = None
) -> WorkerRecord:
    """Run one process of one contestant and return its record."""
    return run_team([planned], plan, endpoint=endpoint, cpu=cpu, observers=[observer])[0]


def run_team(
    team: Sequence[PlannedWorker],
    plan: Plan,
    *,
    endpoint: str | None,
    cpu: int | None,
    observers: Sequence[Observer | None] | None = None,
) -> list[WorkerRecord]:
    """Run the processes of a team at the same time and return their records.

    `endpoint` is the first one's; where it is None and there are several, the first one reports its own.
    """
    members = [
        Member(planned, plan, observer) for planned, observer in zip(team, observers or [None] * len(team), strict=True)
    ]
    _start(members, [], plan, endpoint, cpu)
    first = next((member for member in members if member.failure is not None), None)
    for member in members:
        if first is not None and member.failure is None:
            name, role = first.planned.contestant.name, first.planned.role
            member.failure = f"was stopped because {name}, the {role}, {first.failure}"
    return [member.record() for member in members]


def _start(
    members: Sequence[Member],
    running: Sequence[Worker],
    plan: Plan,
    endpoint: str | None,
    cpu: int | None,
) -> None:
    """Start the members that do not run yet, each inside the one before, so that they stop in reverse order."""
    count = len(running)
    several = len(members) > 1
    if count == len(members):
        _run_together(members, running)
        return
    member = members[count]
    environment = {} if member.observer is None else member.observer.environment
    pass_fds = () if member.observer is None else member.observer.pass_fds
    command = member.planned.invocation(endpoint)
    try:
        with start(
            command,
            cpu=None if several else cpu,
            seconds_max=plan.worker_seconds_max,
            environment=environment,
            pass_fds=pass_fds,
        ) as worker:
            address = member.get_ready(worker) or endpoint
            if several and cpu is not None:
                part_threads(worker.pid, cpu, loop=member.thread if count == 0 else None)
            if address is None and count + 1 < len(members):
                raise WorkerError("did not report the endpoint at which it waits for the others")
            _start(members, [*running, worker], plan, address, cpu)
        member.count_children(worker)
    except WorkerError as error:
        member.failure = member.failure or str(error)


def _run_together(members: Sequence[Member], workers: Sequence[Worker]) -> None:
    """Let all start their loops and read them line by line. The first failure ends the team and is recorded."""
    member = members[0]
    try:
        following: dict[Worker, tuple[Member, Generator[None, bytes, None]]] = {}
        for member, worker in zip(members, workers, strict=True):
            contract = member.contract()
            if next(contract, _DONE) is not _DONE:
                following[worker] = member, contract
            member.go(worker)
        while following:
            for worker in list(following):
                member, contract = following[worker]
                while worker in following and (line := worker.line_that_came()) is not None:
                    try:
                        contract.send(line)
                    except StopIteration:
                        member.stop_clocks(worker)
                        del following[worker]
            for worker in Worker.wait(list(following)) if following else ():
                member, _ = following[worker]
                worker.take_in()
        # In reverse: the last one was started while the first was running.
        for member, worker in reversed(list(zip(members, workers, strict=True))):
            member.end(worker)
    except WorkerError as error:
        member.failure = str(error)
        if isinstance(error, WorkerTimeoutError) and len(members) > 1:
            waits = "; ".join(f"expected next from the {each.planned.role}: {each.awaited}" for each in members)
            member.failure += f" ({waits})"


_DONE = object()
