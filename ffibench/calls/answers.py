"""The oracle: what C itself answers to an operation, asked several times, as exact text."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from ffibench.calls.operations import Called, Cell, Made, Operation, Record, size_of
from ffibench.calls.records import leaves
from ffibench.calls.scalars import number_of
from ffibench.calls.values import Callback
from ffibench.errors import FfibenchError
from ffibench.headers.types import CType, StructType
from ffibench.model import Receipt

Form = Literal["integer", "real", "address", "text", "memory", "calls", "counted"]
"""How an answer is written: a whole number in decimal digits; 16 hexadecimal digits of a floating-point number's bits;
`NULL` or `not NULL`; a text's bytes in hexadecimal digits, or `NULL`; memory; how often a callback was called; how many
calls the library counted."""

MEMORY_BYTES_MAX = 64
"""Of memory that is longer so many bytes are compared, spread evenly, the first and the last among them."""


LINE = re.compile(r"(?P<key>\w+)\t(?:ns\t(?P<ns>[\d.]+)|(?P<number>\d+)\t(?P<name>[\w.\[\]]*)\t(?P<text>[\w .+-]*))")
"""What the oracle prints."""


class Final(Struct, frozen=True):
    """An answer that is read after the loop: of the last operation, or how often a callback was called."""

    name: str
    """In the receipt."""
    form: Form
    variable: str
    """Of what it is read from: what was made, or a call's result."""
    path: str = ""
    """The place in a struct, `.inner.x`."""
    size: int = 0
    """Bytes of memory."""


def form_of(declared: CType) -> Form:
    """Return how a scalar or an address is written."""
    if not declared.scalar:
        return "address"
    return "real" if declared.category == "float" else "integer"


def finals(
    operation: Operation, structs: Mapping[str, StructType], answers: Answers | None = None
) -> tuple[Final, ...]:
    """Return what is compared after each slice, in the order of the calls, without `answers` as the oracle tells it.

    First comes what the library itself counted.
    """
    counted = (Final(operation.counter, "counted", ""),) if operation.counter else ()
    if not operation.checked:
        return counted
    used = {argument.made for call in operation.calls for argument in call.arguments}
    found = [final for call in operation.calls for final in _of_result(call, structs, answers)]
    for made in operation.made:
        if made.name in used and made.changed:
            found += _of_made(made, structs)
    return (*counted, *found)


def is_ambiguous(number: float) -> bool:
    """Whether a comparison cannot tell its bits: NaN is like nothing, and 0.0 like -0.0."""
    return math.isnan(number) or number == 0


def _of_result(call: Called, structs: Mapping[str, StructType], answers: Answers | None) -> Iterator[Final]:
    result = call.function.result
    scalar = result.kind == "scalar" and form_of(result.type) == "real"
    if scalar and answers is not None and is_ambiguous(answers.real(call.answer)):
        yield Final(call.answer, "real", call.variable)
    if result.kind in {"string", "owned"}:
        yield Final(call.answer, "text", call.variable)
    elif result.kind == "struct":
        for leaf in leaves(structs[result.type.tag], structs):
            yield Final(f"{call.answer}.{leaf.path}", form_of(leaf.type), call.variable, f".{leaf.path}")


def _of_made(made: Made, structs: Mapping[str, StructType]) -> Iterator[Final]:
    match made.value:
        case Callback():
            yield Final(made.name, "calls", made.name)
        case Cell():
            yield Final(made.name, form_of(made.item), made.name)
        case Record(struct=struct):
            for leaf in leaves(struct, structs):
                yield Final(f"{made.name}.{leaf.path}", form_of(leaf.type), made.name, f".{leaf.path}")
        case _:
            yield Final(made.name, "memory", made.name, size=size_of(made))


class Answers(Struct, frozen=True):
    """What C answered to an operation, and how long it took."""

    results: Mapping[str, str]
    """The answers, by name, as text in their forms."""
    ns: float
    """Nanoseconds an operation."""
    steady: bool
    """Whether it answered the same each time."""
    differing: str = ""
    """Where not: what answered what, for a sentence."""

    def integer(self, name: str) -> int:
        """Return a whole number."""
        return int(self.results[name])

    def real(self, name: str) -> float:
        """Return a floating-point number, exactly."""
        return number_of(self.results[name])

    def is_null(self, name: str) -> bool:
        """Return whether an address or a text was NULL."""
        return self.results[name] == "NULL"


def read_answers(outputs: Sequence[str], texts: Mapping[str, str]) -> dict[str, Answers]:
    """Return the answers of each operation, by its key, from what processes of the oracle printed.

    A line is `KEY<TAB>NUMBER<TAB>NAME<TAB>TEXT`, NUMBER counting the times that it was asked, and the last line of each
    time without a name; or `KEY<TAB>ns<TAB>TIME`. `texts` are the expressions by key. Raises FfibenchError where a call
    printed something itself.
    """
    asked: dict[str, list[dict[str, str]]] = {}
    times: dict[str, list[float]] = {}
    for output in outputs:
        begun: dict[str, str] = {}
        for line in output.splitlines():
            found = LINE.fullmatch(line)
            if found is None or found["key"] not in texts:
                raise FfibenchError(
                    f"a call of {', '.join(texts.values())} prints on standard output, where workers report: {line!r}",
                    fix="measure one that does not print",
                )
            key, number, name = found["key"], found["number"], found["name"]
            if number is None:
                times.setdefault(key, []).append(float(found["ns"]))
                continue
            every = asked.setdefault(key, [])
            if begun.get(key) != number:
                begun[key] = number
                every.append({})
            if name:
                every[-1][name] = found["text"]
    return {key: _agreed(asked[key], min(times[key])) for key in texts}


def _agreed(every: Sequence[Mapping[str, str]], ns: float) -> Answers:
    first = every[0]
    other = next((each for each in every if each != first), None)
    if other is None:
        return Answers(first, ns, steady=True)
    name = next(name for name in {**first, **other} if first.get(name) != other.get(name))
    told = f"{name} was {_shown(first.get(name))}, then {_shown(other.get(name))}"
    return Answers(first, ns, steady=False, differing=told)


def _shown(text: str | None) -> str:
    return "nothing" if text is None else text if len(text) <= 40 else f"{text[:40]}..."


def receipt(operation: Operation, answers: Answers, structs: Mapping[str, StructType], iterations: int) -> Receipt:
    """Return what a slice of so many iterations has to say."""
    said: Receipt = {"operations": iterations}
    for final in finals(operation, structs, answers):
        text = answers.results[final.name]
        if final.form in {"calls", "counted"}:
            said[final.name] = int(text) * iterations
        else:
            said[final.name] = int(text) if final.form == "integer" else text
    return said
