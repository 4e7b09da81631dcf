"""The verdict of a check: whether a measured figure agrees with the known answer.

The rule, in this order:

- contradicted: the interval of the measured figure excludes the known answer, even when the known answer is stretched
  by all the time in which the slices did not have the processor. A spin's CPU time is never more than its known cost
  and its wall time never less. So no host, however busy, can bring a correct tool there, and a busy host does not
  hide a figure that is wrong by a factor of ten. (Only a hypervisor could, which takes the processor away most of the
  time, from a kernel that counts this time as the process's own.)
- inconclusive: the interval excludes the known answer but not the stretched one, or it is wider than allowed, or
  there are too few rounds for it.
- as known: anything else.

Each interval is at `CONFIDENCE`, so that a correct tool contradicts itself in fewer than one selftest of 1,000.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from msgspec import Struct

Agreement = Literal["as known", "inconclusive", "contradicted"]

CHECKS_MAX = 20
"""Bonferroni's divisor: more than the number of checks that can fail by chance."""

LEVEL = 0.001 / CHECKS_MAX
CONFIDENCE = 1 - LEVEL

MARGIN = 0.01
"""Tolerance of a known answer: a spin overruns by one or two readings of the clock, of some 100 ns where the clock
is read in user space and of 2,000 ns where it is not, in a slice of 500,000 ns."""

HALF_WIDTH_MAX = 0.05
"""The half-width, as a share of the known answer, above which an interval agrees with nothing."""

BUSY = "Other programs used the processor for so long that this cannot be decided; run it again when they do not run."
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
        """Return whether the two have a point in common."""
        return self.low <= other.high and self.high >= other.low

    def widened(self, share: float) -> Bounds:
        """Return bounds of positive figures that are wider by a share of each end."""
        return Bounds(self.low * (1 - share), self.high * (1 + share))


@dataclass(frozen=True)
class Known:
    """A known answer, and the bounds that it is stretched to where slices did not have the processor all the time."""

    answer: float
    stretched: Bounds


def judge(known: Known, found: Bounds | None, *, half_width_max: float = HALF_WIDTH_MAX) -> tuple[Agreement, str]:
    """Compare an interval with a known, positive answer; return the verdict and the reason for it."""
    if found is None:
        return "inconclusive", FEW
    if not found.meets(known.stretched.widened(MARGIN)):
        return "contradicted", "The interval excludes the known answer."
    if not found.meets(Bounds(known.answer, known.answer).widened(MARGIN)):
        return "inconclusive", BUSY
    if (found.high - found.low) / 2 > half_width_max * known.answer:
        return "inconclusive", WIDE
    return "as known", ""
