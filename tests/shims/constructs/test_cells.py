"""A cell is memory for one value of C: made before the call, written by it, read as `cell[0]`."""

from __future__ import annotations

import array
import ctypes
import struct
from types import ModuleType

import pytest

pytestmark = pytest.mark.kinds("cell")

REFUSALS = (TypeError, ctypes.ArgumentError)
INTEGERS = {
    "signed char": "b", "unsigned char": "B", "short": "h", "unsigned short": "H", "int": "i", "unsigned int": "I",
    "long": "l", "unsigned long": "L", "long long": "q", "unsigned long long": "Q",
}  # fmt: skip


@pytest.mark.parametrize("item", INTEGERS)
def test_every_integer_is_written_and_read_at_its_limits(shim: ModuleType, item: str) -> None:
    put, cell = getattr(shim, f"put_{item.replace(' ', '_')}"), shim.cell(item)
    assert (cell[0], type(cell[0])) == (0, int)
    bits = 8 * struct.calcsize(INTEGERS[item])
    low, high = (0, 2**bits - 1) if INTEGERS[item].isupper() else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    for value in (low, 1, high):
        assert put(cell, value) is None
        assert cell[0] == value
        cell[0] = 5
        assert cell[0] == 5


@pytest.mark.parametrize(
    ("item", "put", "value"),
    [
        ("float", "float", 0.5),
        ("double", "double", -1e300),
        ("_Bool", "bool", True),
        ("char", "char", 65),
        ("unsigned int", "shade", 5),
    ],
)
def test_so_is_every_other_number(shim: ModuleType, item: str, put: str, value: object) -> None:
    cell = shim.cell(item)
    getattr(shim, f"put_{put}")(cell, value)
    assert (cell[0], type(cell[0])) == (value, type(value))
    cell[0] = 0
    assert cell[0] == 0


def test_several_values_come_out_of_one_call(shim: ModuleType) -> None:
    quotient, rest = shim.cell("int"), shim.cell("int")
    assert shim.divide(17, 5, quotient, rest) == 0
    assert (quotient[0], rest[0]) == (3, 2)
    assert shim.divide(1, 0, quotient, rest) == -1
    assert (quotient[0], rest[0]) == (3, 2)


def test_what_a_cell_holds_is_read_by_c(shim: ModuleType) -> None:
    counter = shim.cell("int")
    counter[0] = 41
    assert shim.bump(counter) == 42 == counter[0]
    out, room = bytearray(8), shim.cell("unsigned long")
    room[0] = 4
    assert shim.copy_text(out, room) == -1
    room[0] = len(out)
    assert shim.copy_text(out, room) == 0
    assert (bytes(out[: room[0]]), room[0]) == (b"ohhai", 5)


def test_a_handle_comes_out_by_its_address(shim: ModuleType) -> None:
    cell = shim.cell("void *")
    assert not cell[0]
    assert shim.account_open(b"four", cell) == 0
    first = cell[0]
    assert first
    assert shim.account_owner_length(first) == 4
    assert shim.account_open(b"second", cell) == 0
    assert shim.account_owner_length(first) == 4  # what was read stays what it was
    assert shim.account_owner_length(cell[0]) == 6
    assert shim.account_same(cell[0], cell[0]) is True
    assert shim.account_same(first, cell[0]) is False
    shim.account_close(first)
    second = cell[0]
    cell[0] = shim.NULL
    assert not cell[0]
    assert shim.account_owner_length(cell[0]) == -1
    cell[0] = second
    shim.account_close(cell[0])
    assert shim.account_open(b"x" * 40, cell) == -1
    assert not cell[0]


def test_null_is_a_handle(shim: ModuleType) -> None:
    assert not shim.NULL
    assert shim.account_owner_length(shim.NULL) == -1
    assert shim.account_close(shim.NULL) is None


def test_where_a_text_ended_is_a_handle_into_it(shim: ModuleType) -> None:
    text, tail = b"12 apples", shim.cell("void *")
    assert shim.number_in(text, tail) == 12
    assert shim.length_from(tail[0]) == len(" apples")
    assert shim.number_in(b"12", tail) == 12
    assert not tail[0]
    assert shim.length_from(tail[0]) == -1


def test_addresses_of_constants_and_of_bytes_are_handed_on(shim: ModuleType) -> None:
    assert shim.named(shim.all_names(), 1) == 5
    assert shim.digest_first(shim.digest_of(200)) == 200
    assert shim.either_number(shim.either_new(44)) == 44
    assert not shim.either_new(-1)
    assert shim.flags_low(shim.flags_new(2)) == 2


@pytest.mark.parametrize("wrong", [None, 1, 1.5, b"\0" * 8, bytearray(8), array.array("i", [0]), object()])
def test_what_is_no_cell_is_refused(shim: ModuleType, wrong: object) -> None:
    for put in (shim.put_int, shim.put_double):  # to cffi, bytes are a byte cell too
        with pytest.raises(REFUSALS):
            put(wrong, 1)
    with pytest.raises(REFUSALS):
        shim.account_open(b"name", wrong)


@pytest.mark.parametrize(
    ("put", "other"),
    [("int", "double"), ("int", "unsigned int"), ("int", "short"), ("double", "float"), ("int", "void *")],
)
def test_a_cell_of_another_type_is_refused(shim: ModuleType, put: str, other: str) -> None:
    cell = shim.cell(other)
    with pytest.raises(REFUSALS):
        getattr(shim, f"put_{put}")(cell, 1)
    assert not cell[0]


def test_an_address_is_not_written_to_a_cell_of_a_number(shim: ModuleType) -> None:
    with pytest.raises(REFUSALS):
        shim.account_open(b"name", shim.cell("unsigned long"))
    with pytest.raises(REFUSALS):
        shim.account_owner_length(shim.cell("void *") and [1])


def test_a_cell_holds_one_value_of_a_type_that_there_is(shim: ModuleType) -> None:
    cell = shim.cell("int")
    with pytest.raises(IndexError):
        cell[1]
    with pytest.raises(IndexError):
        cell[1] = 1
    for wrong in ("text", None, object()):
        with pytest.raises(REFUSALS):
            cell[0] = wrong
    for unknown in ("integer", "int *", "const int", ""):
        with pytest.raises(REFUSALS):
            shim.cell(unknown)
