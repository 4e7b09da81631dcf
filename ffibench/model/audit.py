"""Native calls, counted from outside before the timed rounds."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from ffibench.model.experiment import Receipt, SliceKind
from ffibench.model.numbers import Count, Positive

AuditVerdict = Literal["accepted", "not judged", "not auditable", "invalid"]


class CalledFunction(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How often a function of the library was called in the loops of one worker."""

    name: str
    calls: Count
    bytes: Count | None = None
    """The sum of its length argument, where the experiment names one."""
    wrong: Count = 0
    """The calls that did not return what the experiment says they must."""
    callers: dict[str, Count] = {}
    """The files that called it with their calls, where they are known; the name is empty for code that is in none."""


class CountedSlice(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The native calls inside one loop, between the two readings of the worker's clock around it."""

    kind: SliceKind
    slice: int
    functions: tuple[CalledFunction, ...] = ()
    """Those that the experiment accepts, without the ones that were not called."""


class Audit(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One contestant's native calls in one case, counted from outside between `go` and its last line."""

    key: str
    case: str
    operations: Positive
    """Iterations of all its warm-up and timed loops."""
    functions: tuple[CalledFunction, ...] = ()
    """Most called first."""
    slices: tuple[CountedSlice, ...] = ()
    """In the order in which they ran; empty where the worker does not read its clocks through libc."""
    cpu_ns: Count | None = None
    """The median processor time of its timed slices, which includes what the count costs."""
    delivered: Receipt | None = None
    """What a peer at the other end received; None where the experiment has no peer."""
    expected: Receipt | None = None
    """What the peer had to receive; None where there is none, and in files of versions that did not keep it."""
    verdict: AuditVerdict
    reason: str | None = None
    """Why it is invalid, to be read after "It", or why it could not be audited."""

    @property
    def calls_an_operation(self) -> float | None:
        """Native calls per operation; None where they were not counted."""
        return None if self.verdict == "not auditable" else sum(each.calls for each in self.functions) / self.operations
