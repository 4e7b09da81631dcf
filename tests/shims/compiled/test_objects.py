"""Objects of the compiled bindings: any name, memory that is shared and outlives, nothing lost and nothing kept."""

from __future__ import annotations

import array
import gc
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from support.shim_fixtures import BINDINGS, COMPILED

from ffibench.builds.project import LOG, folder_of

REFUSALS = (TypeError, ValueError, BufferError, OverflowError)
RELEASED = [name for name in COMPILED if BINDINGS[name][1].lock == "released"]
"""Those during whose calls another thread can run."""


def sum_of(odd: Any) -> int:  # noqa: ANN401 -- of a class that a test cannot name
    """What odd_sum answers for this struct."""
    fields = (odd.new, int(getattr(odd, "lambda")), getattr(odd.self, "from"))
    arrays = (getattr(odd.owner[1], "class"), odd.moods[1], odd.memory[1][0], odd.value)
    return sum(10**place * value for place, value in enumerate((*fields, *arrays)))


# --- names and shared memory ----------------------------------------------------------------------


def test_fields_may_have_any_name_and_be_constant_to_c(odd: ModuleType) -> None:
    inner = odd.inner(7, 8)
    made = odd.odd(1, 2.0, inner, [inner, inner], (odd.MOOD_LOW, odd.MOOD_HIGH), ((1, 2), (3, 4)), 118)
    assert odd.odd_sum(made) == odd.odd_value(made) == sum_of(made)
    assert [list(row) for row in made.memory] == [[1, 2], [3, 4]]
    for name, value in (("new", -9), ("lambda", 3.5), ("value", -5)):
        setattr(made, name, value)
        assert getattr(made, name) == value
    made.memory[1][0] = -4
    made.memory[0] = (6, 7)
    assert [list(row) for row in made.memory] == [[6, 7], [-4, 4]]
    made.moods = [7, -2]
    assert odd.odd_sum(made) == odd.odd_value(made) == sum_of(made)
    assert sum_of(odd.odd_of(44)) == odd.odd_sum(odd.odd_of(44))


def test_parameters_and_structs_may_be_named_alike(odd: ModuleType) -> None:
    items, out = array.array("d", [1, 2]), array.array("d", [0, 0])
    assert odd.array_words(items, 2, out, 2) == 6.0
    assert out.tolist() == [2.0, 4.0]
    cells = odd.cell("int"), odd.cell("int")
    assert odd.cell_words(*cells, array.array("i", [4, 2])) == 6
    assert [each[0] for each in cells] == [4, 2]
    assert odd.object_words(odd.object(1.5), odd.object(2)).x == 3.5
    assert odd.only_made_of(2**40).own == 2**40
    assert odd.mood_sum(array.array("i", [odd.MOOD_LOW, odd.MOOD_HIGH]), 2) == 5


def test_what_is_inside_shares_the_memory_and_outlives(odd: ModuleType) -> None:
    made = odd.odd_of(1)
    inner, owner, second, memory, row = made.self, made.owner, made.owner[1], made.memory, made.memory[1]
    setattr(inner, "from", 40)
    setattr(second, "class", 50)
    row[0] = 60
    assert (getattr(made.self, "from"), getattr(made.owner[1], "class"), made.memory[1][0]) == (40, 50, 60)
    made.self = odd.inner(1, 2)
    made.owner[1] = odd.inner(3, 4)
    made.memory = [[5, 6], [7, 8]]
    assert (getattr(inner, "from"), getattr(second, "class"), row[0]) == (2, 3, 7)
    del made
    gc.collect()
    others = [odd.odd_of(2) for _ in range(1000)]
    assert (getattr(inner, "from"), getattr(owner[1], "class"), list(memory[1]), row[0]) == (2, 3, [7, 8], 7)
    assert len(others) == 1000


def test_what_is_given_is_copied(odd: ModuleType) -> None:
    inner = odd.inner(1, 2)
    made = odd.odd(0, 0.0, inner, (inner, inner))
    setattr(inner, "from", 9)
    assert [getattr(each, "from") for each in (made.self, *made.owner)] == [2, 2, 2]
    made.owner = made.owner
    assert [getattr(each, "from") for each in made.owner] == [2, 2]


