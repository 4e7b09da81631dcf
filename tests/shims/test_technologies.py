"""Every binding of Python gives the answers of C, refuses what does not fit, and holds the GIL as it says."""

from __future__ import annotations

import ctypes
import gc
import math
import re
import struct
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import ModuleType

import pytest

from ffibench.shims.project import LOG, project_files

# What a call with a wrong argument may raise. ctypes has an exception of its own.
REFUSALS = (TypeError, OverflowError, ValueError, ctypes.ArgumentError)


def unsigned(bits: int) -> tuple[int, int]:
    return 0, 2**bits - 1


def signed(bits: int) -> tuple[int, int]:
    return -(2 ** (bits - 1)), 2 ** (bits - 1) - 1


LONG = 8 * struct.calcsize("l")
SIZE = 8 * struct.calcsize("N")
INTEGERS = {
    "char": signed(8),
    "signed_char": signed(8),
    "unsigned_char": unsigned(8),
    "short": signed(16),
    "unsigned_short": unsigned(16),
    "int": signed(32),
    "unsigned_int": unsigned(32),
    "long": signed(LONG),
    "unsigned_long": unsigned(LONG),
    "long_long": signed(64),
    "unsigned_long_long": unsigned(64),
    "size": unsigned(SIZE),
    "int8": signed(8),
    "uint8": unsigned(8),
    "uint32": unsigned(32),
    "int64": signed(64),
}


@pytest.fixture(params=INTEGERS)
def integer(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def same_type_and_value(found: object, expected: object) -> bool:
    return type(found) is type(expected) and found == expected


# --- numbers --------------------------------------------------------------------------------------


def test_the_limits_of_each_integer_type_come_back(native: ModuleType, integer: str) -> None:
    same = getattr(native, f"same_{integer}")
    low, high = INTEGERS[integer]
    for value in (low, low + 1, 0, 1, 42, 100, high - 1, high):
        assert same_type_and_value(same(value), value)


def test_an_integer_out_of_range_is_refused_not_wrapped(name: str, native: ModuleType, integer: str) -> None:
    same = getattr(native, f"same_{integer}")
    low, high = INTEGERS[integer]
    for value in (low - 1, high + 1, -(2**63) - 1, 2**64, 2**200, -(2**200)):
        if name.startswith("ctypes"):
            # "No overflow checking is done", says its manual; a check of our own would double the cost of a call.
            assert same(value) == low + (value - low) % (high - low + 1)
        else:
            with pytest.raises(REFUSALS):
                same(value)


def test_what_is_no_integer_is_refused(name: str, native: ModuleType, integer: str) -> None:
    same = getattr(native, f"same_{integer}")
    for wrong in ("1", b"1", None, [1], object()):
        with pytest.raises(REFUSALS):
            same(wrong)
    if name.startswith("cython"):
        assert same(1.5) == 1  # Cython asks for __int__, which cuts off
    else:
        with pytest.raises(REFUSALS):
            same(1.5)


@pytest.mark.parametrize("size", ["float", "double", "long_double"])
def test_numbers_with_a_fraction_come_back(native: ModuleType, size: str) -> None:
    same = getattr(native, f"same_{size}")
    for value in (0.0, -0.5, 1.5 * 2.0**100, 2.0**-120, math.inf, -math.inf):
        assert same_type_and_value(same(value), value)
    assert math.copysign(1, same(-0.0)) == -1
    assert math.isnan(same(math.nan))
    assert same_type_and_value(same(3), 3.0)
    assert same(0.1) == (struct.unpack("f", struct.pack("f", 0.1))[0] if size == "float" else 0.1)


@pytest.mark.parametrize("wrong", ["1.0", b"1.0", None, [1.0], object()])
@pytest.mark.parametrize("size", ["float", "double", "long_double"])
def test_what_is_no_number_is_refused(native: ModuleType, size: str, wrong: object) -> None:
    with pytest.raises(REFUSALS):
        getattr(native, f"same_{size}")(wrong)


def test_truth_is_a_bool(native: ModuleType) -> None:
    assert native.negated(True) is False
    assert native.negated(False) is True


def test_enums_are_integers_signed_where_a_member_is(native: ModuleType) -> None:
    red, green, blue = native.COLOUR_RED, native.COLOUR_GREEN, native.COLOUR_BLUE
    assert (red, green, blue) == (0, 5, 6)
    assert [native.next_colour(each) for each in (red, green, blue)] == [green, blue, red]
    low, middle, high = native.LEVEL_LOW, native.LEVEL_MIDDLE, native.LEVEL_HIGH
    assert (low, middle, high) == (-1, 0, 1)
    assert [native.next_level(each) for each in (low, middle, high)] == [middle, high, low]


def test_constants_have_the_values_of_the_header(native: ModuleType) -> None:
    assert native.KINDS_SMALL == 7
    assert native.KINDS_NEGATIVE == -40
    assert native.KINDS_LARGEST == 2**64 - 1
    assert native.KINDS_LONG_LEAST == -(2**63) + 1


# --- the number of arguments ----------------------------------------------------------------------


def test_functions_without_arguments_or_without_a_result(native: ModuleType) -> None:
    assert same_type_and_value(native.forty_two(), 42)
    assert native.set_state(-3) is None
    assert native.state() == -3


def test_many_arguments_arrive_in_their_places(native: ModuleType) -> None:
    weighed = native.weighed(-1, 2, -3, 4, 5, 0.5, 0.25, True, native.COLOUR_BLUE, b"four", b"\1\2", 2)
    assert same_type_and_value(weighed, -1 + 4 - 9.0 + 16 + 25 + 3 + 1.75 + 8 + 54 + 40 + 55)


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        ("same_int", ()),
        ("sum_of_void", (b"",)),
        ("weighed", ()),
        ("fill", (bytearray(1), 1)),
        ("name_of", ()),
    ],
)
def test_an_argument_too_few_is_refused(native: ModuleType, function: str, arguments: tuple[object, ...]) -> None:
    with pytest.raises(TypeError):
        getattr(native, function)(*arguments)


