"""The idioms of `calls`: the same answers in every binding, nothing lost or leaked, each contestant valid."""

from __future__ import annotations

import ctypes
import gc
import resource
import sys
from array import array
from collections.abc import Callable
from functools import partial
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from ffibench.builds.project import LOG, folder_of
from ffibench.catalog import find_experiment
from ffibench.plan.make import make_plan
from ffibench.plan.options import ContestantOptions, PlanOptions
from ffibench.worker.load import import_file
from ffibench.workflow import RunOptions, run
from ffibench.workflow.prepare import Prepared, prepare

BINDINGS = ["capi", "cython", "nanobind", "pybind11", "swig"]
TIMES = 100_000
FEW = TIMES // 100
LEAKED_BYTES_MAX = 4 << 20
"""A tenth of what is lost where each operation loses 50 doubles."""


@pytest.fixture(scope="module")
def idioms(private_folders: None) -> Prepared:
    return prepare("calls", ContestantOptions(contestants=("python/*~idiom",)))


@pytest.fixture(scope="module")
def modules(idioms: Prepared) -> dict[str, ModuleType]:
    assert not idioms.failures
    assert not idioms.unavailable
    return {
        candidate.contestant.name.split("/")[1].split("~")[0]: import_file(str(artifact))
        for candidate, artifact in idioms.chosen
        if candidate.contestant.language == "python"
    }


@pytest.fixture(params=BINDINGS)
def native(request: pytest.FixtureRequest, modules: dict[str, ModuleType]) -> ModuleType:
    return modules[request.param]


@pytest.fixture(scope="module")
def library(idioms: Prepared) -> ctypes.CDLL:
    """C itself, asked through the standard library."""
    found = ctypes.CDLL(idioms.library.path)
    found.calls_open.restype = found.calls_counted.restype = ctypes.c_void_p
    found.calls_double.restype = found.calls_doubles_in.restype = ctypes.c_double
    found.calls_double.argtypes = [ctypes.c_double]
    return found


def test_every_binding_that_was_promised_is_here(modules: dict[str, ModuleType]) -> None:
    assert sorted(modules) == BINDINGS


def test_they_compile_without_a_warning(idioms: Prepared) -> None:
    for candidate, artifact in idioms.chosen:
        if candidate.contestant.language == "python":
            assert artifact is not None
            said = (folder_of(artifact) / LOG).read_text(encoding="utf-8")
            assert "-Wextra" in said
            assert "warning:" not in said.lower()


# --- answers --------------------------------------------------------------------------------------


def test_a_class_answers_as_the_handle_that_it_covers(native: ModuleType, library: ctypes.CDLL) -> None:
    handle = ctypes.c_void_p(library.calls_open(1000))
    counter = native.Counter(1000)
    assert counter.add(1000) == library.calls_add(handle, 1000) == 2000
    assert native.Counter(-3).add(-4) == -7
    assert counter.value == library.calls_value(handle) == 1000
    library.calls_close(handle)


def test_objects_go_in_and_come_out(native: ModuleType) -> None:
    point = native.Point(2000, 1000)
    assert native.difference(point) == 1000
    other = native.exchanged(point)
    assert type(other) is native.Point
    assert (other.x, other.y, point.x, point.y) == (1000, 2000, 2000, 1000)


def test_an_overload_goes_by_the_type(native: ModuleType, library: ctypes.CDLL) -> None:
    assert (native.overloaded(1000), native.overloaded(1.5)) == (library.calls_int(1000), library.calls_double(1.5))
    assert type(native.overloaded(1)) is int
    assert type(native.overloaded(1.0)) is float


def test_an_argument_has_a_keyword_and_a_default(native: ModuleType, library: ctypes.CDLL) -> None:
    assert native.scaled(1000, factor=2) == native.scaled(value=1000, factor=2) == library.calls_scaled(1000, 2)
    assert native.scaled(1000) == library.calls_scaled(1000, 3) == 3000
    assert native.scaled(7, 5) == 35


def test_lists_become_vectors_and_come_back(native: ModuleType, library: ctypes.CDLL) -> None:
    values = [float(each) for each in range(5_000)]
    given = array("d", values)
    address = ctypes.c_void_p(given.buffer_info()[0])
    assert native.total(values) == library.calls_doubles_in(address, ctypes.c_size_t(5_000)) == 12497500.0
    assert native.total([1, 2.5]) == 3.5
    assert native.total([]) == 0
    filled = (ctypes.c_double * 100)()
    library.calls_range(filled, ctypes.c_size_t(100))
    assert list(native.range_list(100)) == list(filled)
    assert list(native.range_list(0)) == []


def test_an_array_of_numpy_is_summed_where_it_lies(native: ModuleType) -> None:
    values = np.arange(5_000, dtype=np.float64)
    assert native.sum_array(values) == 12497500.0
    assert native.sum_array(values[:0]) == 0.0
    values[0] = 0.5
    assert native.sum_array(values) == 12497500.5


def test_an_error_is_an_exception(native: ModuleType) -> None:
    assert native.checked(1000) == 1000
    for _ in range(3):
        with pytest.raises(ValueError, match="the value is negative"):
            native.checked(-1)


# --- what is refused ------------------------------------------------------------------------------