def test_a_field_may_be_given_by_its_name(name: str, odd: ModuleType) -> None:
    """But one named `self` to nanobind under CPython 3.10, which takes it for the object that is made."""
    given = {"new": 3, "self": odd.inner(1, 2)}
    if name.startswith("nanobind") and sys.version_info < (3, 11):
        with pytest.raises(TypeError, match="incompatible function arguments"):
            odd.odd(**given)
        given = {"new": 3, "owner": (odd.inner(1, 2), odd.inner(3, 4))}
    made = odd.odd(**given)
    assert made.new == 3
    assert getattr(made.owner[1] if "owner" in given else made.self, "from") == (4 if "owner" in given else 2)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("new", "1"), ("new", 2**31), ("lambda", None), ("self", 1), ("self", None), ("owner", [1, 2]), ("owner", 1),
        ("moods", [1]), ("moods", [1, 2, 3]), ("moods", [1, "2"]), ("memory", [1, 2]), ("memory", [[1, 2], [3, 2**15]]),
    ],
)  # fmt: skip
def test_what_does_not_fit_a_field_is_refused(odd: ModuleType, field: str, value: object) -> None:
    made = odd.odd_of(1)
    with pytest.raises(REFUSALS):
        setattr(made, field, value)
    if value is not None:
        with pytest.raises(REFUSALS):
            odd.odd(**{field: value})
    with pytest.raises((AttributeError, NotImplementedError, *REFUSALS)):  # the second of Cython
        delattr(made, field)
    with pytest.raises(AttributeError):
        made.nothing  # noqa: B018
    with pytest.raises(TypeError):
        odd.inner(1, **{"class": 2})


def test_an_index_counts_from_either_end_and_ends_there(odd: ModuleType) -> None:
    made, cell = odd.odd_of(1), odd.cell("int")
    assert (len(made.moods), made.moods[-1], made.moods[-2], len(cell), cell[-1]) == (2, 7, -2, 1, 0)
    for items, last in ((made.moods, 1), (made.memory, 1), (made.owner, 1), (cell, 0)):
        for index in (last + 1, -last - 2, 2**62):
            with pytest.raises(IndexError):
                items[index]
            with pytest.raises(IndexError):
                items[index] = items[0]


# --- nothing lost, nothing kept -------------------------------------------------------------------


def resident_kib() -> int:
    """How much memory of this process is in use."""
    return int(re.findall(r"^VmRSS:\s+(\d+) kB$", Path("/proc/self/status").read_text(), re.MULTILINE)[0])


