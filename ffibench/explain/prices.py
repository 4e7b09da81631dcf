"""From the times of shapes to prices, and from prices to sums: arithmetic alone, round by round.

A figure is the median over rounds. What a part costs is a difference of two processes' times, or of two functions' in
one process, so that it may be a little under nothing; it is never raised to nothing, since the sum would be wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from msgspec.structs import replace

from ffibench.explain.shapes import Shape
from ffibench.explain.signatures import SMALL, Passed, Signature
from ffibench.model import Part, PartKind, Priced
from ffibench.stats import median_bounds

CONFIDENCE = 0.95

Rounds = tuple[float, ...]
"""Nanoseconds, one figure a round."""


class NoPriceError(ValueError):
    """A shape was not measured; the text says why, as a sentence."""


@dataclass(frozen=True)
class Lock:
    """Two variants of one binding that differ in nothing but the lock."""

    held: str
    released: str


@dataclass(frozen=True)
class Prices:
    """What each contestant takes for each shape, net of its empty loop and less what C takes for it.

    `reasons` has, by contestant, why it has no figures.
    """

    crossing_ns: Mapping[tuple[str, Shape], Rounds]
    reasons: Mapping[str, str]

    def of(self, contestant: str, shape: Shape) -> Rounds:
        """Return the rounds of a shape. Raises NoPriceError where there are none."""
        found = self.crossing_ns.get((contestant, shape))
        if found is None:
            raise NoPriceError(self.reasons.get(contestant, f"{contestant} cannot make a call of this shape."))
        return found


@dataclass(frozen=True)
class PartRounds:
    """A part, round by round."""

    kind: PartKind
    what: str
    ns: Rounds
    name: str = ""

    @property
    def part(self) -> Part:
        """The part with its figure."""
        return Part(kind=self.kind, what=self.what, name=self.name, price=priced(self.ns))


def priced(rounds: Sequence[float]) -> Priced:
    """Return the median of a figure of each round, with its interval."""
    low, high = median_bounds(rounds, CONFIDENCE) or (None, None)
    return Priced(ns=median(rounds), low_ns=low, high_ns=high)


def crossing(
    signature: Signature, prices: Prices, contestant: str, lock: Lock | None, *, qualified: bool = False
) -> Iterator[PartRounds]:
    """Yield the parts of one call of a function, times the calls of an operation, without loop and native work.

    `lock` prices the lock of a contestant that releases it; None: it does not. With `qualified` the names of arguments
    have the function's before them. Raises NoPriceError.
    """
    plain = Shape(signature.arity)
    call = prices.of(contestant, plain)
    times = signature.times
    prefix = f"{signature.function}." if qualified else ""
    released: PartRounds | None = None
    if lock is not None:
        pair = _less(prices.of(lock.released, plain), prices.of(lock.held, plain))
        call = _less(call, pair)
        borrowed = "" if contestant in {lock.held, lock.released} else f" ({lock.released})"
        released = PartRounds("lock", f"lock released and retaken{borrowed}", _times(pair, times))
    yield PartRounds("call", _call(signature), _times(call, times), signature.function if qualified else "")
    for each in signature.arguments:
        if not each.passed.is_base:
            shape = Shape(signature.arity, argument=each.passed)
            extra = _less(prices.of(contestant, shape), prices.of(contestant, plain))
            yield PartRounds("argument", called(each.passed), _times(extra, times), f"{prefix}{each.name}")
        if each.called:
            handed = Shape(signature.arity, argument=each.passed)
            extra = _less(prices.of(contestant, replace(handed, called=True)), prices.of(contestant, handed))
            what = f"{each.called} x called back" if each.called > 1 else "called back"
            yield PartRounds("callback", what, _times(extra, times * each.called), f"{prefix}{each.name}")
    if not signature.result.is_base:
        shape = Shape(signature.arity, result=signature.result)
        extra = _less(prices.of(contestant, shape), prices.of(contestant, plain))
        yield PartRounds("result", called(signature.result), _times(extra, times), f"{prefix}return")
    if released is not None:
        yield released


def _call(signature: Signature) -> str:
    count = signature.arity
    what = "call without arguments" if not count else f"call, {count} int{'s'[: count != 1]}"
    return f"{signature.times} x {what}" if signature.times != 1 else what


def called(passed: Passed) -> str:
    """Name what crosses, in the words of kinds: `bytes`, `size_t` by what it stands for, `int, small`."""
    if passed.kind == "scalar":
        small = passed.type.base == "int" and passed.given == str(SMALL)
        return f"{passed.type.base}{', small' if small else ''}"
    if passed.given == "NULL":
        return "NULL"
    return passed.kind.replace("_", " ")


def total(parts: Iterable[PartRounds]) -> Rounds:
    """Add parts up, round by round."""
    return tuple(map(sum, zip(*(each.ns for each in parts), strict=True)))


@dataclass(frozen=True)
class Difference:
    """Of a prediction to what was measured, as a share of that, with its interval."""

    share: float
    low: float | None
    high: float | None


def difference(parts: Sequence[PartRounds], measured: Sequence[float]) -> Difference:
    """Compare the sum of the parts with what was measured.

    The share is that of the figures shown: the parts' medians added, and the median measured. The interval is that of
    the shares of single rounds, in which both sides had the same host.
    """
    predicted = sum(median(each.ns) for each in parts)
    shares = [sum_ns / ns - 1 for sum_ns, ns in zip(total(parts), measured, strict=True)]
    low, high = median_bounds(shares, CONFIDENCE) or (None, None)
    return Difference(predicted / median(measured) - 1, low, high)


@dataclass(frozen=True)
class Cost:
    """Seconds of all calls of a program, with their interval."""

    seconds: float
    low: float | None
    high: float | None


def program_rounds(calls: Mapping[str, int], one_call: Mapping[str, Rounds]) -> Rounds:
    """Return the seconds of a program's calls, one figure a round, from the nanoseconds of one call of each."""
    weighted = [[count * ns / 1e9 for ns in one_call[name]] for name, count in calls.items()]
    return tuple(map(sum, zip(*weighted, strict=True)))


def cost(rounds: Sequence[float]) -> Cost:
    """Return the median of a program's seconds over the rounds, with its interval."""
    low, high = median_bounds(rounds, CONFIDENCE) or (None, None)
    return Cost(median(rounds), low, high)


def saved(now: Sequence[float], other: Sequence[float]) -> Cost:
    """Return how much less another binding costs, from differences inside each round."""
    return cost(_less(now, other))


def _less(minuend: Sequence[float], subtrahend: Sequence[float]) -> Rounds:
    return tuple(left - right for left, right in zip(minuend, subtrahend, strict=True))


def _times(rounds: Rounds, times: int) -> Rounds:
    return tuple(each * times for each in rounds)
