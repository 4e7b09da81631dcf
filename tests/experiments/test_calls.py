"""The promise of `calls`: the library does what its header says, and counts each call for the thread that made it."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from ffibench.builds.library import find_library
from ffibench.calls.expressions import places
from ffibench.catalog import candidates, find_experiment
from ffibench.errors import FfibenchError
from ffibench.paths import asset
from ffibench.plan.make import plan_work
from ffibench.plan.options import PlanOptions

FOLDER = find_experiment("calls")
LIBRARY = asset("native/lib/calls")
LOW, HIGH = -(2**63), 2**64 - 1


class Point(ctypes.Structure):
    _fields_ = (("x", ctypes.c_int), ("y", ctypes.c_int))


CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int)
TYPES: dict[str, tuple[Any, ...]] = {
    "counted": (ctypes.c_uint64,),
    "noop": (None,),
    "int": (ctypes.c_int, ctypes.c_int),
    "two_ints": (ctypes.c_int, ctypes.c_int, ctypes.c_int),
    "eight_ints": (
        *(ctypes.c_longlong, ctypes.c_short, ctypes.c_ushort, ctypes.c_int, ctypes.c_uint, ctypes.c_long),
        *(ctypes.c_ulong, ctypes.c_longlong, ctypes.c_ulonglong),
    ),
    "six_doubles": (ctypes.c_double,) * 7,
    "bool": (ctypes.c_bool, ctypes.c_bool),
    "int64": (ctypes.c_int64, ctypes.c_int64),
    "uint64": (ctypes.c_uint64, ctypes.c_uint64),
    "size": (ctypes.c_size_t, ctypes.c_size_t),
    "text_in": (ctypes.c_size_t, ctypes.c_char_p),
    "text_out": (ctypes.c_char_p,),
    "bytes_in": (ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t),
    "bytes_out": (None, ctypes.c_void_p, ctypes.c_size_t),
    "doubles_in": (ctypes.c_double, ctypes.POINTER(ctypes.c_double), ctypes.c_size_t),
    "point_by_value": (Point, Point),
    "point_by_pointer": (ctypes.c_int, ctypes.POINTER(Point)),
    "out": (ctypes.c_int, ctypes.POINTER(ctypes.c_int)),
    "open": (ctypes.c_void_p, ctypes.c_int),
    "close": (None, ctypes.c_void_p),
    "value": (ctypes.c_int, ctypes.c_void_p),
    "send": (ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int),
    "back": (ctypes.c_int, CALLBACK, ctypes.c_void_p, ctypes.c_int),
}
Native = Callable[..., object]


@pytest.fixture(scope="module")
def call(private_folders: None) -> Native:
    """Call a function of the library by its name without `calls_`."""
    library = ctypes.CDLL(find_library(FOLDER.experiment, FOLDER.path, None).path)
    for name, (result, *arguments) in TYPES.items():
        function = library[f"calls_{name}"]
        function.restype, function.argtypes = result, arguments
        setattr(library, name, function)
    return lambda name, *given: getattr(library, name)(*given)


# --- the library ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "arguments", "answer"),
    [
        ("noop", (), None),
        ("int", (1000,), 1001),
        ("two_ints", (1000, -3000), -2000),
        ("eight_ints", (-1, 1, -2, 2, -3, 3, -4, 5), 1),
        ("six_doubles", (0.5, 1.5, 2.5, 3.5, 4.5, 5.5), 18.0),
        ("bool", (True,), False),
        ("bool", (False,), True),
        ("int64", (LOW,), LOW + 1),
        ("uint64", (HIGH,), HIGH - 1),
        ("size", (2**40,), 2**40 + 1),
        ("text_in", (b"ohhai",), 5),
        ("text_out", (), b"ohhai"),
        ("bytes_in", (b"", 0), 0),
        ("bytes_in", (bytes([200, 100]), 2), 2 + 44),
        ("doubles_in", ((ctypes.c_double * 3)(0.5, 1.0, 2.0), 3), 3.5),
        ("point_by_pointer", (Point(2000, 500),), 1500),
    ],
)
def test_a_function_answers_what_the_header_says(
    call: Native, name: str, arguments: tuple[object, ...], answer: object
) -> None:
    assert call(name, *arguments) == answer


def test_memory_and_structs_are_written(call: Native) -> None:
    buffer, value = ctypes.create_string_buffer(4), ctypes.c_int()
    call("bytes_out", buffer, 3)
    assert buffer.raw == b"ZZZ\0"
    assert call("out", value) == 0
    assert value.value == 1000
    moved = call("point_by_value", Point(1, 2))
    assert isinstance(moved, Point)
    assert (moved.x, moved.y) == (2, 1)


def test_a_handle_keeps_its_value(call: Native) -> None:
    handle = call("open", 1000)
    assert handle
    assert call("value", handle) == 1000
    assert call("send", handle, b"ohhai", 5, 0) == 5
    call("close", handle)


def test_a_callback_gets_every_number_once(call: Native) -> None:
    numbers: list[int] = []

    def called(_data: int | None, number: int) -> int:
        numbers.append(number)
        return 10

    assert call("back", CALLBACK(called), None, 3) == 30
    assert numbers == [0, 1, 2]


def test_each_call_is_counted_for_the_thread_that_made_it(call: Native) -> None:
    def counted(calls: int) -> object:
        call("counted")
        for _ in range(calls):
            call("noop")
        return call("counted")

    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(counted, [500, 1000, 1500])) == [500, 1000, 1500]
    assert counted(2) == 2
    assert call("counted") == 0


def test_every_function_counts_itself_once() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in sorted(LIBRARY.glob("*.c")))
    bodies = dict(re.findall(r"^[^\n]*\bcalls_(\w+)\([^;{]*\)\n\{\n(.*?)^\}", sources, re.DOTALL | re.MULTILINE))
    assert set(TYPES) <= set(bodies)
    assert {name for name, body in bodies.items() if body.count("COUNT();") != 1} == {"counted"}


# --- the experiment -------------------------------------------------------------------------------


def test_every_shape_of_the_header_is_a_case() -> None:
    text = " ".join(each.expression for each in FOLDER.experiment.calls)
    handles = {"open", "close", "counted"}
    assert {name for name in set(TYPES) - handles if f"calls_{name}(" not in text} == set()


def test_integers_lie_outside_those_that_python_keeps() -> None:
    small = [each.name for each in FOLDER.experiment.calls if each.expression == "calls_int(7)"]
    assert small == ["int -> int, small"]


def test_linkage_and_controls_take_part_here_and_nowhere_else() -> None:
    def asked(name: str) -> set[str]:
        wanted = {"c/no-plt", "c/static", "c/pointer", "python/ctypes~untyped", "python/pyfunc", "python/capi~abi3"}
        return wanted & {each.contestant.name for each in candidates(find_experiment(name))}

    assert "python/pyfunc" in {f"{each.language}/{name}" for each in FOLDER.own for name in each.bindings}
    assert asked("xsub") == asked("weather") == set()


def test_a_sweep_over_sizes_has_the_cases_of_a_size_alone() -> None:
    swept = [each.name for each in FOLDER.experiment.calls if places(each.expression)]
    work = plan_work(FOLDER, PlanOptions(sweep=("size", "16,4096")))
    assert [[case.name for case, _ in point.cases] for point in work.points] == [swept, swept]
    assert len(plan_work(FOLDER, PlanOptions()).points[0].cases) == len(FOLDER.experiment.calls)


@pytest.mark.parametrize("size", ["-1", "1G"])
def test_a_size_out_of_range_is_refused(size: str) -> None:
    with pytest.raises(FfibenchError, match="a size lies between 0 and 67,108,864 bytes"):
        plan_work(FOLDER, PlanOptions(parameters={"size": size}))
