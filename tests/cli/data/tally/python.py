"""tally through every Python shim."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from typing import Any

from ffibench.worker.contract import Loops, Options, Receipt, Work


def contestant(native: Any, options: Options) -> Iterator[Work]:  # noqa: ANN401
    """Add up bytes that are all 1, so that the sum is their number."""
    tally_sum = native.tally_sum

    def loops(size: int) -> Loops:
        data = b"\1" * size

        def run(iterations: int) -> Receipt:
            for _ in repeat(None, iterations):
                if tally_sum(data, size) != size:
                    raise ValueError("tally_sum is wrong")
            return {"calls": iterations}

        def empty(iterations: int) -> None:
            for _ in repeat(None, iterations):
                if size != size:  # noqa: PLR0124
                    raise ValueError("tally_sum is wrong")

        return Loops(run, empty)

    yield Work(cases={"few": loops(int(options["size"])), "none": loops(0)})
