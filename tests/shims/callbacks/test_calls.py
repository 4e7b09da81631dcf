"""Every binding of Python lets native code call back, with any callable, any data and every kind of number."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
from support.calling import ANSWERS, REFUSALS, TICK, collector


def test_a_callable_is_called_before_the_function_returns(native: ModuleType) -> None:
    seen: list[tuple[object, ...]] = []
    assert native.tick_once(collector(seen), 0) == 1
    assert seen == [(0, *TICK)]
    assert [type(each) for each in seen[0]] == [int, int, int]


def test_none_is_null(native: ModuleType) -> None:
    assert native.tick_once(None, 0) == 0
    assert native.tick_once(None, object()) == 0


@pytest.mark.parametrize("wrong", [0, 1, "text", b"bytes", object()])
def test_what_cannot_be_called_is_refused(native: ModuleType, wrong: object) -> None:
    with pytest.raises(REFUSALS):
        native.tick_once(wrong, 0)
    with pytest.raises(REFUSALS):
        native.answer_int(wrong, 0, 1)


def test_an_argument_too_few_is_refused(native: ModuleType) -> None:
    with pytest.raises(TypeError):
        native.tick_once(print)


def test_any_callable_will_do(native: ModuleType) -> None:
    class Counter:
        def __init__(self) -> None:
            self.calls = 0

        def __call__(self, *_: object) -> None:
            self.calls += 1

        def method(self, *_: object) -> None:
            self.calls += 10

    counter = Counter()
    seen: list[object] = []
    native.tick_once(counter, 0)
    native.tick_once(counter.method, 0)
    native.tick_once(lambda data, *_: seen.append(data), 0)
    assert counter.calls == 11
    assert seen == [0]


def test_each_callable_gets_the_data_that_was_given_with_it(native: ModuleType) -> None:
    """Any object, and the very one."""
    seen: list[tuple[Any, ...]] = []
    first, second = collector(seen), collector(seen)
    given: list[object] = [0, 2**70, None, "text", [], object(), first]
    for data in given:
        native.tick_once(first, data)
        native.tick_once(second, data)
    assert all(arguments[0] is data for arguments, data in zip(seen[::2], given, strict=True))
    assert all(arguments[0] is data for arguments, data in zip(seen[1::2], given, strict=True))


def test_a_callback_may_call_native_code_again(native: ModuleType) -> None:
    def depth(value: int, left: int) -> int:
        return value if left == 0 else int(native.answer_int(depth, left - 1, value + 1))

    assert native.answer_int(depth, 20, 0) == 20


DATA_FIRST = {"char", "ushort"}


@pytest.mark.parametrize("kind", ANSWERS)
def test_numbers_go_in_and_come_back(native: ModuleType, kind: str) -> None:
    answer = getattr(native, f"answer_{kind}")
    for value in ANSWERS[kind]:
        seen: list[tuple[object, ...]] = []

        def ask(*arguments: object, seen: list[tuple[object, ...]] = seen, value: object = value) -> object:
            seen.append(arguments)
            return value

        assert answer(ask, "data", value) == value
        assert seen == [("data", value) if kind in DATA_FIRST else (value, "data")]
        (got,) = (each for each in seen[0] if each != "data")
        assert type(got) is type(value)


def test_addresses_are_handles_to_hand_on(native: ModuleType) -> None:
    seen: list[bool] = []

    def use(item: object, name: object, data: int) -> int:
        seen.append(bool(name))
        return int(native.item_weight(item)) + data

    assert native.weigh(use, 30) == 42
    assert seen == [False]


def test_parameters_may_be_named_as_the_shims_name_things(native: ModuleType) -> None:
    assert native.named(lambda number, data: number + data, 1000, 1, 2, 3) == 1321
