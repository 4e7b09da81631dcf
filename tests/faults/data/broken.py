"""tally through ctypes, with the troubles of `tests/support/scripted.py`: SCRIPT has its arguments.

ffibench: lock=held
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator

from ffibench.worker.contract import Loops, Options, Receipt, Work
from ffibench.worker.load import import_file

scripted = import_file(os.environ["SCRIPTED"])
scripted.options.update(each.split("=", 1) for each in os.environ["SCRIPT"].splitlines())


def contestant(native: None, options: Options) -> Iterator[Work]:
    """Add up bytes that are all 1, and get into trouble at the point that is told."""
    round_number = scripted.enter("worker")
    tally_sum = ctypes.PyDLL(options["library"]).tally_sum
    scripted.happen("start", round_number)
    points = iter(["warmup", "slice"])

    def loops(size: int) -> Loops:
        data = b"\1" * size

        def run(iterations: int) -> Receipt:
            scripted.happen(next(points, "later"), round_number)
            for _ in range(iterations):
                if tally_sum(data, size) != size:
                    raise ValueError("tally_sum is wrong")
            return {"calls": iterations}

        def empty(iterations: int) -> None:
            scripted.happen("empty", round_number)
            for _ in range(iterations):
                pass

        return Loops(run, empty)

    yield Work(cases={"few": loops(int(options["size"])), "none": loops(0)})
    scripted.happen("closed", round_number)
