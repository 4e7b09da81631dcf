"""Every binding of Python lets native code call back, from any thread, with the same rules."""

from __future__ import annotations

import ctypes
import gc
import sys
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from support.built import built

from ffibench.errors import FfibenchError
from ffibench.model import LibrarySources
from ffibench.shims.header import read_header
from ffibench.shims.library import library_identity, sources_project
from ffibench.shims.project import LOG, Project, build
from ffibench.shims.technology import technologies
from ffibench.worker.load import import_file

# A folder of its own names the library: two of one name cannot be loaded into one process.
DATA = Path(__file__).parent / "data" / "calling"
HEADER = DATA / "callbacks.h"
ALONE = ("each_of", "sum_of")
FUNCTIONS = tuple(function.name for function in read_header(HEADER).functions if function.name not in ALONE)
CLOSURES = {
    name: technology.closures
    for technology in technologies()
    if technology.language == "python"
    for name in technology.bindings
}
REFUSALS = (TypeError, ctypes.ArgumentError)
TICK = (7, 2**40)


@pytest.fixture(scope="session")
def calling_artifacts(make_project: Callable[..., Project]) -> Mapping[str, Path]:
    """Every binding's shim of callbacks.h, with the functions without user data where the binding takes it."""
    library = library_identity(build(sources_project(LibrarySources(sources=("callbacks.c",)), DATA)))
    projects = {
        name: make_project(
            name,
            header=HEADER,
            source=DATA / "callbacks.c",
            functions=(*FUNCTIONS, *(ALONE if closes else ())),
            library=library,
        )
        for name, closes in CLOSURES.items()
    }
    return built(projects)


@pytest.fixture(scope="session")
def calling_modules(calling_artifacts: Mapping[str, Path]) -> Mapping[str, ModuleType]:
    return {name: import_file(str(path)) for name, path in calling_artifacts.items()}


@pytest.fixture(scope="session")
def native(name: str, calling_modules: Mapping[str, ModuleType]) -> ModuleType:
    """The binding's shim, with the functions of callbacks.h."""
    return calling_modules[name]


@pytest.fixture
def unraisable(monkeypatch: pytest.MonkeyPatch) -> list[type[BaseException]]:
    """The types of the exceptions that nobody could take."""
    seen: list[type[BaseException]] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda about: seen.append(about.exc_type))
    return seen


@pytest.fixture
def forgetting(native: ModuleType) -> Iterator[None]:
    """Leave nothing remembered in C that a later test would call."""
    yield
    native.remember(None, 0)


def collector(seen: list[tuple[object, ...]]) -> Callable[..., None]:
    return lambda *arguments: seen.append(arguments)


# --- calls ----------------------------------------------------------------------------------------


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


# --- answers --------------------------------------------------------------------------------------

ANSWERS: dict[str, list[object]] = {
    "int": [-(2**31), -1, 0, 2**31 - 1],
    "schar": [-128, 127],
    "char": [0, 65, 127],
    "ushort": [0, 2**16 - 1],
    "uint64": [0, 2**64 - 1],
    "long_long": [-(2**63), 2**63 - 1],
    "double": [0.1, -1e300],
    "float": [0.5, -1.25],
    "bool": [True, False],
    "mood": [0, 5],
}
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


# --- threads --------------------------------------------------------------------------------------


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


# --- exceptions -----------------------------------------------------------------------------------


@pytest.mark.parametrize("error", [ValueError("wrong"), KeyboardInterrupt(), SystemExit(3)])
def test_an_exception_is_told_as_unraisable_and_the_answer_is_zero(
    native: ModuleType, unraisable: list[type[BaseException]], error: BaseException
) -> None:
    def fail(*_: object) -> int:
        raise error

    assert native.tick_once(fail, 0) == 1
    for kind, values in ANSWERS.items():
        assert getattr(native, f"answer_{kind}")(fail, 0, values[-1]) == 0
    assert native.answer_nothing(fail, 0) == 0
    assert unraisable == [type(error)] * (2 + len(ANSWERS))
    assert native.answer_int(lambda value, _: value, 0, 3) == 3


@pytest.mark.parametrize("wrong", ["text", None, [1]])
@pytest.mark.parametrize("kind", ["int", "uint64", "double", "mood"])
def test_an_answer_that_is_no_number_is_told_likewise(
    native: ModuleType, unraisable: list[type[BaseException]], kind: str, wrong: object
) -> None:
    assert getattr(native, f"answer_{kind}")(lambda *_: wrong, 0, 1) == 0
    assert unraisable == [TypeError]


def test_an_answer_out_of_range_is_told_likewise(
    name: str, native: ModuleType, unraisable: list[type[BaseException]]
) -> None:
    assert native.answer_int(lambda *_: 2**32, 0, 1) == 0
    if name.startswith("ctypes"):
        assert unraisable == []  # "No overflow checking is done", here as for arguments
    else:
        assert len(unraisable) == 1


def test_what_a_callback_without_a_result_returns_is_nobodys(
    native: ModuleType, unraisable: list[type[BaseException]]
) -> None:
    assert native.tick_once(lambda *_: 42, 0) == 1
    assert unraisable == []


# --- lifetime -------------------------------------------------------------------------------------


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


# --- without user data ----------------------------------------------------------------------------


@pytest.mark.parametrize("closing", sorted(name for name, closes in CLOSURES.items() if closes))
def test_a_callback_without_user_data_needs_a_closure(
    calling_modules: Mapping[str, ModuleType], closing: str, unraisable: list[type[BaseException]]
) -> None:
    sum_of, each_of = calling_modules[closing].sum_of, calling_modules[closing].each_of
    assert sum_of(lambda number: number * number, 5) == 30
    assert [sum_of(lambda number, by=by: number * by, 5) for by in (1, 2)] == [10, 20]
    assert sum_of(lambda _: 1 // 0, 2) == 0
    assert unraisable == [ZeroDivisionError] * 2
    seen: list[int] = []

    def see(number: int) -> int:
        seen.append(number)
        return number

    each_of(see, 3)
    assert seen == [0, 1, 2]
    each_of(None, 0)
    each_of(lambda _: 1 // 0, 1)
    assert unraisable == [ZeroDivisionError] * 3
    with pytest.raises(REFUSALS):
        sum_of(3, 1)


@pytest.mark.parametrize("lacking", sorted(name for name, closes in CLOSURES.items() if not closes))
def test_a_binding_without_closures_refuses_it_with_the_line(
    make_project: Callable[..., Project], lacking: str
) -> None:
    (function,) = read_header(HEADER).select(["sum_of"])
    with pytest.raises(FfibenchError) as caught:
        make_project(lacking, header=HEADER, functions=("sum_of",)).render()
    technology = lacking.partition("~")[0]
    assert str(caught.value) == (
        f"{technology} renders no callback without user data beside it, as sum_of.visit at {HEADER}:{function.line} is;"
        " --kind FUNCTION.PARAMETER=KIND gives it another kind"
    )


# --- builds ---------------------------------------------------------------------------------------


def test_no_shim_with_callbacks_compiles_with_a_warning(name: str, calling_artifacts: Mapping[str, Path]) -> None:
    folder = next(each for each in calling_artifacts[name].parents if each.parent.name == "shims")
    if (folder / "meson.build").exists():
        log = (folder / LOG).read_text()
        assert "warning" not in log.lower().replace("warning_level", "")
