"""From the times of shapes to prices, and from prices to sums: arithmetic alone, round by round.

What a part costs is a difference of two processes' times, or of two functions' in one process, so that it may be a
little under nothing; it is never raised to nothing, since the sum would be wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from ffibench.explain.shapes import CALLED_MAX, Shape, plain, whole, with_argument, with_result
from ffibench.explain.signatures import INT, SMALL, Passed, Signature
from ffibench.model import Part, PartKind, Priced
from ffibench.stats import CONFIDENCE, median_bounds

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


def priced(rounds: Sequence[float]) -> Priced:
    """Return the median of a figure of each round, with its interval."""
    low, high = median_bounds(rounds, CONFIDENCE) or (None, None)
    return Priced(ns=median(rounds), low_ns=low, high_ns=high)


def call_rounds(signature: Signature, prices: Prices, contestant: str) -> Rounds:
    """Return what the calls of a function cost an operation, without loop and native work. Raises NoPriceError.

    It is the price of their shape as a whole; calls back that are more than that has are priced one by one.
    """
    found = prices.of(contestant, whole(signature))
    for place, each in enumerate(signature.arguments):
        if (more := (each.passed.called or 0) - CALLED_MAX) > 0:
            found = _more(found, _times(_called_back(signature, place, prices, contestant), more))
    return _times(found, signature.times)


def _called_back(signature: Signature, place: int, prices: Prices, contestant: str) -> Rounds:
    """Return the price of one call back: of a function that calls its callback, less the one that does not."""
    handed, called_once = (prices.of(contestant, with_argument(signature, place, called=times)) for times in (0, 1))
    return _less(called_once, handed)


def crossing(
    signature: Signature, prices: Prices, contestant: str, lock: Lock | None, *, qualified: bool = False
) -> Iterator[PartRounds]:
    """Yield the parts of what `call_rounds` returns, which add up to that in each round.

    `lock` prices the lock of a contestant that releases it; None: it does not. With `qualified` the names of arguments
    have the function's before them. Raises NoPriceError.
    """
    ints = prices.of(contestant, plain(signature.arity))
    name = signature.function if qualified else ""
    found = list(_one_by_one(signature, prices, contestant, f"{name}." if qualified else ""))
    parts = [PartRounds("call", _call(signature), _times(ints, signature.times), name), *found]
    if len(found) > 1:
        together = _less(call_rounds(signature, prices, contestant), total(parts))
        parts.append(PartRounds("together", "all of these together", together, name))
    if lock is not None:
        pair = _less(*(prices.of(each, plain(signature.arity)) for each in (lock.released, lock.held)))
        pair = _times(pair, signature.times)
        borrowed = "" if contestant in {lock.held, lock.released} else f" ({lock.released})"
        parts[0] = replace(parts[0], ns=_less(parts[0].ns, pair))
        parts.append(PartRounds("lock", f"lock released and retaken{borrowed}", pair))
    yield from parts


def _one_by_one(signature: Signature, prices: Prices, contestant: str, prefix: str) -> Iterator[PartRounds]:
    """Yield each argument and the result as its difference to an `int` in its place."""
    ints, times = prices.of(contestant, plain(signature.arity)), signature.times
    for place, each in enumerate(signature.arguments):
        if each.passed != INT:
            extra = _less(prices.of(contestant, with_argument(signature, place)), ints)
            yield PartRounds("argument", called(each.passed), _times(extra, times), f"{prefix}{each.name}")
        if back := each.passed.called:
            extra = _called_back(signature, place, prices, contestant)
            what = f"{back} x called back" if back > 1 else "called back"
            yield PartRounds("callback", what, _times(extra, times * back), f"{prefix}{each.name}")
    if signature.result != INT:
        extra = _less(prices.of(contestant, with_result(signature)), ints)
        yield PartRounds("result", called(signature.result), _times(extra, times), f"{prefix}return")


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
class Sum:
    """Parts beside the whole that was measured with them.

    `difference` is that of the prediction to the whole, as a share of that, with its interval.
    """

    parts: tuple[Part, ...]
    predicted_ns: float
    measured: Priced
    difference: float
    low: float | None
    high: float | None


def added_up(parts: Sequence[PartRounds], measured: Sequence[float]) -> Sum:
    """Compare parts with what was measured in the same rounds.

    Each figure is the median of its shares of what was measured in its round, of the median that was measured: all of a
    round had the same host. Medians do not add up of themselves, so that one part is what the others leave of the
    prediction: the first of the kind `together`, or of the kind `call` where there is none.
    """
    whole = priced(measured)

    def share(ns: Sequence[float]) -> Priced:
        found = priced([each / of for each, of in zip(ns, measured, strict=True)])
        low, high = (None if each is None else each * whole.ns for each in (found.low_ns, found.high_ns))
        return Priced(ns=found.ns * whole.ns, low_ns=low, high_ns=high)

    predicted = share(total(parts))
    prices = [share(each.ns) for each in parts]
    kinds = [each.kind for each in parts]
    rest = next((kinds.index(kind) for kind in ("together", "call") if kind in kinds), 0)
    left = predicted.ns - sum(each.ns for place, each in enumerate(prices) if place != rest)
    prices[rest] = Priced(ns=left, low_ns=prices[rest].low_ns, high_ns=prices[rest].high_ns)
    shares = [None if each is None else each / whole.ns - 1 for each in (predicted.low_ns, predicted.high_ns)]
    return Sum(
        parts=tuple(
            Part(kind=each.kind, what=each.what, name=each.name, price=price)
            for each, price in zip(parts, prices, strict=True)
        ),
        predicted_ns=predicted.ns,
        measured=whole,
        difference=predicted.ns / whole.ns - 1,
        low=shares[0],
        high=shares[1],
    )


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


def _more(rounds: Iterable[float], others: Iterable[float]) -> Rounds:
    return tuple(left + right for left, right in zip(rounds, others, strict=True))


def _times(rounds: Rounds, times: int) -> Rounds:
    return tuple(each * times for each in rounds)
