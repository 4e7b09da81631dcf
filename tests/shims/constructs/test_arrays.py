"""Typed arrays cross without a copy through every binding, and only with items of the parameter's type."""

from __future__ import annotations

import array
import ctypes
import gc
import struct
import sys
from types import ModuleType

import numpy as np
import pytest

pytestmark = pytest.mark.kinds("array")

REFUSALS = (TypeError, ValueError, BufferError, ctypes.ArgumentError)
"""What a binding may raise for an array that does not fit; which of them is its own."""

CODES = {
    "short": "h", "unsigned_short": "H", "int": "i", "unsigned_int": "I", "long": "l", "unsigned_long": "L",
    "long_long": "q", "int32": "i", "float": "f", "double": "d", "shade": "I",
}  # fmt: skip


@pytest.mark.parametrize("item", CODES)
def test_items_of_every_number_arrive(shim: ModuleType, item: str) -> None:
    sum_of = getattr(shim, f"sum_of_{item}")
    items = array.array(CODES[item], [1, 2, 40])
    for given in (items, memoryview(items), np.array(items), np.frombuffer(items, items.typecode)):
        assert sum_of(given, 3) == 1 + 4 + 120
        assert sum_of(given, 2) == 1 + 4


def test_items_of_bool_arrive(shim: ModuleType) -> None:
    assert shim.sum_of_bool(np.array([True, False, True]), 3) == 4
    assert shim.sum_of_bool(memoryview(b"\1\1\0").cast("?"), 3) == 3
    written = np.array([True, False])
    shim.invert(written, 2)
    assert written.tolist() == [False, True]


def test_what_c_writes_is_in_the_caller_s_memory(shim: ModuleType) -> None:
    items = array.array("d", [1.0, 2.5])
    assert shim.scale(items, 2, 2.0) is None
    assert items.tolist() == [2.0, 5.0]
    numbers = np.zeros(5, np.int32)
    shim.count_up(numbers[1:4], 3)
    assert numbers.tolist() == [0, -1, 0, 1, 0]
    memory = bytearray(24)
    shim.scale(memoryview(memory).cast("d"), 3, 2.0)
    table = np.arange(4.0).reshape(2, 2)
    shim.turn(table)
    assert table.tolist() == [[1, 2], [3, 0]]
    shim.copy_numbers(items, np.array([7.0, 8.0]), 2)
    assert items.tolist() == [7.0, 8.0]


def test_memory_that_is_only_read_may_be_read_only(shim: ModuleType) -> None:
    fixed = np.array([1.0, 2.0, 2.0])
    fixed.flags.writeable = False
    for given in (fixed, memoryview(struct.pack("3d", 1.0, 2.0, 2.0)).cast("d")):
        assert shim.length_squared(given) == 9.0
        with pytest.raises(REFUSALS):
            shim.scale(given, 3, 2.0)
    assert fixed.tolist() == [1.0, 2.0, 2.0]


def test_numbers_of_one_size_and_sort_are_the_same_by_any_name(shim: ModuleType) -> None:
    """`long` and `long long` are of one size here, and so are both to NumPy's int64."""
    if struct.calcsize("l") == struct.calcsize("q"):
        assert shim.sum_of_long(array.array("q", [5]), 1) == shim.sum_of_long_long(array.array("l", [5]), 1) == 5
    assert shim.sum_of_long_long(np.array([6], np.int64), 1) == 6


def test_arrays_of_ctypes_are_taken(shim: ModuleType) -> None:
    assert shim.sum_of_double((ctypes.c_double * 2)(1.0, 2.0), 2) == 5.0
    assert shim.sum_of_long((ctypes.c_long * 2)(1, 2), 2) == 5


WRONG = [
    array.array("f", [1.0]), array.array("q", [1]), array.array("b", [1]), np.zeros(1, ">f8"), np.zeros(1, "c16"),
    np.zeros(4)[::2], np.zeros((2, 2), order="F"), bytearray(8), bytes(8), "text", 1.5, None, [1.0], object(),
]  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG, ids=lambda each: f"{type(each).__name__}-{getattr(each, 'dtype', '')}")
def test_what_has_no_such_items_in_a_row_is_refused(shim: ModuleType, wrong: object) -> None:
    with pytest.raises(REFUSALS):
        shim.sum_of_double(wrong, 0)
    with pytest.raises(REFUSALS):
        shim.scale(wrong, 0, 1.0)


@pytest.mark.parametrize(
    ("item", "wrong"), [("int", "I"), ("unsigned_int", "i"), ("int", "f"), ("short", "i"), ("bool", "B")]
)
def test_items_of_another_sort_or_size_are_refused(shim: ModuleType, item: str, wrong: str) -> None:
    with pytest.raises(REFUSALS):
        getattr(shim, f"sum_of_{item}")(array.array(wrong, [1, 1]), 1)


def test_memory_is_free_again_after_the_call(shim: ModuleType) -> None:
    items = array.array("d", [1.0])
    shim.scale(items, 1, 2.0)
    with pytest.raises(REFUSALS):
        shim.scale(items, "1", 2.0)
    assert shim.sum_of_double(items, 1) == 2.0
    items.append(3.0)  # a BufferError where its memory is still lent
    assert items.tolist() == [2.0, 3.0]


def test_an_empty_array_is_an_array(shim: ModuleType) -> None:
    assert shim.sum_of_double(array.array("d"), 0) == 0.0
    shim.scale(np.zeros(0), 0, 1.0)


def test_no_call_keeps_or_loses_a_reference(shim: ModuleType) -> None:
    items, fixed = np.zeros(3), memoryview(bytes(24)).cast("d")
    gc.collect()
    before = [sys.getrefcount(each) for each in (items, fixed)]
    for _ in range(1000):
        shim.scale(items, 3, 2.0)
        shim.sum_of_double(items, 3)
        shim.sum_of_double(fixed, 3)
    gc.collect()
    assert [sys.getrefcount(each) for each in (items, fixed)] == before
