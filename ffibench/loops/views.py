"""An operation with C's answers, as the templates of loops see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan

from ffibench.calls.answers import Answers, Final, Form, finals, form_of, is_ambiguous
from ffibench.calls.operations import Bound, Called, Cell, Given, Made, Operation, Tested
from ffibench.calls.records import leaves
from ffibench.calls.scalars import number_of
from ffibench.headers.types import CType, Function, StructType

Structs = Mapping[str, StructType]


@dataclass(frozen=True)
class Answered:
    """What C answered to a call, which is tested in each iteration: a number, or whether it is NULL."""

    form: Form
    type: CType
    integer: int
    real: float
    is_null: bool


@dataclass(frozen=True)
class Told:
    """An answer that the oracle tells."""

    name: str
    form: Form
    path: str


@dataclass(frozen=True)
class ReadView:
    """A cell that is read after a call, under a name of its own."""

    name: str
    cell: str
    type: CType
    cell_type: str
    is_null: bool | None
    """Whether the address in it was NULL in C; None: nothing is tested."""


@dataclass(frozen=True)
class CallView:
    """One call."""

    function: Function
    arguments: tuple[Given, ...]
    variable: str
    named: bool
    reads: tuple[ReadView, ...]
    test: Tested | None
    answered: Answered | None
    """None: nothing is tested in the loop."""
    kept: bool
    """Whether its last result is compared after the loop: a text, a struct, a number that `==` cannot tell."""
    room: int
    """Bytes for a copy of the last text, where that may be gone in C before it is compared; 0: it stays."""
    told: tuple[Told, ...]

    @property
    def tested_inline(self) -> bool:
        """Whether its result is compared where it is called: NaN, which is compared with itself, is not."""
        nan = self.answered is not None and self.answered.real != self.answered.real
        return self.answered is not None and not (nan or self.kept or self.named)

    @property
    def held(self) -> bool:
        """Whether C itself keeps the last result."""
        return self.kept and not self.room

    @property
    def cells(self) -> set[str]:
        """The cells that it is given."""
        return {argument.made for argument in self.arguments if argument.made}


@dataclass(frozen=True)
class FinalView:
    """An answer that is read after the loop."""

    name: str
    form: Form
    variable: str
    path: str
    size: int
    of_result: bool
    of_cell: bool
    cell_type: str
    answer: str
    """What C answered, in its form; empty as the oracle sees it."""

    @property
    def is_nan(self) -> bool:
        """Whether C answered NaN: a language that has one NaN alone loses which."""
        return self.form == "real" and bool(self.answer) and isnan(number_of(self.answer))

    @property
    def is_bytes(self) -> bool:
        """Whether C answered a text that is no UTF-8: a language whose strings are Unicode loses some of it."""
        if self.form != "text" or self.answer in {"", "NULL"}:
            return False
        try:
            bytes.fromhex(self.answer).decode()
        except UnicodeDecodeError:
            return True
        return False


@dataclass(frozen=True)
class OperationView:
    """One operation."""

    key: str
    text: str
    setup: tuple[CallView, ...]
    calls: tuple[CallView, ...]
    teardown: tuple[CallView, ...]
    made: tuple[Made, ...]
    checked: bool
    finals: tuple[FinalView, ...]
    counter: str

    @property
    def inside(self) -> set[str]:
        """What was made and calls in the loop are given."""
        return {argument.made for call in self.calls for argument in call.arguments if argument.made}

    @property
    def hidden(self) -> list[str]:
        """The functions that it calls and that macros of the header hide."""
        return [each.function.name for each in (*self.setup, *self.calls, *self.teardown) if each.function.hidden]

    @property
    def looped(self) -> list[str]:
        """The functions that the loop calls, each once."""
        return list(dict.fromkeys(call.function.name for call in self.calls))

    @property
    def nulls(self) -> bool:
        """Whether the loop hands over NULL for a handle."""
        return any(argument.is_null for call in self.calls for argument in call.arguments)


def view(operation: Operation, structs: Structs, answers: Answers | None = None) -> OperationView:
    """Return an operation as the templates see it; without answers as that of the oracle does."""
    last = len(operation.calls) - 1
    calls = tuple(
        _call(call, structs, operation.checked, answers, last=number == last)
        for number, call in enumerate(operation.calls)
    )
    outside = [
        tuple(_call(call, structs, False, None, last=True) for call in section)
        for section in (operation.setup, operation.teardown)
    ]
    made = {each.name: each for each in operation.made}
    return OperationView(
        key=operation.key,
        text=operation.text,
        setup=outside[0],
        calls=calls,
        teardown=outside[1],
        made=operation.made,
        checked=operation.checked,
        counter=operation.counter,
        finals=tuple(_final(each, made.get(each.variable), answers) for each in finals(operation, structs, answers)),
    )


def _call(call: Called, structs: Structs, checked: bool, answers: Answers | None, *, last: bool) -> CallView:
    result = call.function.result
    kept = checked and result.kind in {"string", "owned", "struct"}
    answered = _answered(call, answers) if checked and answers is not None else None
    room = 0
    if answered is not None and answered.form == "real":
        kept = is_ambiguous(answered.real)
    elif kept and answers is not None and result.kind != "struct" and (result.kind == "owned" or not last):
        # One byte more than the text and its NUL, so that a longer one differs.
        room = 0 if answers.is_null(call.answer) else len(answers.results[call.answer]) // 2 + 2
    return CallView(
        function=call.function,
        arguments=call.arguments,
        variable=call.variable,
        named=call.named,
        reads=tuple(_read(each, answers if checked else None) for each in call.reads),
        test=call.test,
        answered=answered,
        kept=kept,
        room=room,
        told=tuple(_told(call, structs)) if checked else (),
    )


def _read(bound: Bound, answers: Answers | None) -> ReadView:
    is_address = bound.type.category == "pointer"
    is_null = answers.is_null(bound.cell) if answers is not None and is_address else None
    return ReadView(bound.name, bound.cell, bound.type, bound.cell_type, is_null)


def _told(call: Called, structs: Structs) -> list[Told]:
    result = call.function.result
    if result.kind == "void":
        return []
    if result.kind == "struct":
        places = leaves(structs[result.type.tag], structs)
        return [Told(f"{call.answer}.{leaf.path}", form_of(leaf.type), f".{leaf.path}") for leaf in places]
    return [Told(call.answer, "text" if result.kind in {"string", "owned"} else form_of(result.type), "")]


def _answered(call: Called, answers: Answers) -> Answered | None:
    result = call.function.result
    if result.kind in {"void", "struct"}:
        return None
    form: Form = "text" if result.kind in {"string", "owned"} else form_of(result.type)
    return Answered(
        form,
        result.type,
        integer=answers.integer(call.answer) if form == "integer" else 0,
        real=answers.real(call.answer) if form == "real" else 0.0,
        is_null=form in {"text", "address"} and answers.is_null(call.answer),
    )


def _final(final: Final, made: Made | None, answers: Answers | None) -> FinalView:
    of_cell = made is not None and isinstance(made.value, Cell)
    return FinalView(
        name=final.name,
        form=final.form,
        variable=final.variable,
        path=final.path,
        size=final.size,
        of_result=made is None,
        of_cell=of_cell,
        cell_type=made.cell_type if made is not None and of_cell else "",
        answer=answers.results[final.name] if answers is not None else "",
    )
