"""From an operation and C's answers to it to its case: iterations, receipt, and the calls that the audit accepts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from ffibench.calls.answers import Answers, receipt
from ffibench.calls.operations import Operation
from ffibench.headers.types import Function, StructType
from ffibench.model import Accepted, Call, Case, Contestant, Receipt
from ffibench.shims.technology import Technology, technologies

SLICE_NS = 2_000_000
"""Of a slice, by the time that C takes and what a binding adds."""
ADDED_NS = 200
"""What a call through a binding costs more than in C, about: `ffibench run xsub` shows 30 to 500."""


def answered_case(
    case: Case,
    call: Call,
    operation: Operation,
    answers: Answers,
    structs: Mapping[str, StructType],
    functions: Sequence[str],
    available: Sequence[Technology],
) -> Case:
    """Return a provisional case with all that C's answers tell.

    `functions` are those of the whole experiment, `available` the technologies that its contestants are made with.
    """
    calls = Counter(each.function.name for each in operation.calls)
    # What frees a text is called by the binding itself, where there is one; C's own `free` is of another library.
    owned = [each for each in operation.calls if each.function.result.free in functions]
    nulls = [each for each in owned if operation.checked and answers.is_null(each.answer)]
    calls.update(each.function.result.free for each in owned if each not in nulls)
    # NULL may be freed too, which does nothing: koffi calls the function with whatever it was given.
    freeing = calls + Counter(each.function.result.free for each in nulls)

    others = dict.fromkeys((each for each in functions if each != operation.counter), 0)

    def expected(iterations: int) -> Receipt:
        return receipt(operation, answers, structs, iterations)

    def cannot(contestant: Contestant) -> str | None:
        technology = technology_of(contestant, available)
        if technology is None or not technology.kinds:
            return None
        return unrendered(technology, list(operation.functions.values()))

    return replace(
        case,
        iterations=call.iterations or iterations_for(answers.ns),
        receipt=expected,
        bytes=operation.bytes,
        counter=operation.counter,
        cannot=cannot,
        accepts=tuple(Accepted(calls={**others, **each}) for each in ((calls, freeing) if nulls else (calls,))),
    )


def iterations_for(ns: float) -> int:
    """Return how often an operation is done in a slice: 1, 2 or 5 times a power of ten, the same for everybody."""
    wanted = SLICE_NS / (ns + ADDED_NS)
    power = 1
    while power * 10 <= wanted:
        power *= 10
    return max(1, power * next(each for each in (5, 2, 1) if each * power <= max(wanted, 1)))


def can_render(language: str, operation: Operation) -> bool:
    """Whether a technology of a language has templates for all that an operation calls."""
    functions = list(operation.functions.values())
    own = (each for each in technologies() if each.language == language)
    return any(not each.kinds or unrendered(each, functions) is None for each in own)


def technology_of(contestant: Contestant, available: Sequence[Technology]) -> Technology | None:
    """Return the technology of a contestant; None where its file is its own."""
    binding = contestant.name.rpartition("/")[2]
    of_language = (each for each in available if each.language == contestant.language)
    return next((each.narrowed(binding) for each in of_language if binding in each.bindings), None)


def unrendered(technology: Technology, functions: Sequence[Function]) -> str | None:
    """Return what of these functions a technology has no template for, in a sentence, or None."""
    from ffibench.shims.render import check_kinds  # late: what is in the cache needs no templates

    return check_kinds(technology, functions)
