"""Which calls an operation makes: from its call expression, or from what its experiment has the audit accept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ffibench.calls.answers import Answers
from ffibench.calls.operations import Called, Operation
from ffibench.calls.values import Callback
from ffibench.errors import FfibenchError
from ffibench.explain.signatures import Known, Signature, of_called, of_function
from ffibench.headers.reader import Header
from ffibench.headers.types import Function
from ffibench.model import Accepted, Case


def of_operation(operation: Operation, answers: Answers) -> list[Signature]:
    """Return the calls of an operation whose loop is generated; C's answers tell which numbers are returned."""
    called_back = {
        each.name: answers.integer(each.name)
        for each in operation.made
        if isinstance(each.value, Callback) and each.name in answers.results
    }
    return [of_called(each, operation, _answered(each, answers), called_back) for each in operation.calls]


def _answered(called: Called, answers: Answers) -> int | None:
    result = called.function.result
    integer = result.kind == "scalar" and result.type.category in {"int", "uint", "char", "enum"}
    text = answers.results.get(called.answer)
    return int(text) if integer and text is not None else None


def of_case(case: Case, functions: Sequence[str], header: Header) -> list[Signature]:
    """Return the calls of an operation whose loop is written by hand, as its shims make them.

    Of the sets of calls that the audit accepts it is the first that the `functions` of the experiment are enough for.
    Raises FfibenchError where there is none.
    """
    for accepted in case.accepts:
        calls = Counter({name: count for name, count in accepted.calls.items() if count})
        if calls and set(calls) <= set(functions):
            return [
                of_function(function, calls[function.name], _known(accepted, function))
                for function in header.select(list(calls))
            ]
    raise FfibenchError(
        f"the case {case.name!r} does not say which functions of its shims an operation calls",
        fix="write them into its `accepts`, as docs/extending.md shows",
    )


def _known(accepted: Accepted, function: Function) -> Known:
    """Take what the audit checks of a function: its bytes, and what it must return."""
    known = Known()
    if accepted.length is not None and accepted.length[0] == function.name and accepted.total is None:
        known = Known(size=accepted.size, length=_integers(function)[accepted.length[1]])
    for returns in accepted.returns:
        if returns.function == function.name and returns.must_be == "0":
            known = Known(known.size, known.length, 0)
        elif returns.function == function.name and returns.must_be == "argument":
            same = _integers(function)[returns.position] == known.length
            known = Known(known.size, known.length, known.size if same else None)
    return known


def _integers(function: Function) -> list[str]:
    """Return the parameters whose places the audit counts: all but floating-point numbers."""
    return [each.name for each in function.parameters if each.type.category != "float"]


def unpriced(operation: Operation | None, signatures: Sequence[Signature]) -> list[str]:
    """Say what an operation does that has no price, as the ends of sentences."""
    found = []
    callbacks = [each for one in signatures for each in one.arguments if each.passed.kind == "callback"]
    uncounted = any(each.passed.called is None and each.passed.given != "NULL" for each in callbacks)
    if uncounted or (operation is not None and _registers(operation)):
        found.append("calls from C back into the language")
    if operation is not None and any(call.reads for call in operation.calls):
        found.append("reading what a call gives through a cell")
    if len(signatures) > 1 and operation is not None and any(call.named for call in operation.calls):
        found.append("keeping the result of one call for the next")
    return found


def _registers(operation: Operation) -> bool:
    """Whether the set-up gives C a callback, which it may call at any time."""
    handed = {argument.made for call in operation.calls for argument in call.arguments}
    return any(isinstance(each.value, Callback) and each.name not in handed for each in operation.made)