def work(native: ModuleType, calls: int) -> None:
    """Make, pass and read every kind of object, and fail in every conversion with the others made."""
    items, double, inner = array.array("d", [1, 2]), native.cell("double"), native.inner(1, 2)
    wrong: list[Callable[[], object]] = [
        lambda: native.array_words(items, 2, items, "2"),
        lambda: native.array_words(items, 2, b"", 2),
        lambda: native.cell_words(native.cell("int"), double, array.array("i", [1, 2])),
        lambda: native.cell_words(native.cell("int"), native.cell("int"), items),
        lambda: native.odd(1, 2, inner, [inner, 3]),
        lambda: native.odd(moods=(1, 2, 3)),
        lambda: native.odd(nothing=1),
        lambda: native.inner(1, 2, 3),
        lambda: native.inner("1"),
        lambda: native.odd_sum(inner),
        lambda: native.cell("nothing"),
    ]
    for _ in range(calls):
        made = native.odd_of(1)
        made.owner[0] = made.self
        made.memory[0] = made.memory[1]
        native.odd(2, 3, made.self, list(made.owner), list(made.moods), [[1, 2], list(made.memory[0])], 4)
        native.odd_value(made)
        native.array_words(items, 2, items, 2)
        cell = native.cell("int")
        native.cell_words(cell, native.cell("int"), array.array("i", [1, 2]))
        cell[0] = cell[0] + 2**20
    for _ in range(calls // 10):
        for each in wrong:
            with suppress(*REFUSALS):
                each()
                raise AssertionError("it was not refused")


def test_a_hundred_thousand_calls_keep_nothing(odd: ModuleType) -> None:
    work(odd, 2000)
    gc.collect()
    kept = odd.odd_of(1), odd.inner(), odd.cell("int"), odd.odd, odd.inner, type(odd.cell("int"))
    before, counted = resident_kib(), [sys.getrefcount(each) for each in kept]
    work(odd, 10_000)
    gc.collect()
    assert [sys.getrefcount(each) for each in kept] == counted
    # 16 bytes a turn, the least that can be lost, are 160 KiB for each of the ten calls in it.
    assert resident_kib() - before < 160


def test_memory_is_free_again_however_a_call_ends(odd: ModuleType) -> None:
    items = array.array("d", [1, 2])
    calls: list[Callable[[], object]] = [
        lambda: odd.array_words(items, 2, items, 2),
        lambda: odd.array_words(items, 2, items, None),
        lambda: odd.array_words(items, 2, 1, 2),
        lambda: odd.array_words(1, 2, items, 2),
    ]
    for call in calls:
        with suppress(*REFUSALS):
            call()
        items.append(0.0)  # a BufferError where it is still lent
    assert len(items) == 6


LEAVING = """
import sys
from ffibench.worker.load import import_file
native = import_file(sys.argv[1])
made = native.odd(0, 0.0, native.inner(1, 2))
inner, owner, row, cell, kind = made.self, made.owner, made.memory[0], native.cell("int"), type(made)
keeping = [made, inner]
print(getattr(inner, "from"))
"""


def test_a_process_with_objects_ends_in_silence(name: str, odd_artifacts: Mapping[str, Path]) -> None:
    """nanobind tells what is left of its own."""
    command = [sys.executable, "-X", "dev", "-c", LEAVING, str(odd_artifacts[name])]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, "2\n", "")


# --- threads --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RELEASED)
def test_a_call_without_the_gil_holds_its_memory(odd: ModuleType) -> None:
    """Another thread can run and end the wait, but cannot move what was lent; its own objects are kept meanwhile."""
    flag, items, found = odd.cell("double"), array.array("d", [1, 2]), []
    # Nobody but the call knows the struct and the cell of an int.
    waiting = threading.Thread(
        target=lambda: found.append(odd.wait_for(flag, 10_000, items, 2, odd.inner(5, 6), odd.cell("int")))
    )
    waiting.start()
    lent = False
    while not lent and waiting.is_alive():
        try:
            items.append(0.0)
            items.pop()
        except BufferError:
            lent = True
    gc.collect()
    others = [odd.inner(9, 9) for _ in range(1000)]
    flag[0] = 1
    waiting.join()
    assert lent
    assert found == [9.0]
    assert len(others) == 1000
    items.append(3.0)


def test_threads_call_at_once(odd: ModuleType) -> None:
    wrong = []

    def call(number: int) -> None:
        cell, flag = odd.cell("int"), odd.cell("double")
        flag[0] = 1
        for turn in range(2000):
            inner, items = odd.inner(turn, number), array.array("d", [turn, 1])
            total = odd.wait_for(flag, 0, items, 2, inner, cell)
            made = odd.odd_of(number)
            if (total, cell[0], getattr(inner, "class")) != (number + turn + 1, turn, turn + 1):
                wrong.append((number, turn))
            if odd.odd_sum(made) != sum_of(made) or made.new != number:
                wrong.append((number, turn))

    threads = [threading.Thread(target=call, args=(number,)) for number in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert not wrong


# --- builds ---------------------------------------------------------------------------------------


def test_no_shim_compiles_with_a_warning(name: str, odd_artifacts: Mapping[str, Path]) -> None:
    log = (folder_of(odd_artifacts[name]) / LOG).read_text()
    assert re.search(r"\[\d+/\d+\]", log), "the log is not that of a build"
    assert not re.findall(r"^.*\bwarning\b.*$", log, re.MULTILINE | re.IGNORECASE)
