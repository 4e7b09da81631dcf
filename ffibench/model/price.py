"""What a crossing is made of, and what a program's crossings cost: what `ffibench explain` shows."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from ffibench.model.contestant import Lock

PartKind = Literal["loop", "call", "argument", "callback", "result", "together", "lock", "native"]

WITHIN = 0.15
"""A prediction that differs by more lacks a part."""


class Priced(Struct, frozen=True, kw_only=True):
    """Nanoseconds with their 95 % interval, over the rounds; None where these are too few for one."""

    ns: float
    low_ns: float | None = None
    high_ns: float | None = None


class Part(Struct, frozen=True, kw_only=True):
    """Where some of the nanoseconds of an operation go."""

    kind: PartKind
    what: str
    """`call, 4 ints`, `handle`, `lock released and retaken`."""
    name: str = ""
    """Of an argument the parameter's: `buf`, or `zmq_send.buf` where an operation calls several functions."""
    price: Priced


class Explanation(Struct, frozen=True, kw_only=True):
    """The time of one contestant in one case, predicted from its parts, and measured in the same rounds."""

    contestant: str
    interpreter: str
    version: str
    lock: Lock | None
    case: str
    operation: str
    rounds: int
    parts: tuple[Part, ...]
    predicted_ns: float
    """The sum of the parts."""
    measured: Priced
    """Gross, per operation."""
    difference: float
    """Of the prediction to what was measured, as a share of that: 0.1 where it is 10 % too high."""
    difference_low: float | None = None
    difference_high: float | None = None
    missing: tuple[str, ...] = ()
    """What the operation does that has no price."""

    @property
    def within(self) -> bool:
        """Whether the parts account for what was measured."""
        return abs(self.difference) <= WITHIN


class Unexplained(Struct, frozen=True, kw_only=True):
    """A contestant that has no explanation."""

    contestant: str
    case: str = ""
    """Empty: in all."""
    reason: str


class Explanations(Struct, frozen=True, kw_only=True):
    """What `ffibench explain EXPERIMENT` found."""

    experiment: str
    title: str
    library: str
    rounds: int
    explained: tuple[Explanation, ...]
    unexplained: tuple[Unexplained, ...] = ()


class CalledByProgram(Struct, frozen=True, kw_only=True):
    """A function that a program called."""

    name: str
    calls: int
    signature: str = ""
    """As C declares it; empty where no header does."""
    price: Priced | None = None
    """What a call of it costs to cross through the program's own binding; None where it has no price."""
    reason: str = ""
    """Why it has none."""


class ThroughBinding(Struct, frozen=True, kw_only=True):
    """What the same calls cost to cross through a binding."""

    contestant: str
    interpreter: str
    version: str
    lock: Lock | None
    seconds: float | None
    """Of all calls that have a price; None where it cannot make one of them."""
    low_seconds: float | None = None
    high_seconds: float | None = None
    saved_seconds: float | None = None
    """Less than through the program's own binding; negative where it is more."""
    low_saved_seconds: float | None = None
    high_saved_seconds: float | None = None
    reason: str = ""


class ProgramCost(Struct, frozen=True, kw_only=True):
    """What `ffibench explain --from BINDING -- COMMAND` found."""

    command: tuple[str, ...]
    exit_status: int
    seconds: float
    """Wall time of the program without the count."""
    cpu_seconds: float
    """Its processor time, without the count: that of which crossing is a share."""
    libraries: tuple[str, ...]
    callers: dict[str, int]
    """The files that called, with their calls."""
    header: str
    binding: str
    rounds: int
    functions: tuple[CalledByProgram, ...]
    """The most expensive first."""
    bindings: tuple[ThroughBinding, ...]
    """The program's own first, then the cheapest first."""
    troubles: tuple[str, ...] = ()

    @property
    def calls(self) -> int:
        """All calls that were counted."""
        return sum(each.calls for each in self.functions)

    @property
    def priced_calls(self) -> int:
        """Those that have a price."""
        return sum(each.calls for each in self.functions if each.price is not None)
