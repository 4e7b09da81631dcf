"""A callable that was given is kept with its data, and any thread may call it."""

from __future__ import annotations

import gc
import sys
import time
import weakref
from types import ModuleType

import pytest
from support.calling import TICK, collector


def test_a_thread_that_python_never_saw_calls_while_other_calls_run(native: ModuleType) -> None:
    count = 1000
    seen: dict[int, list[tuple[object, int]]] = {1: [], 2: []}

    def tick(data: object, producer: int, sequence: int) -> None:
        seen[producer].append((data, sequence))

    tickers = [native.ticker_start(producer, count, tick, f"of {producer}") for producer in seen]
    assert all(tickers)
    limit = time.monotonic() + 60
    while any(native.ticker_is_running(each) for each in tickers):
        native.tick_once(lambda *_: None, 0)
        time.sleep(0.0001)  # a binding that holds the GIL may not join before its last call has returned
        assert time.monotonic() < limit
    for each in tickers:
        native.ticker_join(each)
    assert seen == {producer: [(f"of {producer}", sequence) for sequence in range(count)] for producer in seen}


def test_an_exception_in_a_foreign_thread_ends_neither_it_nor_the_process(
    native: ModuleType, unraisable: list[type[BaseException]]
) -> None:
    def fail(data: object, producer: int, sequence: int) -> None:
        raise SystemExit(sequence)

    ticker = native.ticker_start(0, 3, fail, 0)
    limit = time.monotonic() + 60
    while native.ticker_is_running(ticker):
        time.sleep(0.0001)
        assert time.monotonic() < limit
    native.ticker_join(ticker)
    assert unraisable == [SystemExit] * 3


@pytest.mark.usefixtures("forgetting")
def test_what_was_given_lives_on_though_nobody_else_holds_it(native: ModuleType) -> None:
    seen: list[tuple[object, ...]] = []

    class Data:
        pass

    native.remember(collector(seen), Data())
    gc.collect()
    [object() for _ in range(1000)]  # what would lie where they lay
    assert native.tick_remembered(*TICK) == 1
    gc.collect()
    assert native.tick_remembered(1, 2) == 1
    assert [each[1:] for each in seen] == [TICK, (1, 2)]
    assert seen[0][0] is seen[1][0]
    assert type(seen[0][0]) is Data


@pytest.mark.usefixtures("forgetting")
def test_it_lives_on_after_another_has_taken_its_place(native: ModuleType) -> None:
    """C may have handed it to a thread; the header does not tell."""

    def function(*_: object) -> None: ...

    alive = weakref.ref(function)
    native.remember(function, 0)
    native.remember(None, 0)
    del function
    gc.collect()
    assert alive() is not None


def test_the_same_callable_and_data_are_kept_once(native: ModuleType) -> None:
    calls = 10_000

    def function(*_: object) -> None: ...

    def ask(*_: object) -> int:
        return 1

    data = object()
    gc.collect()
    before = [sys.getrefcount(each) for each in (function, ask, data)]
    for _ in range(calls):
        native.tick_once(function, data)
        native.answer_int(ask, data, 1)
    after = [sys.getrefcount(each) for each in (function, ask, data)]
    assert all(new - old < calls / 2 for new, old in zip(after, before, strict=True))
