"""Bytes, strings, handles and buffers cross every binding of Python alike, and nothing is kept, lost or held."""

from __future__ import annotations

import ctypes
import gc
import re
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import ModuleType

import pytest

from ffibench.builds.project import LOG, project_files

# What a call with a wrong argument may raise. ctypes has an exception of its own.
REFUSALS = (TypeError, OverflowError, ValueError, ctypes.ArgumentError)


# --- bytes and strings ----------------------------------------------------------------------------


@pytest.mark.parametrize("function", ["sum_of_void", "sum_of_chars", "sum_of_uint8"])
def test_bytes_arrive_whole_whatever_they_hold(native: ModuleType, function: str) -> None:
    sum_of = getattr(native, function)
    for data in (b"", b"\0", b"a\0b\0", bytes(range(256)), b"\xff" * 100_000):
        assert sum_of(data, len(data)) == sum(place * byte for place, byte in enumerate(data, 1))
    assert sum_of(b"abc", 2) == ord("a") + 2 * ord("b")


@pytest.mark.parametrize("wrong", ["text", 1.5, object()])
@pytest.mark.parametrize("function", ["sum_of_void", "sum_of_chars", "sum_of_uint8"])
def test_what_is_no_bytes_is_refused(native: ModuleType, function: str, wrong: object) -> None:
    with pytest.raises(REFUSALS):
        getattr(native, function)(wrong, 0)


def test_none_is_no_bytes(name: str, native: ModuleType) -> None:
    if name.startswith("ctypes"):
        assert native.sum_of_void(None, 0) == -1  # c_char_p takes None for NULL
    else:
        with pytest.raises(REFUSALS):
            native.sum_of_void(None, 0)


def test_strings_go_in_and_come_out(native: ModuleType) -> None:
    assert native.length_of(b"") == 0
    assert native.length_of(b"four") == 4
    assert native.length_of(b"a\0b") == 1
    assert [native.name_of(number) for number in (0, 1, 2)] == [b"", b"one", "ü".encode()]
    assert native.name_of(3) is None
    assert native.own_text() == b"own"
    assert native.same_text(b"as it is") == b"as it is"


@pytest.mark.parametrize("wrong", ["text", 1.5, [1], object()])
def test_what_is_no_string_is_refused(native: ModuleType, wrong: object) -> None:
    with pytest.raises(REFUSALS):
        native.length_of(wrong)


# --- handles and buffers --------------------------------------------------------------------------


def test_handles_are_handed_through(native: ModuleType) -> None:
    counter, other = native.counter_new(41), native.counter_new(7)
    assert counter
    assert [native.counter_next(counter) for _ in range(2)] == [41, 42]
    assert native.counter_peek(counter) == 43
    assert native.counter_peek(other) == 7
    assert native.counter_is(counter, counter) is True
    assert native.counter_is(counter, other) is False
    assert native.counter_free(counter) is None
    native.counter_free(other)
    box = native.box_new(2.5)
    assert native.box_open(box) == 2.5
    native.box_free(box)


def test_a_null_handle_is_false(native: ModuleType) -> None:
    nothing = native.counter_new(-1)
    assert not nothing
    assert native.counter_is(nothing, nothing) is True


def test_what_is_no_handle_is_refused(name: str, native: ModuleType) -> None:
    # A c_void_p takes an int without a check, and text for the address of its characters.
    for wrong in [1.5, [1], object()] if name.startswith("ctypes") else ["1", b"1", [1], object(), -(2**65)]:
        if name.startswith("cffi") and wrong == b"1":
            continue  # to cffi, bytes are memory
        with pytest.raises(REFUSALS):
            native.counter_is(wrong, wrong)


def test_buffers_are_filled(native: ModuleType) -> None:
    memory = bytearray(b"untouched")
    assert native.fill(memory, 2, 255) == 2
    assert memory == b"\xff\xfftouched"
    assert native.fill(bytearray(), 0, 1) == 0
    data = bytearray(b"\1\2\x81")
    assert native.double_each(data, 3) is None
    assert data == b"\2\4\2"


