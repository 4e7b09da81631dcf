"""The results of a run: rows and warnings."""

from __future__ import annotations

from msgspec import Struct

from ffibench.model.audit import AuditVerdict
from ffibench.model.contestant import Lock
from ffibench.model.experiment import Value


class RunWarning(Struct, frozen=True, kw_only=True):
    """Something that a reader of the table must know, and what to do about it."""

    code: str
    text: str
    fix: str


class Speed(Struct, frozen=True, kw_only=True):
    """One of the two speeds at which a row's processes ran."""

    gross_ns: float
    """The median of those processes."""
    processes: int


class Row(Struct, frozen=True, kw_only=True):
    """A row of the table. Times are in nanoseconds per operation; ratios are to the baseline, paired by round."""

    contestant: str
    role: str
    interpreter: str
    case: str
    clock: str = "wall"
    version: str
    block: str
    lock: Lock | None
    iterations: int
    rounds: int
    gross_ns: float | None
    net_ns: float | None
    added_ns: float | None
    added_low_ns: float | None = None
    added_high_ns: float | None = None
    baseline_ns: float | None = None
    """What the baseline of its case takes; a ratio to a few nanoseconds says little."""
    ratio: float | None
    ratio_low: float | None
    ratio_high: float | None
    tie: str | None
    """Letters; rows of a block that share one are not significantly different. None: too few rounds, or not ranked."""
    receipts: int
    """Receipts that equal the oracle's."""
    timed_slices: int = 0
    """Of all its processes."""
    disturbed: int
    """Timed slices whose wall time exceeded their CPU time by more than 2 %."""
    settled: bool = True
    """Whether it ran at one speed; False: still drifting."""
    settled_processes: int | None = None
    """How many of its processes ran at one speed; None where its language needs no more warm-up than the others."""
    speeds: tuple[Speed, ...] = ()
    """Where its processes fall into two groups, both, the larger one first: `gross_ns`, `net_ns` and `added_ns` are of
    that one."""
    extra_figures: dict[str, float] = {}
    """The case's extra figures, in nanoseconds per slice."""
    process: str = ""
    """What distinguishes its process from others of its contestant: its role, its point of a sweep."""
    group: str = ""
    """The heading under which its case stands in a grid."""
    bytes: int = 0
    """What one operation takes across the boundary; 0: it is not a matter of bytes."""
    series: str = ""
    """The series that it belongs to, with the rows at other points of a sweep."""
    point: dict[str, Value] = {}
    """The swept parameter with its value in this row."""
    cold_ns: float | None = None
    """A call among the first of a process, before any warm-up; None where the run did not ask for that."""
    real_s: float | None = None
    user_s: float | None = None
    system_s: float | None = None
    audit: AuditVerdict | None = None
    """The verdict of its audit; None where there was none."""
    native_calls: float | None = None
    """Calls into the library per operation, counted from outside; None where they were not counted."""
    valid: bool
    reason: str | None = None
    """Why the row is invalid, not ranked or unavailable."""


class Comparison(Struct, frozen=True, kw_only=True):
    """The results of a run's rounds: the rows in the order of the table, and the smallest detectable differences."""

    rows: tuple[Row, ...]
    resolution: dict[str, float]
    """Case to the smallest relative difference that could be detected, where there are enough rounds."""
    warnings: tuple[RunWarning, ...] = ()
