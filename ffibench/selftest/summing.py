"""What many A/A runs say together: how often equal rows differ significantly, how far runs differ, what they see."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import mean, stdev

from msgspec import Struct

from ffibench.model import BASELINE
from ffibench.selftest.aa import COPIES, SLOWER, Repeat
from ffibench.selftest.verdict import Agreement

FALSE_ALARM = 0.05
"""What a table promises: the chance of telling apart any two rows of a block that are equal."""

CHANCE = 0.02
"""A count is too high where a correct tool reaches it in fewer than one set of runs of 50: over 5 of 40."""


class Tally(Struct, frozen=True, kw_only=True):
    """How often something happened, and between which counts a correct tool stays."""

    what: str
    count: int
    of: int
    least: int | None = None
    most: int | None = None
    """None where nothing is promised."""

    @property
    def verdict(self) -> Agreement | None:
        """Whether the count is one that a correct tool has; None where nothing is promised."""
        if self.least is None and self.most is None:
            return None
        low = 0 if self.least is None else self.least
        high = self.of if self.most is None else self.most
        return "as known" if low <= self.count <= high else "contradicted"


class Summary(Struct, frozen=True, kw_only=True):
    """A set of A/A runs, as `--json` writes it."""

    asked: int
    seed: int
    started: str
    """ISO 8601, UTC."""
    tool: str
    interrupted: bool
    tallies: tuple[Tally, ...]
    spread_ratio: float | None
    """Standard deviation over the runs of the ratio of equal rows, as a share of it; None under two runs."""
    spread_ns: float | None
    """The same of the baseline's nanoseconds an operation: what pairing inside rounds takes away."""
    slow_down: dict[str, float]
    """Slower contestant to the mean share by which it was slower."""
    repeats: tuple[Repeat, ...]


def summary(repeats: Sequence[Repeat], *, asked: int, seed: int, started: str, tool: str, interrupted: bool) -> Summary:
    """Sum up the finished runs. A run with a row that is not valid counts among them, and is told."""
    return Summary(
        asked=asked,
        seed=seed,
        started=started,
        tool=tool,
        interrupted=interrupted,
        tallies=tuple(_tallies(repeats)) if repeats else (),
        spread_ratio=_spread_ratio(repeats),
        spread_ns=_spread([each.gross_ns[BASELINE] for each in repeats if BASELINE in each.gross_ns]),
        slow_down={
            name: mean(each.slow_down[name] for each in repeats if name in each.slow_down)
            for name in SLOWER
            if any(name in each.slow_down for each in repeats)
        },
        repeats=tuple(repeats),
    )


def _tallies(repeats: Sequence[Repeat]) -> list[Tally]:
    runs = len(repeats)
    most = most_by_chance(runs, FALSE_ALARM, CHANCE)
    held, intervals = covered(repeats)
    # The rows of a run share its baseline, so that as many intervals may fail together: runs are what is counted.
    least = math.floor(intervals * (runs - most) / runs)
    return [
        Tally(what="runs with a row that is not valid", count=_count(r.invalid for r in repeats), of=runs, most=0),
        Tally(
            what="c and control differ significantly",
            count=_count(r.control_apart for r in repeats),
            of=runs,
            most=most,
        ),
        Tally(
            what="any of three copies differ significantly",
            count=_count(r.copies_apart for r in repeats),
            of=runs,
            most=most,
        ),
        Tally(what="intervals that hold the mean of all runs", count=held, of=intervals, least=least),
        *(
            Tally(what=f"{100 * share:g} % slower, seen", count=_count(r.seen[name] for r in repeats), of=runs)
            for name, share in SLOWER.items()
        ),
    ]


def covered(repeats: Sequence[Repeat]) -> tuple[int, int]:
    """Count the intervals that hold their row's mean over all runs, and all intervals."""
    held = total = 0
    for name in sorted({name for each in repeats for name in each.ratios}):
        ratios = [each.ratios[name] for each in repeats if name in each.ratios]
        centre = math.exp(mean(math.log(ratio) for ratio, _, _ in ratios))
        held += sum(low <= centre <= high for _, low, high in ratios)
        total += len(ratios)
    return held, total


def most_by_chance(trials: int, probability: float, level: float) -> int:
    """Return the least count that Binomial(trials, probability) exceeds with at most `level`.

    ValueError where there are no trials, or the others are not between 0 and 1.
    """
    if trials < 1 or not 0 < probability < 1 or not 0 < level < 1:
        raise ValueError(f"Binomial({trials}, {probability}) at {level} says nothing")
    at_most = 0.0
    for count in range(trials):
        at_most += math.comb(trials, count) * probability**count * (1 - probability) ** (trials - count)
        if 1 - at_most <= level:
            return count
    return trials


def _spread_ratio(repeats: Sequence[Repeat]) -> float | None:
    spreads = [_spread([each.ratios[name][0] for each in repeats if name in each.ratios]) for name in COPIES]
    known = [spread for spread in spreads if spread is not None]
    return mean(known) if known else None


def _spread(values: Sequence[float]) -> float | None:
    return stdev(values) / mean(values) if len(values) > 1 else None


def _count(each: Iterable[object]) -> int:
    return sum(map(bool, each))
