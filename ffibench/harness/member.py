"""One process of a team while it runs: what it has reported so far, and what was seen of it from outside."""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from msgspec.structs import replace

from ffibench.harness.contract import costs_of, decoded, endpoint_of, slice_of, thread_of
from ffibench.harness.process import Worker, WorkerError
from ffibench.host.clocks import children_ns, processor_ns
from ffibench.host.maps import mapped_libraries
from ffibench.host.worker import conditions, involuntary_switches
from ffibench.interrupts import due
from ffibench.model import (
    Clocks,
    Conditions,
    LibraryIdentity,
    Plan,
    PlannedWorker,
    Slice,
    Usage,
    WorkerCosts,
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

    @property
    def pass_fds(self) -> tuple[int, ...]:
        """Descriptors that the worker inherits."""

    def ready(self, endpoint: str | None) -> None:
        """The worker has set itself up, listens at `endpoint` where it reported one, and waits for `go`."""

    def done(self) -> None:
        """The worker has printed its last line and waits for its standard input to close."""


class _Reading(NamedTuple):
    """The clocks of a live process at one moment."""

    wall_ns: int
    cpu_ns: int
    children_ns: int


def _read_clocks(pid: int) -> _Reading | None:
    """Read the clocks of a process; None where the system does not report them."""
    cpu_ns, children = processor_ns(pid), children_ns(pid)
    return None if cpu_ns is None or children is None else _Reading(time.monotonic_ns(), cpu_ns, children)


@dataclass
class Member:
    """One process of a team, with what it has reported so far, which is kept when it fails."""

    planned: PlannedWorker
    plan: Plan
    observer: Observer | None
    versions: dict[str, str] = field(default_factory=dict)
    slices: list[Slice] = field(default_factory=list)
    unsupported: dict[str, str] = field(default_factory=dict)
    costs: WorkerCosts | None = None
    thread: int = 0
    """The one that runs its loops, by id; known once it is ready."""
    switches_before: int | None = None
    awaited: str = "ready"
    """The line that is expected next, in words."""
    libraries: tuple[LibraryIdentity, ...] | None = None
    usage: Usage | None = None
    began: _Reading | None = None
    clocks: Clocks | None = None
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
        self.thread = thread_of(ready, worker.pid)
        self.costs = costs_of(ready)
        told = {"endpoint", "costs", "thread"}
        self.versions = {str(name): str(value) for name, value in ready.items() if name not in told}
        if self.observer is not None:
            with due():
                self.observer.ready(endpoint)
        self.switches_before = involuntary_switches(self.thread)
        return endpoint

    def go(self, worker: Worker) -> None:
        """Let it start its loops, and its clocks with them."""
        self.began = _read_clocks(worker.pid)
        worker.go()

    def contract(self) -> Generator[None, bytes, None]:
        """Receive the lines that are expected between `go` and its end, one by one."""
        for case in self.plan.cases:
            if not self.planned.runs(case) or case.name in self.planned.cannot:
                continue
            for kind, number in expected(self.plan, self.planned):
                self.awaited = f"{kind} slice {number} of {case.worker_name}"
                line = yield
                answer = decoded(line)
                if answer.get("case") == case.worker_name and "unsupported" in answer:
                    self.unsupported[case.name] = str(answer["unsupported"])
                    break
                self.slices.append(slice_of(answer, line, case, kind, number))
        self.awaited = "nothing more"

    def stop_clocks(self, worker: Worker) -> None:
        """Read the clocks of a process that has printed its last line."""
        ended = _read_clocks(worker.pid)
        if self.began is not None and ended is not None:
            self.clocks = Clocks(
                wall_ns=ended.wall_ns - self.began.wall_ns, cpu_ns=ended.cpu_ns - self.began.cpu_ns, children_ns=0
            )

    def end(self, worker: Worker) -> None:
        """Look at the live process after its last line, then wait for its exit."""
        if self.observer is not None:
            with due():
                self.observer.done()
        self.conditions = conditions(worker.pid, self.switches_before, thread=self.thread)
        self.libraries = _libraries(worker, self.plan)
        self.usage = worker.finish()
        self.left_behind = worker.left_behind
        self.said = worker.errors if self.plan.verbose else ""

    def count_children(self, worker: Worker) -> None:
        """Add what the processes used that it started, once all of them are gone."""
        if self.clocks is not None and self.began is not None and worker.children_ns is not None:
            self.clocks = replace(self.clocks, children_ns=max(0, worker.children_ns - self.began.children_ns))

    def record(self) -> WorkerRecord:
        """Return everything that was recorded of it."""
        record = WorkerRecord(
            key=self.planned.key,
            versions=self.versions,
            slices=tuple(self.slices),
            unsupported=self.unsupported,
            libraries=self.libraries,
            usage=self.usage,
            clocks=self.clocks,
            costs=self.costs,
            conditions=self.conditions,
            left_behind=self.left_behind,
            said=self.said,
            failure=self.failure,
        )
        return replace(record, failure=self.failure or wrong_record(self.planned, self.plan, record))


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
