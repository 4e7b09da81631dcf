"""What a check says: the answer that was known, the one that was found, and whether the two agree.

The rule, in the order in which it is asked:

- contradicted: the interval of what was found excludes the known answer, and excludes it still when the known
  answer is stretched by all the time for which the slices did not have the processor. A spin's processor time
  is never more than its known cost and its wall time never less, so that no host, however busy, can bring a
  correct tool there, and a busy host does not hide a figure that is off by a factor of ten. (A hypervisor could,
  that takes the processor for most of the time from a kernel which counts that as the process's own.)
- inconclusive: it excludes the known answer and not the stretched one, or it is so wide that it says little,
  or there are too few rounds for it.
- as known: anything else.

Each interval is at `CONFIDENCE`, so that a correct tool contradicts itself in fewer than one selftest of 1,000.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from msgspec import Struct

Agreement = Literal["as known", "inconclusive", "contradicted"]

CHECKS_MAX = 20
"""Bonferroni's divisor: more than there are checks that chance can make fail."""

LEVEL = 0.001 / CHECKS_MAX
CONFIDENCE = 1 - LEVEL

MARGIN = 0.01
"""What a known answer may be off by: a spin overruns by a reading of the clock or two, of some 100 ns where the clock
is read in user space and of 2,000 ns where it is not, in a slice of 500,000 ns."""

HALF_WIDTH_MAX = 0.05
"""An interval that is wider, as a share of the known answer, says too little to agree with it."""

BUSY = "Other programs had the processor for so long that this says nothing; run it again when they do not run."
WIDE = "The interval is wider than this check allows; run it again when nothing else runs."
FEW = "There are too few rounds for an interval of this confidence; let the selftest run to its end."


class Check(Struct, frozen=True, kw_only=True):
    """A line of the selftest's table."""

    what: str
    expected: str
    found: str
    verdict: Agreement
    reason: str = ""
    """Why it is not as known, in a sentence."""


@dataclass(frozen=True)
class Bounds:
    """From `low` to `high`, both included, in the unit of what is checked."""

    low: float
    high: float

    def meets(self, other: Bounds) -> bool:
        """Tell whether the two have a point in common."""
        return self.low <= other.high and self.high >= other.low

    def widened(self, share: float) -> Bounds:
        """Give bounds of positive figures that are wider by a share of each end."""
        return Bounds(self.low * (1 - share), self.high * (1 + share))


@dataclass(frozen=True)
class Known:
    """A known answer, and where it may lie when the slices did not have the processor all the time."""

    answer: float
    stretched: Bounds


def judge(known: Known, found: Bounds | None, *, half_width_max: float = HALF_WIDTH_MAX) -> tuple[Agreement, str]:
    """Hold an interval against a known answer that is positive; give the verdict and the reason for it."""
    if found is None:
        return "inconclusive", FEW
    if not found.meets(known.stretched.widened(MARGIN)):
        return "contradicted", "What was found excludes the known answer."
    if not found.meets(Bounds(known.answer, known.answer).widened(MARGIN)):
        return "inconclusive", BUSY
    if (found.high - found.low) / 2 > half_width_max * known.answer:
        return "inconclusive", WIDE
    return "as known", ""
