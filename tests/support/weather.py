"""The weather station in small: its cases and its contestants."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from ffibench.catalog import candidates, find_experiment
from ffibench.model import CONTROL, Case
from support.teams import Part

SLICES = 2
WARMUP = 1
VALUES = {"matches": 10, "zipcodes": 5, "seed": 1969, "port": 0, "patience": 20.0, "verbose": 0}

Play = Callable[..., Part]
"""From a contestant, a case and changed options to how it is started."""

ONE_OF_A_FILE = ("c", "python/ctypes", "python/pyzmq", "python/pyzmq-asyncio", "perl/xs", "perl/zmq-ffi")
"""What stands in the file of an experiment is the same for all bindings that it drives."""


@cache
def names() -> list[str]:
    """All contestants, be they here or not; the control is the baseline."""
    return [each.contestant.name for each in candidates(find_experiment("weather")) if each.contestant.name != CONTROL]


def cases(**changes: float) -> tuple[Case, Case]:
    """What the publisher and the subscriber do."""
    publish, receive = find_experiment("weather").experiment.cases({**VALUES, **changes})
    return publish, receive