@pytest.mark.parametrize(
    ("function", "arguments"), [("forty_two", (1,)), ("same_int", (42, 1)), ("sum_of_void", (b"*", 1, 0))]
)
def test_an_argument_too_many_is_refused(
    name: str, native: ModuleType, function: str, arguments: tuple[object, ...]
) -> None:
    if name.startswith("ctypes"):
        # More than the argtypes say go through, as they do from C through a function pointer without a prototype.
        assert getattr(native, function)(*arguments) == 42
        return
    with pytest.raises(TypeError):
        getattr(native, function)(*arguments)


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
    numbers = bytearray(4 * 5)
    assert native.count_up(numbers, 5) == 0
    assert struct.unpack("5i", numbers) == (-1, 0, 1, 2, 3)
    data = bytearray(b"\1\2\x81")
    assert native.double_each(data, 3) is None
    assert data == b"\2\4\2"


def test_a_length_by_address_holds_the_room_and_then_what_was_filled(native: ModuleType) -> None:
    out, room = bytearray(8), bytearray(struct.pack("N", 8))
    assert native.copy_greeting(out, room) == 0
    assert out == b"ohhai\0\0\0"
    assert struct.unpack("N", room) == (5,)
    assert native.copy_greeting(out, bytearray(struct.pack("N", 4))) == -1


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
def test_the_gil_is_held_or_released_as_the_binding_says(gil: str, native: ModuleType) -> None:
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
    found = native.wait_for_flag(100 if gil == "held" else 10_000)
    assert raised.wait(10)
    other.join()
    assert found == (gil == "released")


# --- builds ---------------------------------------------------------------------------------------


def test_no_shim_compiles_with_a_warning(name: str, artifacts: Mapping[str, Path]) -> None:
    folder = next(each for each in artifacts[name].parents if each.parent.name == "shims")
    if not (folder / "meson.build").exists():
        assert {each.name for each in project_files(folder)} == {artifacts[name].name}
        return
    log = (folder / LOG).read_text()
    assert re.search(r"\[\d+/\d+\]", log), "the log is not that of a build"
    assert not re.findall(r"^.*\bwarning\b.*$", log, re.MULTILINE | re.IGNORECASE)
