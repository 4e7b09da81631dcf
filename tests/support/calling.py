"""What native code of tests calls back, and by which bindings: the functions of tests/shims/data/callbacks.h."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path

from ffibench.shims.technology import technologies

HEADER = Path(__file__).parents[1] / "shims" / "data" / "callbacks.h"
ALONE = ("each_of", "sum_of")
"""Those whose callback has no user data beside it."""
CLOSURES = {
    name: technology.closures
    for technology in technologies()
    if technology.language == "python"
    for name, binding in technology.bindings.items()
    if not binding.asked
}
REFUSALS = (TypeError, ctypes.ArgumentError)
TICK = (7, 2**40)

ANSWERS: dict[str, list[object]] = {
    "int": [-(2**31), -1, 0, 2**31 - 1],
    "schar": [-128, 127],
    "char": [0, 65, 127],
    "ushort": [0, 2**16 - 1],
    "uint64": [0, 2**64 - 1],
    "long_long": [-(2**63), 2**63 - 1],
    "double": [0.1, -1e300],
    "float": [0.5, -1.25],
    "bool": [True, False],
    "mood": [0, 5],
}
"""What a callback of each kind gets and answers."""


def collector(seen: list[tuple[object, ...]]) -> Callable[..., None]:
    return lambda *arguments: seen.append(arguments)
