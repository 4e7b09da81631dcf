"""One object is a struct by value and by its address, and what C writes into it is read from it."""

from __future__ import annotations

import ctypes
import gc
from types import ModuleType

import pytest

pytestmark = pytest.mark.kinds("struct", "struct_pointer")

REFUSALS = (TypeError, ValueError, AttributeError, ctypes.ArgumentError)


def test_fields_are_given_by_place_or_name_and_are_attributes(shim: ModuleType) -> None:
    for pair in (shim.pair(1, 2.5), shim.pair(x=1, y=2.5), shim.pair(1, y=2.5)):
        assert (pair.x, pair.y) == (1.0, 2.5)
    pair = shim.pair()
    assert (pair.x, pair.y) == (0.0, 0.0)
    pair.x = 3
    assert (pair.x, type(pair.x)) == (3.0, float)


def test_one_object_goes_by_value_and_by_pointer(shim: ModuleType) -> None:
    pair = shim.pair(1.0, 2.0)
    assert shim.pair_sum(pair) == 21.0
    assert shim.pair_read(pair) == 21.0
    assert shim.pair_move(pair, 0.5) is None
    assert (pair.x, pair.y) == (1.5, 1.5)
    assert shim.pair_sum(pair) == 16.5


def test_a_struct_comes_back_as_such_an_object(shim: ModuleType) -> None:
    made = shim.pair_of(3.0, 4.0)
    assert (made.x, made.y) == (3.0, 4.0)
    shim.pair_move(made, 1.0)
    assert (made.x, made.y) == (4.0, 3.0)
    assert shim.pair_sum(made) == 34.0
    other = shim.pair_of(5.0, 6.0)
    gc.collect()
    assert (made.x, other.x) == (4.0, 5.0)


def test_structs_inside_structs_and_arrays_are_fields_too(shim: ModuleType) -> None:
    start, end = shim.pair(1, 2), shim.pair(3, 4)
    stroke = shim.Stroke(start, end, [1, 2, 3], 65, (1, 2, 3), 5, True)
    assert (stroke.from_ if hasattr(stroke, "from_") else getattr(stroke, "from")).x == 1.0
    assert stroke.to.y == 4.0
    assert [stroke.tags[index] for index in range(3)] == [1, 2, 3]
    assert (stroke.mark, stroke.name[2], stroke.shade, stroke.closed) == (65, 3, 5, True)
    total = 10 + 100 * 14 + 1000 * 14 + 10_000 * 65 + 100_000 * 5 + 1_000_000
    assert shim.stroke_sum(stroke) == total
    shim.stroke_turn(stroke)
    assert (stroke.to.x, stroke.tags[2], stroke.mark, stroke.name[1]) == (1.0, -1, -65, ord("x"))
    assert (stroke.shade, stroke.closed) == (5, False)
    assert start.x == 1.0  # the struct that was given was copied


def test_what_is_inside_can_be_written(shim: ModuleType) -> None:
    stroke = shim.Stroke(to=shim.pair(9, 9))
    stroke.to.x = 2
    stroke.tags[1] = 7
    assert shim.stroke_sum(stroke) == 11 + 100 * 2 * 7
    with pytest.raises(IndexError):
        stroke.tags[3]
    between = shim.stroke_between(shim.pair(1, 2), shim.pair(3, 4))
    assert (between.to.y, between.tags[1], between.mark) == (4.0, 7, 0)


def test_arrays_of_arrays_and_of_structs_are_read_and_filled(shim: ModuleType) -> None:
    grid = shim.grid([[1, 0, 0], [0, 0, 2]], [shim.pair(), shim.pair(0, 5)])
    assert shim.grid_sum(grid) == 2 * 12 + 5
    shim.grid_fill(grid, 3)
    assert [[grid.cells[row][column] for column in range(3)] for row in range(2)] == [[3, 4, 5], [13, 14, 15]]
    assert (grid.corners[0].x, grid.corners[1].y) == (3.0, 5.0)


def test_a_struct_named_as_a_function_has_a_name_of_its_own(shim: ModuleType) -> None:
    it = shim.struct_swap(a=1, b=2)
    shim.swap(it)
    assert (it.a, it.b) == (2, 1)


@pytest.mark.parametrize("wrong", [1, 1.5, b"\0" * 16, bytearray(16), object()])
def test_what_is_no_such_struct_is_refused(shim: ModuleType, wrong: object) -> None:
    for call in (shim.pair_sum, shim.pair_read):
        with pytest.raises(REFUSALS):
            call(wrong)


def test_another_struct_is_refused(shim: ModuleType) -> None:
    for call in (shim.pair_sum, shim.pair_read):
        with pytest.raises(REFUSALS):
            call(shim.struct_swap(1, 2))


def test_fields_that_there_are_not_and_values_that_do_not_fit_are_refused(shim: ModuleType) -> None:
    for wrong in ({"z": 1}, {"x": "1"}, {"x": None}):
        with pytest.raises(REFUSALS):
            shim.pair(**wrong)
    with pytest.raises(REFUSALS):
        shim.pair(1, 2, 3)
    with pytest.raises(REFUSALS):
        shim.struct_swap(a=1.5)
    with pytest.raises((*REFUSALS, IndexError, RuntimeError)):  # the last of ctypes
        shim.Stroke(tags=[1, 2, 3, 4])
    with pytest.raises(REFUSALS):
        shim.Stroke(to=shim.struct_swap(1, 2))
    with pytest.raises(REFUSALS):
        shim.pair().x = "text"


def test_a_struct_is_only_made_where_a_function_needs_it(shim: ModuleType) -> None:
    for name in ("account", "either", "flags", "struct_account"):
        assert not hasattr(shim, name)
