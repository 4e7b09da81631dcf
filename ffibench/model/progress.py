"""How far a run is, between two of its rounds."""

from __future__ import annotations

from msgspec import Struct

from ffibench.model.run import Run
from ffibench.model.summary import Comparison


class Progress(Struct, frozen=True, kw_only=True):
    """How far a run is, after a round."""

    run: Run
    comparison: Comparison
    """What the rounds so far show."""
    rounds_max: int
    rows: int
    """Rows whose intervals decide when the run ends."""
    wide: int
    """How many of them have no interval yet, or one wider than the precision asked for."""
    widest: float | None
    """The largest half-width among them, on the log scale; None as long as one of them has no interval."""
    seconds: float
    """Since the first round began."""
    seconds_left: float
    """At most."""
