"""Numbers and how many: every binding of Python gives the answers of C, and refuses what does not fit."""

from __future__ import annotations

import ctypes
import math
import struct
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

import pytest

from ffibench.builds.project import LOG

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


def test_what_a_macro_hides_is_the_function(native: ModuleType) -> None:
    assert (native.masked(41), native.renamed(40)) == (42, 42)


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


# --- the compiler ---------------------------------------------------------------------------------


def test_no_shim_compiles_with_a_warning(name: str, artifacts: Mapping[str, Path]) -> None:
    folder = next(each for each in artifacts[name].parents if each.parent.name == "shims")
    if (folder / "meson.build").exists():
        log = (folder / LOG).read_text()
        assert "warning" not in log.lower().replace("warning_level", "")
