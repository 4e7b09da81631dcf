"""What was counted from outside, before the timed rounds."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from ffibench.model.experiment import Receipt

Verdict = Literal["accepted", "not judged", "not auditable", "invalid"]


class CalledFunction(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How often a function of the library was called in the loops of one worker."""

    name: str
    calls: int
    bytes: int | None = None
    """The sum of its argument that says how many bytes it takes, where the experiment names one."""


class Audit(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One contestant's native calls in one case, counted from outside between `go` and its last line."""

    key: str
    case: str
    operations: int
    """Iterations of all its loops, warm-up and timed."""
    functions: tuple[CalledFunction, ...] = ()
    """The most called first."""
    delivered: Receipt | None = None
    """What a peer at the other end got; None where the experiment has none."""
    verdict: Verdict
    reason: str | None = None
    """Why it is invalid or was not audited, in a sentence."""

    @property
    def calls_an_operation(self) -> float | None:
        """Native calls that one operation took; None where they were not counted."""
        return None if self.verdict == "not auditable" else sum(each.calls for each in self.functions) / self.operations
