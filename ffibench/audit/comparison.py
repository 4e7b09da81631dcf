"""How much longer a command takes while it is counted: pairs of runs, with the count and without, in random order."""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable, Sequence
from statistics import median

from msgspec import Struct

from ffibench.audit.foreground import Ended
from ffibench.stats import CONFIDENCE, Estimate, median_bounds, order_rank, paired_ratio

PAIRS_FOR_INTERVAL = next(pairs for pairs in range(1, 100) if order_rank(pairs, CONFIDENCE) is not None)
"""With fewer pairs there is no interval of that confidence."""


class Times(Struct, frozen=True, kw_only=True):
    """What one run took."""

    seconds: float
    cpu_seconds: float


class Pair(Struct, frozen=True, kw_only=True):
    """Two runs of the command, one after the other."""

    counted: Times
    bare: Times
    counted_first: bool


class Added(Struct, frozen=True, kw_only=True):
    """Processor time that counting added to each call: the median of the pairs, with its interval."""

    ns: float
    low_ns: float | None
    high_ns: float | None


class Comparison(Struct, frozen=True, kw_only=True):
    """All pairs, and what follows from them."""

    pairs_asked: int
    pairs: tuple[Pair, ...]
    """Fewer than were asked for where the command received a signal to end."""
    seed: int
    """Of the order within each pair."""
    seconds: Estimate
    """The ratio of the wall time while counting to that without."""
    cpu_seconds: Estimate | None
    """The same of the processor time; None where a run took none that the system noticed."""

    def added(self, calls: int) -> Added:
        """Return what counting added to each of so many calls."""
        each = [1e9 * (pair.counted.cpu_seconds - pair.bare.cpu_seconds) / calls for pair in self.pairs]
        low, high = median_bounds(each, CONFIDENCE) or (None, None)
        return Added(ns=median(each), low_ns=low, high_ns=high)


def compared(
    run: Callable[[bool], Ended],
    pairs: int,
    status: int,
    *,
    seed: int | None = None,
    observe: Callable[[int], None] = lambda _: None,
) -> tuple[Comparison | None, tuple[str, ...]]:
    """Make `pairs` of runs by `run`, which is told whether to count; return the comparison and what went wrong.

    `status` is the exit status of the run before. `observe` is told the number of each pair before it begins. A signal
    to end stops it; the comparison is None where no pair had been completed by then.
    """
    seed = secrets.randbits(32) if seed is None else seed
    order = random.Random(seed)
    made: list[Pair] = []
    troubles: list[str] = []
    while len(made) < pairs:
        observe(len(made) + 1)
        counted_first = order.random() < 0.5
        ended: dict[bool, Ended] = {}
        try:
            for counted in (counted_first, not counted_first):
                ended[counted] = run(counted)
                if ended[counted].asked_to_end:
                    raise KeyboardInterrupt
        except KeyboardInterrupt:  # or a signal arrived between two runs
            done = f"{len(made)} of {pairs} pairs"
            troubles.append(f"the comparison ended after {done}, when a signal to end arrived")
            break
        for counted, each in ended.items():
            if each.status != status:
                how = "counted once more" if counted else "without counting"
                troubles.append(f"{how}, the command exited with status {each.status}, not {status}")
            if each.survivors:
                troubles.append("runs of the comparison were disturbed by what earlier ones left running")
        times = {each: Times(seconds=ended[each].seconds, cpu_seconds=ended[each].cpu_seconds) for each in ended}
        made.append(Pair(counted=times[True], bare=times[False], counted_first=counted_first))
    return _comparison(made, pairs, seed), tuple(dict.fromkeys(troubles))


def _comparison(pairs: Sequence[Pair], asked: int, seed: int) -> Comparison | None:
    if not pairs:
        return None
    counted, bare = [pair.counted for pair in pairs], [pair.bare for pair in pairs]
    return Comparison(
        pairs_asked=asked,
        pairs=tuple(pairs),
        seed=seed,
        seconds=paired_ratio([each.seconds for each in counted], [each.seconds for each in bare]),
        cpu_seconds=paired_ratio([each.cpu_seconds for each in counted], [each.cpu_seconds for each in bare])
        if all(each.cpu_seconds > 0 for each in (*counted, *bare))
        else None,
    )
