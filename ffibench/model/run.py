"""A run: all that was measured, as the run file keeps it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from ffibench.model.audit import Audit
from ffibench.model.experiment import Receipt
from ffibench.model.host import Conditions, Host, HostSample
from ffibench.model.plan import LibraryIdentity, Plan
from ffibench.model.summary import Row, RunWarning

SCHEMA_VERSION = 2

SliceKind = Literal["warmup", "timed", "empty"]
Ending = Literal["precision", "rounds", "time", "interrupted", "baseline failed"]

NUMBER_MAX = (1 << 63) - 1
"""What a worker in C can count to; sums and medians of larger numbers do not fit a float."""


class Slice(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One timed loop of a fixed number of iterations, as the worker printed it."""

    case: str
    slice: int
    kind: SliceKind
    wall_ns: int
    cpu_ns: int
    receipt: Receipt = {}
    figures: dict[str, int] = {}


class Usage(Struct, frozen=True, kw_only=True):
    """The whole process seen from outside: what a shell's `time` would print, and the scheduler's view."""

    real_s: float
    user_s: float
    system_s: float
    peak_rss_bytes: int
    voluntary_switches: int
    involuntary_switches: int


class WorkerRecord(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One process of one contestant in one round."""

    key: str
    versions: dict[str, str] = {}
    slices: tuple[Slice, ...] = ()
    unsupported: dict[str, str] = {}
    """Case to reason, where the worker said that it cannot run a case."""
    libraries: tuple[LibraryIdentity, ...] | None = None
    """Files of the library under test that were mapped into the live process; None where no map can be read."""
    usage: Usage | None = None
    conditions: Conditions | None = None
    """What the kernel said of the live process."""
    left_behind: tuple[str, ...] = ()
    """The names of processes that it had started and that went on after its end; they were ended."""
    said: str = ""
    """What it wrote to standard error, where it was asked to say more."""
    failure: str | None = None
    """Why this record is not a valid measurement, in a sentence."""


class Round(Struct, frozen=True, kw_only=True):
    """One fresh process of every contestant, in random order."""

    number: int
    seconds: float
    records: tuple[WorkerRecord, ...]
    """In the order in which they ran."""
    host: HostSample


class Run(Struct, frozen=True, kw_only=True):
    """All that was measured: the plan, the provenance and every slice of every round."""

    schema: int = SCHEMA_VERSION
    started: str
    """ISO 8601, UTC."""
    plan: Plan
    host: Host
    audits: tuple[Audit, ...] = ()
    """One for each contestant and case, from before the first round."""
    before: HostSample | None = None
    """The host while nothing of ours ran, where `--require-quiet` looked at it."""
    after: Host | None = None
    """The host after the last round, where it was no longer what it was before the first."""
    rounds: tuple[Round, ...] = ()
    ending: Ending | None = None
    """None while it runs."""


class RunFile(Run, frozen=True, kw_only=True):
    """A run with what follows from it, for those who read the file and do not compute: nothing reads it back."""

    summary: tuple[Row, ...]
    warnings: tuple[RunWarning, ...]
