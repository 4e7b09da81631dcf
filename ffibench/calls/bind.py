"""Binds an expression to the functions of a header: what is made before the loop, and what each call is given."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, NoReturn

from msgspec.structs import replace

from ffibench.calls.operations import Bound, Called, Cell, Given, Made, MadeValue, Operation, Tested
from ffibench.calls.records import record
from ffibench.calls.scalars import carried
from ffibench.calls.values import (
    Argument,
    Array,
    Buffer,
    Bytes,
    Callback,
    Fields,
    InOut,
    Name,
    Null,
    Number,
    Out,
    Step,
    Test,
    Text,
)
from ffibench.errors import FfibenchError
from ffibench.headers.reader import Header
from ffibench.headers.types import CType, Function, Kind, Parameter
from ffibench.headers.words import matcher


def bind(
    key: str,
    text: str,
    header: Header,
    calls: Sequence[Step],
    *,
    setup: Sequence[Step] = (),
    teardown: Sequence[Step] = (),
    checked: bool = True,
    reserved: Collection[str] = (),
    counter: str = "",
) -> Operation:
    """Return the operation of an expression, whose names match none of the patterns `reserved` by any language.

    Raises FfibenchError for a function that no kind fits, a number that its type does not hold, an unknown name.
    """
    if counter:
        (counting,) = header.select([counter])
        if counting.parameters or counting.result.type.category not in {"int", "uint"}:
            raise FfibenchError(
                f"the counter `{counting.declaration}` does not return a number alone",
                fix="name a function such as `uint64_t calls_counted(void)`",
            )
    binder = _Binder(text, header, reserved, [*setup, *calls, *teardown])
    return Operation(
        key,
        text,
        setup=binder.section(setup, "set-up"),
        calls=binder.section(calls, ""),
        teardown=binder.section(teardown, "teardown"),
        made=tuple(binder.made),
        checked=checked,
        counter=counter,
    )


class _Place(NamedTuple):
    """A parameter, as messages name it."""

    parameter: Parameter
    function: Function

    @property
    def called(self) -> str:
        """The function."""
        return f"`{self.function.name}`"

    def __str__(self) -> str:
        return f"`{self.parameter.type.declare(self.parameter.name)}` of {self.called}"


class _Binder:
    """Holds the names that are bound so far."""

    def __init__(self, text: str, header: Header, reserved: Collection[str], steps: Sequence[Step]) -> None:
        self.text = text
        self.header = header
        self.is_reserved = matcher(reserved)
        self.made: list[Made] = []
        self.bound: dict[str, tuple[str, CType]] = {}
        """What the expression calls a value, to its name in the loops and its type."""
        self.taken = {step.function for step in steps}
        self.locals = set(self.taken)
        """Names of arguments, where a language keeps them in variables: they may be those of what is made."""
        self.outer: set[str] = set()
        """The names of the loops that the set-up binds."""
        self.where = ""
        self.used = {each.name for step in steps for each in step.arguments if isinstance(each, Name)}
        self.answers: set[str] = set()

    def section(self, steps: Sequence[Step], where: str) -> tuple[Called, ...]:
        """Bind the calls of the set-up, of the loop, or of the teardown."""
        self.where = where
        return tuple(self._called(step, where) for step in steps)

    def _called(self, step: Step, where: str) -> Called:
        (function,) = self.header.select([step.function])
        arguments = tuple(
            self._given(argument, parameter, function)
            for argument, parameter in zip(step.arguments, function.parameters, strict=True)
        )
        reads = tuple(
            Bound(self._bind(each.name, cell.item), cell.name, cell.item)
            for each, cell in self._cells(step, arguments)
            if each.name in self.used
        )
        if step.name and function.result.kind == "void":
            self._refuse(f"`{function.name}` gives nothing that could be called {step.name}", "leave the name out")
        variable = self._bind(step.name, function.result.type) if step.name else self._variable("result")
        answer = self._own(step.name or function.name, self.answers)
        test = self._tested(step.test, function, where)
        return Called(function, arguments, answer, variable, bool(step.name), reads, test)

    def _cells(self, step: Step, arguments: Sequence[Given]) -> list[tuple[Out | InOut, Made]]:
        by_name = {each.name: each for each in self.made}
        pairs = zip(step.arguments, arguments, strict=True)
        return [(each, by_name[given.made]) for each, given in pairs if isinstance(each, Out | InOut)]

    def _given(self, argument: Argument, parameter: Parameter, function: Function) -> Given:
        place = _Place(parameter, function)
        given = Given(parameter, self._own(parameter.name, self.locals))
        if isinstance(argument, Null):
            return given
        if isinstance(argument, Number):
            return replace(given, number=self._number(argument.value, place))
        if isinstance(argument, Name):
            return self._named(argument.name, given, place)
        name, value = parameter.name, self._value(argument, place)
        if isinstance(argument, Out | InOut):
            name = f"{argument.name or name}_cell"
        made = Made(self._own(name, self.taken | self.answers), value, parameter.type, parameter.kind)
        self.taken.add(made.name)
        self.answers.add(made.name)  # what it holds is an answer too
        self.made.append(made)
        return replace(given, made=made.name)

    def _value(self, argument: Argument, place: _Place) -> MadeValue:
        """Return what is made before the loop for an argument."""
        declared = place.parameter.type
        if isinstance(argument, Out):
            return Cell()
        if isinstance(argument, InOut):
            return Cell(self._inout(argument, declared.target or declared, place))
        if isinstance(argument, Fields):
            return record(argument, declared, self.header.structs, self.text)
        if isinstance(argument, Callback):
            self._require_answer(argument, declared, place)
        if isinstance(argument, Array):
            self._require_items(argument, declared.target or declared, place)
        assert isinstance(argument, Text | Bytes | Buffer | Array | Callback)
        return argument

    def _bind(self, name: str, declared: CType) -> str:
        own = self._variable(name)
        self.bound[name] = (own, declared)
        if self.where == "set-up":
            self.outer.add(own)
        return own

    def _variable(self, name: str) -> str:
        """Return a name that neither an argument nor what is made has."""
        both = self.taken | self.locals
        own = self._own(name, both)
        self.taken.add(own)
        self.locals.add(own)
        return own

    def _own(self, name: str, taken: set[str]) -> str:
        """Return a name like this one that is no keyword and that nothing else has."""
        plain = re.sub(r"\W", "_", name, flags=re.ASCII)
        if self.is_reserved(f"{plain}_2"):
            plain = f"c_{plain}"  # of `last_*` it would be one with any number behind it
        own, number = plain, 1
        while own in taken or self.is_reserved(own):
            number += 1
            own = f"{plain}_{number}"
        taken.add(own)
        return own

    def _named(self, name: str, given: Given, place: _Place) -> Given:
        if name in self.header.constants and name not in self.bound:
            return replace(given, number=self._number(self.header.constants[name], place))
        if name not in self.bound:
            fix = f"bind it by a call before, '{name} = f()' or 'f(out({name}))', or use a constant of the header"
            self._refuse(f"nothing is called {name} before {place.called}", fix)
        own, declared = self.bound[name]
        if not is_taken(declared, place.parameter.type, place.parameter.kind):
            self._refuse(f"{name} is `{declared.spelling}`, given to {place}", "give it what it takes")
        if self.where == "teardown" and own not in self.outer:
            self._refuse(f"{name} is bound in the loop and given in the teardown", "end it there: 'h = f(); g(h)'")
        return replace(given, bound=own, outer=own in self.outer)

    def _number(self, value: float, place: _Place) -> int | float:
        declared = place.parameter.type
        if declared.category == "pointer" and value == 0:
            self._refuse(f"{place} is a pointer and given 0", "write NULL")
        if not declared.scalar:
            self._refuse(f"{place} is given a number", "`ffibench kinds` shows what it takes")
        number = carried(value, declared)
        if number is None:
            self._refuse(f"{value} does not fit {place}", "give a number that does")
        return number

    def _inout(self, argument: InOut, item: CType, place: _Place) -> int | float:
        if argument.type not in {item.spelling, item.resolved, *item.typedefs, item.base}:
            fix = f'write inout("{item.spelling}", {argument.number})'
            self._refuse(f"{place} is given a value of type {argument.type}", fix)
        number = carried(argument.number, item)
        if number is None:
            self._refuse(f"{argument.number} does not fit `{item.spelling}` of {place}", "give a number that does")
        return number

    def _require_answer(self, argument: Callback, declared: CType, place: _Place) -> None:
        result = None if declared.target is None else declared.target.target
        fits = result is None or (
            carried(argument.answer, result) is not None if result.scalar else not argument.answer
        )
        if not fits:
            self._refuse(f"callback({argument.answer}) answers what {place} does not take", "write callback()")

    def _require_items(self, argument: Array, item: CType, place: _Place) -> None:
        """An array's items must have the size of the parameter's: a binding would refuse others, or read past them."""
        fitting = CODES.get(item.base, "")
        if argument.code not in fitting:
            letters = " or ".join(f'"{letter}"' for letter in fitting)
            fix = f"use the letter {letters}" if letters else "no letter stands for that type"
            self._refuse(f'{place} is given array("{argument.code}", ...)', fix)

    def _tested(self, test: Test | None, function: Function, where: str) -> Tested | None:
        if test is None:
            return None
        result = function.result
        number: int | float | None = None
        if isinstance(test.value, Name):
            if test.value.name not in self.header.constants:
                self._refuse(f"{test.value.name} is no constant of the header", "compare with a number, or with NULL")
            number = self.header.constants[test.value.name]
        elif isinstance(test.value, Number):
            number = carried(test.value.value, result.type) if result.kind == "scalar" else test.value.value
            if number is None:
                fix = "compare with a number that it holds"
                self._refuse(f"`{result.type.spelling}` of `{function.name}` is never {test.value.value}", fix)
        if (number is None) == (result.kind == "scalar") or result.kind in {"void", "struct"}:
            self._refuse(
                f"what `{function.name}` gives, `{result.type.spelling}`, cannot be compared so", "see the header"
            )
        if number is None and test.comparison not in {"==", "!="}:
            self._refuse(f"an address of the {where} is compared by {test.comparison}", "write == NULL or != NULL")
        return Tested(test.comparison, number)

    def _refuse(self, what: str, fix: str) -> NoReturn:
        raise FfibenchError(f"'{self.text}': {what}", fix=fix)


def is_taken(given: CType, taken: CType, kind: Kind) -> bool:
    """Whether a parameter of the type and kind `taken` and `kind` takes a bound value of the type `given`."""
    if given.scalar or taken.scalar or "pointer" not in {given.category, taken.category}:
        return given.scalar == taken.scalar and (given.scalar or given.tag == taken.tag)
    if given.target is None or taken.target is None or kind not in {"handle", "string", "user_data"}:
        return False
    targets = (given.target, taken.target)
    same = len({(each.category, each.base, each.tag) for each in targets}) == 1
    return same or any(each.category == "void" for each in targets)


CODES: Mapping[str, str] = {
    "signed char": "b", "unsigned char": "B", "char": "bB", "short": "h", "unsigned short": "H", "int": "i",
    "unsigned int": "I", "long": "l", "unsigned long": "L", "long long": "q", "unsigned long long": "Q",
    "float": "f", "double": "d",
}  # fmt: skip
"""The letters of Python's module `array` for the items of a C type."""
