"""Cases whose loops are generated: what is known of them before C was asked what they answer."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ffibench.calls.expressions import filled, places, read_calls
from ffibench.model import Call, Case, Value

UNCHECKED = " (unchecked)"
NOT_COMPARED = ", whose answers are not compared with those of C"


def provisional_cases(calls: Sequence[Call], values: Mapping[str, Value]) -> tuple[Case, ...]:
    """Return the cases of calls with what is known before C has answered. Raises FfibenchError as `read_calls` does."""
    return tuple(
        Case(
            name=f"{call.name or ' '.join(call.expression.split())}{'' if call.checked else UNCHECKED}",
            key=key_of(call, number, values),
            group=call.group,
            only=call.only,
            parameters=tuple(dict.fromkeys(place for text in texts_of(call) for place in places(text))),
            operation=f"{call.expression}{'' if call.checked else NOT_COMPARED}",
            iterations=call.iterations or 1,
            receipt=lambda iterations: {"operations": iterations},
        )
        for number, call in enumerate(calls, 1)
    )


def key_of(call: Call, number: int, values: Mapping[str, Value]) -> str:
    """Return the name of a case in the worker contract: its own, or its first function and its number.

    The values in its places follow.
    """
    own = call.key or f"{read_calls(filled(call.expression, values))[0].function}_{number}"
    along = [f"{place}_{values[place]}" for place in places(call.expression) if place in values]
    return re.sub(r"\W", "_", "_".join([own, *along]))


def texts_of(call: Call) -> tuple[str, ...]:
    """Return all that a call says: its set-up, itself, its teardown."""
    return (*call.setup, call.expression, *call.teardown)
