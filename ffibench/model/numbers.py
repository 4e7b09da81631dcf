"""Numbers with the bounds that they have in a run file. A file is checked against these when it is read.

Values that are made in Python are not checked: their bounds follow from the code that makes them.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

NUMBER_MAX = (1 << 63) - 1
"""The largest number that a worker in C can count to; sums of larger ones could overflow a float."""

QUANTITY_MAX = 1e10
"""Three hundred years in seconds. Sums and products of larger numbers need not be finite."""

Number = Annotated[int, Meta(ge=-NUMBER_MAX, le=NUMBER_MAX)]
Count = Annotated[int, Meta(ge=0, le=NUMBER_MAX)]
Positive = Annotated[int, Meta(ge=1, le=NUMBER_MAX)]
Seconds = Annotated[float, Meta(ge=0, le=QUANTITY_MAX)]
Share = Annotated[float, Meta(ge=0, le=QUANTITY_MAX)]
"""A part of something, or how many of it were in use: shares of a clock that is read twice may exceed 1."""
