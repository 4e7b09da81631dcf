"""Shapes: the functions whose prices are added up.

For each arity a function of so many `int` that returns one; for each other argument, at that arity, the function with
it in place of an `int`, first; for each other result the same. What one costs more than the other is the price of that
argument. The functions do nothing, and what they take in C is subtracted. One with a callback is there twice: the
second one calls it, once.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ffibench.explain.signatures import Passed, Signature


class Shape(Struct, frozen=True):
    """A function of `arity` parameters, all `int` but for one at the most, and a result.

    `called`: it calls its argument, a callback, once.
    """

    arity: int
    argument: Passed | None = None
    result: Passed | None = None
    called: bool = False


def shapes_of(signature: Signature) -> Iterator[Shape]:
    """Yield what has to be measured to price one call."""
    yield Shape(signature.arity)
    for each in signature.arguments:
        if not each.passed.is_base:
            yield Shape(signature.arity, argument=each.passed)
        if each.called:
            yield Shape(signature.arity, argument=each.passed, called=True)
    if not signature.result.is_base:
        yield Shape(signature.arity, result=signature.result)
