"""Blocks: which rows are ranked together, and the order in which a table has them."""

from __future__ import annotations

from collections.abc import Iterable

from ffibench.model import BASELINE, CONTROL, PAIR, Contestant

BASE_BLOCK = "baseline"
"""The block of the baseline and the control, which comes first."""


def block_of(contestant: Contestant) -> str:
    """Return the block in which a contestant is ranked, from what it declares of the call.

    Those that hold their language's lock during it and those that release it are ranked apart, since releasing alone
    costs 26 to 32 ns in Python; and both from those without a lock. Among these it counts whether the runtime can go on
    meanwhile, to collect garbage or to schedule other work, which a call must announce. A call that may not call back
    into the language stands apart from one that may. C, linked or called otherwise than the baseline, and languages
    that are like it have nothing around a call.
    """
    if contestant.name in {BASELINE, CONTROL}:
        return BASE_BLOCK
    if contestant.language == PAIR:
        return PAIR
    if contestant.language == BASELINE or contestant.runtime == "none":
        return "no runtime"
    said = [f"lock {contestant.lock}"] if contestant.lock else []
    said += ["runtime continues"] * (contestant.lock is None and contestant.runtime == "continues")
    said += ["no callbacks"] * (not contestant.callbacks)
    return ", ".join(said) or "no lock"


def blocks(found: Iterable[str]) -> list[str]:
    """Return the blocks that there are, each once, in the order of the table: the baseline's, then by their names."""
    return sorted(set(found), key=lambda block: (block != BASE_BLOCK, block))
