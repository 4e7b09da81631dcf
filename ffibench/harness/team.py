"""Runs a worker, or a team of them, by the contract: ready, go, a line per slice, a look at the process, a clean exit.

The result is always a record. Where a worker breaks the contract, crashes, hangs or reports a wrong receipt, the
record's `failure` says so.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from msgspec.structs import replace

from ffibench.harness.contract import decoded, endpoint_of, slice_of
from ffibench.harness.process import Worker, WorkerError, WorkerTimeoutError, start
from ffibench.harness.spawn import part_threads
from ffibench.host.maps import mapped_libraries
from ffibench.host.worker import conditions, involuntary_switches
from ffibench.interrupts import due
from ffibench.model import (
    Conditions,
    LibraryIdentity,
    Plan,
    PlannedWorker,
    Slice,
    Usage,
    WorkerRecord,
)
from ffibench.proof.quoting import printable
from ffibench.proof.records import wrong_record
from ffibench.proof.slices import expected


class Observer(Protocol):
    """Observes a worker from outside, at the two points where it waits for the harness."""

    @property
    def environment(self) -> Mapping[str, str]:
        """Environment variables for the worker, added to the harness's own."""

    def ready(self, endpoint: str | None) -> None:
        """The worker has set itself up, listens at `endpoint` where it reported one, and waits for `go`."""

    def done(self) -> None:
        """The worker has printed its last line and waits for its standard input to close."""


@dataclass
class _Member:
    """One process of a team, with what it has reported so far, which is kept when it fails."""

    planned: PlannedWorker
    plan: Plan
    observer: Observer | None
    versions: dict[str, str] = field(default_factory=dict)
    slices: list[Slice] = field(default_factory=list)
    unsupported: dict[str, str] = field(default_factory=dict)
    switches_before: int | None = None
    awaited: str = "ready"
    """The line that is expected next, in words."""
    libraries: tuple[LibraryIdentity, ...] | None = None
    usage: Usage | None = None
    conditions: Conditions | None = None
    left_behind: tuple[str, ...] = ()
    said: str = ""
    failure: str | None = None

    def get_ready(self, worker: Worker) -> str | None:
        """Wait until it has set itself up; return the endpoint where it waits for the others, if it reports one."""
        first = worker.line()
        ready = decoded(first).get("ready")
        if not isinstance(ready, dict):
            raise WorkerError(f"did not report ready, but printed {printable(first)}")
        endpoint = endpoint_of(ready)
        self.versions = {str(name): str(value) for name, value in ready.items() if name != "endpoint"}
        if self.observer is not None:
            with due():
                self.observer.ready(endpoint)
        self.switches_before = involuntary_switches(worker.pid)
        return endpoint

    def contract(self) -> Generator[None, bytes, None]:
        """Receive the lines that are expected between `go` and its end, one by one."""
        for case in self.plan.cases:
            if not self.planned.runs(case) or case.name in self.planned.cannot:
                continue
            for kind, number in expected(self.plan):
                self.awaited = f"{kind} slice {number} of {case.worker_name}"
                line = yield
                answer = decoded(line)
                if answer.get("case") == case.worker_name and "unsupported" in answer:
                    self.unsupported[case.name] = str(answer["unsupported"])
                    break
                self.slices.append(slice_of(answer, line, case, kind, number))
        self.awaited = "nothing more"

    def end(self, worker: Worker) -> None:
        """Look at the live process after its last line, then wait for its exit."""
        if self.observer is not None:
            with due():
                self.observer.done()
        self.conditions = conditions(worker.pid, self.switches_before)
        self.libraries = _libraries(worker, self.plan)
        self.usage = worker.finish()
        self.left_behind = worker.left_behind
        self.said = worker.errors if self.plan.verbose else ""

    def record(self) -> WorkerRecord:
        """Return everything that was recorded of it."""
        record = WorkerRecord(
            key=self.planned.key,
            versions=self.versions,
            slices=tuple(self.slices),
            unsupported=self.unsupported,
            libraries=self.libraries,
            usage=self.usage,
            conditions=self.conditions,
            left_behind=self.left_behind,
            said=self.said,
            failure=self.failure,
        )
        return replace(record, failure=self.failure or wrong_record(self.planned, self.plan, record))


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
        _Member(planned, plan, observer)
        for planned, observer in zip(team, observers or [None] * len(team), strict=True)
    ]
    _start(members, [], plan, endpoint, cpu)
    first = next((member for member in members if member.failure is not None), None)
    for member in members:
        if first is not None and member.failure is None:
            name, role = first.planned.contestant.name, first.planned.role
            member.failure = f"was stopped because {name}, the {role}, {first.failure}"
    return [member.record() for member in members]


def _start(
    members: Sequence[_Member],
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
    command = member.planned.invocation(endpoint)
    try:
        with start(
            command, cpu=None if several else cpu, seconds_max=plan.worker_seconds_max, environment=environment
        ) as worker:
            address = member.get_ready(worker) or endpoint
            if several and cpu is not None:
                part_threads(worker.pid, cpu, first=count == 0)
            if address is None and count + 1 < len(members):
                raise WorkerError("did not report the endpoint at which it waits for the others")
            _start(members, [*running, worker], plan, address, cpu)
    except WorkerError as error:
        member.failure = member.failure or str(error)


def _run_together(members: Sequence[_Member], workers: Sequence[Worker]) -> None:
    """Let all start their loops and read them line by line. The first failure ends the team and is recorded."""
    member = members[0]
    try:
        following: dict[Worker, tuple[_Member, Generator[None, bytes, None]]] = {}
        for member, worker in zip(members, workers, strict=True):
            contract = member.contract()
            if next(contract, _DONE) is not _DONE:
                following[worker] = member, contract
            worker.go()
        while following:
            for worker in list(following):
                member, contract = following[worker]
                while worker in following and (line := worker.line_that_came()) is not None:
                    try:
                        contract.send(line)
                    except StopIteration:
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


def _libraries(worker: Worker, plan: Plan) -> tuple[LibraryIdentity, ...] | None:
    try:
        return mapped_libraries(worker.pid, plan.library.path)
    except ProcessLookupError:
        worker.finish()  # raises where it did not exit cleanly
        raise WorkerError(
            "ended before its standard input was closed, so that its memory map could not be read"
        ) from None
    except OSError as error:
        raise WorkerError(f"has a memory map that cannot be read: {error.strerror}") from None