@pytest.mark.parametrize("wrong", [b"read-only", "text", 1.5, None, object()])
def test_what_cannot_be_filled_is_refused(native: ModuleType, wrong: object) -> None:
    with pytest.raises((*REFUSALS, BufferError)):
        native.fill(wrong, 0, 0)


def test_a_buffer_is_free_again_after_the_call(native: ModuleType) -> None:
    memory = bytearray(4)
    native.fill(memory, 4, 1)
    with pytest.raises(REFUSALS):
        native.fill(memory, "4", 1)
    memory.append(2)  # a BufferError where its memory is still lent
    assert memory == b"\1\1\1\1\2"


# --- names ----------------------------------------------------------------------------------------


def test_parameters_may_have_any_name_that_c_allows(native: ModuleType) -> None:
    assert native.python_words(1, 2, 3, 4, 5, 6) == 654321
    assert native.cpp_words(1, 2, 3, 4, 5, 6) == 654321
    assert native.cython_words(1, 2, 3, 4, 5, 6) == 654321
    assert native.own_words(1, 2, 3, 4, 5, 6, 7, 8) == 87654321
    assert native.near_words(1, 2, b"abc", 4, 5, 6) == 654321
    assert native.itself(4, 2) == 42
    assert native.unnamed(44, 2) == 42


# --- references -----------------------------------------------------------------------------------


def test_no_call_keeps_or_loses_a_reference(native: ModuleType) -> None:
    """One too many a call would be 10,000 in the end, as would one too few."""
    calls = 10_000
    message, memory, number, real = b"m" * 40, bytearray(40), 2**40 + 1, 12345.678

    def count() -> list[int]:
        return [sys.getrefcount(each) for each in (message, memory, number, real, None)]

    gc.collect()
    before = count()
    for _ in range(calls):
        native.sum_of_void(message, 40)
        native.length_of(message)
        native.fill(memory, 40, 1)
        native.same_long(number)
        native.same_double(real)
        native.set_state(1)
        native.name_of(3)
        with suppress(*REFUSALS):
            native.sum_of_void(message, "40")
    assert all(abs(new - old) < calls / 2 for new, old in zip(count(), before, strict=True))


# --- the GIL --------------------------------------------------------------------------------------


@pytest.fixture
def patient_switching() -> Iterator[None]:
    """Let no thread be made to give the GIL up: one that waits for it gets it when the other lets go of it."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(60)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.usefixtures("patient_switching")
@pytest.mark.skipif(not getattr(sys, "_is_gil_enabled", lambda: True)(), reason="without a GIL, none is held")
def test_the_gil_is_held_or_released_as_the_binding_says(lock: str, native: ModuleType) -> None:
    """Another thread can raise the flag that a call waits for, unless the call holds the GIL."""
    begun, raised = threading.Event(), threading.Event()

    def raise_it() -> None:
        begun.wait()
        native.raise_flag()
        raised.set()

    other = threading.Thread(target=raise_it)
    native.clear_flag()
    other.start()
    begun.set()
    found = native.wait_for_flag(100 if lock == "held" else 10_000)
    assert raised.wait(10)
    other.join()
    assert found == (lock == "released")


# --- builds ---------------------------------------------------------------------------------------


def test_no_shim_compiles_with_a_warning(name: str, artifacts: Mapping[str, Path]) -> None:
    folder = next(each for each in artifacts[name].parents if each.parent.name == "shims")
    if not (folder / "meson.build").exists():
        assert {each.name for each in project_files(folder)} == {artifacts[name].name}
        return
    log = (folder / LOG).read_text()
    assert re.search(r"\[\d+/\d+\]", log), "the log is not that of a build"
    assert not re.findall(r"^.*\bwarning\b.*$", log, re.MULTILINE | re.IGNORECASE)
