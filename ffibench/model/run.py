"""A run: everything that was measured, as the run file keeps it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from ffibench.model.audit import Audit
from ffibench.model.costs import BindingCosts, BindingParts, WorkerCosts
from ffibench.model.experiment import Receipt, SliceKind
from ffibench.model.files import UsedFile
from ffibench.model.host import Conditions, Host, HostSample
from ffibench.model.numbers import Count, Positive, Seconds
from ffibench.model.plan import LibraryIdentity, Plan
from ffibench.model.summary import Row, RunWarning

SCHEMA_VERSION = 2

Ending = Literal["precision", "rounds", "time", "interrupted", "baseline failed", "files removed"]


class Slice(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One timed loop of a fixed number of iterations, as the worker printed it."""

    case: str
    slice: int
    kind: SliceKind
    wall_ns: int
    cpu_ns: int
    around_ns: int = 0
    """Processor time of what it does at the start and at the end of the slice, outside those two clocks."""
    receipt: Receipt = {}
    figures: dict[str, int] = {}


class Usage(Struct, frozen=True, kw_only=True):
    """Resource usage of the whole process: what a shell's `time` prints, memory and context switches."""

    real_s: Seconds
    user_s: Seconds
    system_s: Seconds
    peak_rss_bytes: Count
    voluntary_switches: Count
    involuntary_switches: Count


class Clocks(Struct, frozen=True, kw_only=True):
    """The time of a process from `go` to its last line, by the clocks of the harness."""

    wall_ns: int
    cpu_ns: int
    """The processor time of all its threads, with those that have ended."""
    children_ns: int
    """The processor time of processes that it started, to their end; what they used before `go` is taken off in
    ticks of ten milliseconds."""


class WorkerRecord(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One process of one contestant in one round."""

    key: str
    versions: dict[str, str] = {}
    slices: tuple[Slice, ...] = ()
    unsupported: dict[str, str] = {}
    """Case to reason, where the worker reported that it cannot run a case."""
    libraries: tuple[LibraryIdentity, ...] | None = None
    """Files of the library under test that the live process had mapped; None where its memory map is unreadable."""
    usage: Usage | None = None
    clocks: Clocks | None = None
    """None where the system does not report them, and where it did not print its last line."""
    costs: WorkerCosts | None = None
    """None where they were not asked for, and of a process that loads no binding."""
    conditions: Conditions | None = None
    """The kernel's view of the live process."""
    left_behind: tuple[str, ...] = ()
    """Names of processes that it started and that outlived it; they were killed."""
    said: str = ""
    """Its standard error, where verbose output was asked for."""
    failure: str | None = None
    """Why this record is not a valid measurement: the end of a sentence that begins with its name."""


class Round(Struct, frozen=True, kw_only=True):
    """One fresh process of every contestant, in random order, and of the baseline as many as the plan says."""

    number: Positive
    seconds: Seconds
    records: tuple[WorkerRecord, ...]
    """In the order in which they ran."""
    host: HostSample
    audits: tuple[Audit, ...] = ()
    """Of contestants that were counted once more among the processes of this round; their records are none of it."""


class Run(Struct, frozen=True, kw_only=True):
    """Everything that was measured: the plan, the provenance and every slice of every round."""

    schema: int = SCHEMA_VERSION
    started: str
    """ISO 8601, UTC."""
    plan: Plan
    host: Host
    audits: tuple[Audit, ...] = ()
    """One per contestant and case, from before the first round."""
    before: HostSample | None = None
    """The host before the first round, sampled for `--require-quiet`."""
    after: Host | None = None
    """The host after the last round, where it had changed since the first."""
    rounds: tuple[Round, ...] = ()
    ending: Ending | None = None
    """None while the run goes on."""
    files: tuple[UsedFile, ...] = ()
    """Those that its workers used; in files of earlier versions there are none."""
    bindings: tuple[BindingParts, ...] = ()
    """What each contestant's binding is made of, where `--costs` asked for that."""

    @property
    def counted_again(self) -> tuple[Audit, ...]:
        """The audits from among the rounds."""
        return tuple(audit for each in self.rounds for audit in each.audits)

    @property
    def all_audits(self) -> tuple[Audit, ...]:
        """The audits from before the first round and from among the rounds."""
        return self.audits + self.counted_again


class RunFile(Run, frozen=True, kw_only=True):
    """A run with its derived values, for readers that do not compute them. ffibench itself never reads them back."""

    summary: tuple[Row, ...]
    warnings: tuple[RunWarning, ...]
    costs: tuple[BindingCosts, ...] = ()
