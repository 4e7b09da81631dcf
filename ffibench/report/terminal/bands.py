"""A table whose columns are all of one kind, in bands below each other where one width does not hold them."""

from __future__ import annotations

from collections.abc import Sequence

from ffibench.report.terminal.layout import GAP


def bands(beside: int, sizes: Sequence[int], width: int) -> list[range]:
    """Split columns of these sizes into as few bands as fit `width` beside heads that take `beside` columns."""
    room = width - beside
    starts, taken = [0], 0
    for index, size in enumerate(sizes):
        taken += GAP + size
        if taken > room and index > starts[-1]:
            starts.append(index)
            taken = GAP + size
    return [range(start, end) for start, end in zip(starts, [*starts[1:], len(sizes)], strict=True)]


def balanced(beside: int, sizes: Sequence[int], width: int) -> list[range]:
    """Split columns as `bands` does, into as few, but as equal as they can be: no page is left with a lonely column."""
    most = bands(beside, sizes, width)
    narrower = (bands(beside, sizes, each) for each in range(beside, width))
    return next((split for split in narrower if len(split) == len(most)), most)
