"""Shapes: the functions whose prices are added up. They do nothing, and what they take in C is subtracted.

Each call has a shape of its own, a function of the same signature. That is its price as a whole. What it is made of is
told by others: for each arity a function of so many `int` that returns one, and for each other argument and each other
result the same function with that one in its place. What it costs more than the one of `int` alone is its price.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from ffibench.explain.signatures import INT, Passed, Signature

CALLED_MAX = 8
"""How often the shape of a whole call calls back: a slice of a thousand calls each would take seconds."""


class Shape(Struct, frozen=True):
    """A function that does nothing, but for calling its callbacks as often as they say."""

    arguments: tuple[Passed, ...]
    result: Passed = INT

    @property
    def arity(self) -> int:
        """The number of parameters in C."""
        return sum(each.width for each in self.arguments)


def plain(arity: int) -> Shape:
    """Return the function of so many `int`."""
    return Shape((INT,) * arity)


def whole(signature: Signature) -> Shape:
    """Return the function of all arguments and the result of a call."""
    return Shape(
        tuple(_calling(each.passed, min(each.passed.called or 0, CALLED_MAX)) for each in signature.arguments),
        signature.result,
    )


def with_argument(signature: Signature, place: int, called: int = 0) -> Shape:
    """Return the function of `int` but for one argument, a callback of which is called so often."""
    arguments = [each.passed for each in signature.arguments]
    before, after = (sum(each.width for each in some) for some in (arguments[:place], arguments[place + 1 :]))
    return Shape((*(INT,) * before, _calling(arguments[place], called), *(INT,) * after))


def with_result(signature: Signature) -> Shape:
    """Return the function of `int` but for its result."""
    return Shape((INT,) * signature.arity, signature.result)


def _calling(passed: Passed, times: int) -> Passed:
    return replace(passed, called=times) if passed.kind == "callback" else passed


def shapes_of(signature: Signature, *, parts: bool = True) -> Iterator[Shape]:
    """Yield what has to be measured to price one call: as a whole, and with `parts` what it is made of."""
    yield whole(signature)
    if not parts:
        return
    yield plain(signature.arity)
    for place, each in enumerate(signature.arguments):
        if each.passed != INT:
            yield with_argument(signature, place)
        if each.passed.called:
            yield with_argument(signature, place, called=1)
    if signature.result != INT:
        yield with_result(signature)