WRONG: dict[str, Callable[[ModuleType], object]] = {
    "a text for an int": lambda native: native.Counter("3"),
    "no argument": lambda native: native.Counter(),
    "a text for an amount": lambda native: native.Counter(3).add("4"),
    "another class": lambda native: native.difference(native.Counter(3)),
    "a tuple for an object": lambda native: native.exchanged((1, 2)),
    "None for an object": lambda native: native.difference(None),
    "no overload": lambda native: native.overloaded("1"),
    "another keyword": lambda native: native.scaled(3, other=2),
    "a text for a list": lambda native: native.total("abc"),
    "a text in a list": lambda native: native.total([1.0, "2"]),
    "an int for a list": lambda native: native.total(5),
    "a text for a count": lambda native: native.range_list("3"),
    "a list for an array": lambda native: native.sum_array([1.0, 2.0]),
    "None for an array": lambda native: native.sum_array(None),
    "a text for a value": lambda native: native.checked("1"),
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG.keys())
def test_a_wrong_type_is_refused(native: ModuleType, wrong: Callable[[ModuleType], object]) -> None:
    with pytest.raises(TypeError):
        wrong(native)


@pytest.mark.parametrize("values", [np.arange(4, dtype=np.float32), np.ones((2, 2)), np.arange(8.0)[::2]])
def test_an_array_is_never_converted(native: ModuleType, values: object) -> None:
    native.calls_counted()
    with pytest.raises((TypeError, ValueError)):
        native.sum_array(values)
    assert native.calls_counted() == 0


def test_a_property_is_read_alone(native: ModuleType) -> None:
    with pytest.raises(AttributeError):
        native.Counter(3).value = 4
    with pytest.raises(AttributeError):
        native.Point(1, 2).x = 4


# --- what is left behind --------------------------------------------------------------------------


def resident_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize()


def raising(error: type[Exception], call: Callable[[object], object], argument: object) -> None:
    try:
        call(argument)
    except error:
        return
    raise AssertionError


OPERATIONS: dict[str, Callable[[ModuleType], tuple[Callable[[Any], object], object]]] = {
    "constructor": lambda native: (native.Counter, 1000),
    "method": lambda native: (native.Counter(1000).add, 1000),
    "property": lambda native: (attrgetter("value"), native.Counter(1000)),
    "object in": lambda native: (native.difference, native.Point(2000, 1000)),
    "object in and out": lambda native: (native.exchanged, native.Point(2000, 1000)),
    "overload, int": lambda native: (native.overloaded, 1000),
    "overload, double": lambda native: (native.overloaded, 1.5),
    "keyword": lambda native: (partial(native.scaled, factor=2000), 1000),
    "default": lambda native: (native.scaled, 1000),
    "list in": lambda native: (native.total, [float(each) for each in range(50)]),
    "list out": lambda native: (native.range_list, 50),
    "ndarray": lambda native: (native.sum_array, np.arange(50.0)),
    "error": lambda native: (partial(raising, ValueError, native.checked), -1),
    "wrong class": lambda native: (partial(raising, TypeError, native.difference), native.Counter(1000)),
    "wrong list": lambda native: (partial(raising, TypeError, native.total), [*[1.0] * 50, "2"]),
    "wrong array": lambda native: (partial(raising, TypeError, native.sum_array), [1.0]),
}


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS.keys())
def test_nothing_leaks(
    native: ModuleType, operation: Callable[[ModuleType], tuple[Callable[[Any], object], object]]
) -> None:
    call, argument = operation(native)
    for _ in range(TIMES // 10):
        call(argument)
    gc.collect()
    # SWIG 4.5 takes a reference of the class with each object and does not give it back: of one class, no memory.
    classes = () if "swig" in native.__name__ else (native.Counter, native.Point)
    held = (*classes, None, argument)
    counts = [sys.getrefcount(each) for each in held]
    blocks, resident = sys.getallocatedblocks(), resident_bytes()
    for _ in range(TIMES):
        call(argument)
    gc.collect()
    # A module or a cache of the interpreter may take up a few.
    assert all(abs(sys.getrefcount(each) - count) < FEW for each, count in zip(held, counts, strict=True))
    assert abs(sys.getallocatedblocks() - blocks) < FEW
    assert resident_bytes() - resident < LEAKED_BYTES_MAX


def test_an_object_is_destroyed_with_its_last_reference(native: ModuleType) -> None:
    native.calls_counted()
    counter = native.Counter(1000)
    assert native.calls_counted() == 1
    del counter
    assert native.calls_counted() == 1


# --- the group ------------------------------------------------------------------------------------


def test_an_idiom_runs_in_its_group_alone_and_nobody_else_does(idioms: Prepared) -> None:
    everybody = prepare("calls", ContestantOptions(contestants=("python/capi", "python/capi~idiom")))
    plan = make_plan(everybody.folder, everybody.chosen, (), everybody.library, PlanOptions())
    group = {case.name for case in plan.cases if case.group == "idioms"}
    assert len(group) == 13
    ran: dict[str, set[str]] = {}
    for worker in plan.workers:
        ran.setdefault(worker.contestant.name, set()).update(
            case.name for case in plan.cases if worker.runs(case) and case.name not in worker.cannot
        )
    assert ran["c"] == ran["control"] == {case.name for case in plan.cases}
    assert ran["python/capi~idiom"] == group
    assert not ran["python/capi"] & group


def test_each_contestant_is_valid_in_each_case(modules: dict[str, ModuleType]) -> None:
    idioms = tuple(str(each.name) for each in find_experiment("calls").experiment.calls if each.group == "idioms")
    few = RunOptions(contestants=("python/*~idiom",), cases=idioms, rounds=1, slices=1, iterations=20)
    result = run("calls", few)
    assert not result.run.plan.unavailable
    rows = {(row.contestant, row.case): row for row in result.comparison.rows}
    assert len(rows) == 7 * 13
    assert {name: (row.audit, row.reason) for name, row in rows.items() if not row.valid} == {}
