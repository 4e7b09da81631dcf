"""What a run's rounds say: its rows and warnings."""

from __future__ import annotations

from msgspec import Struct

from ffibench.model.audit import Verdict
from ffibench.model.contestant import Lock
from ffibench.model.experiment import Value


class RunWarning(Struct, frozen=True, kw_only=True):
    """Something a reader of the table must know, and what to do about it."""

    code: str
    text: str
    fix: str


class Row(Struct, frozen=True, kw_only=True):
    """A row of the summary. All times are nanoseconds an operation; ratios are to the baseline, paired."""

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
    ratio: float | None
    ratio_low: float | None
    ratio_high: float | None
    tie: str | None
    """Letters; rows of a block that share one were not told apart. None: too few rounds, or not ranked."""
    receipts: int
    """Receipts that equalled the oracle's."""
    disturbed: int
    """Timed slices whose wall time exceeded their CPU time by more than 2 %."""
    settled: bool = True
    extra_figures: dict[str, float] = {}
    """The case's further figures, in nanoseconds a slice."""
    process: str = ""
    """What tells the process that it was measured in from others of its contestant: its role, its point of a sweep."""
    series: str = ""
    """What it has in common with the rows at other points of a sweep."""
    point: dict[str, Value] = {}
    """The parameter that is swept, with its value here."""
    real_s: float | None = None
    user_s: float | None = None
    system_s: float | None = None
    audit: Verdict | None = None
    """What the count of its native calls says; None where there was none."""
    native_calls: float | None = None
    """Calls into the library that one operation took, counted from outside; None where none were."""
    valid: bool
    reason: str | None = None
    """Why the row is invalid, not ranked or unavailable."""


class Comparison(Struct, frozen=True, kw_only=True):
    """What a run's rounds say: the rows in the order of the table, and how fine the run could see."""

    rows: tuple[Row, ...]
    resolution: dict[str, float]
    """Case to the smallest relative difference that could be told, where the rounds carry it."""
    warnings: tuple[RunWarning, ...] = ()
