"""Whenever a program reads a clock, what it had called until then is kept, so that calls can be told by slice."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace
from support.counted import TIMES, Counted, Machine

from ffibench.audit.counting import FunctionCount, Sum, Watch

DATA = Path(__file__).parent / "data"
ADD, NEXT = "subject_add", "subject_next"
WATCH = Watch(exports=(ADD, NEXT), sums=(Sum(function=ADD, position=1),), readings_max=100)
BEFORE = 7
"""Calls of the program before its first slice."""
AFTER = 1000
"""What the one call between two slices adds to the sum."""


@pytest.fixture(scope="session")
def clocks(machine: Machine, subject: Path) -> Path:
    return machine.build("clocks", DATA / "clocks.c", subject, "-pthread")


@pytest.fixture(scope="session")
def native_clocks(native: Machine, native_subject: Path) -> Path:
    """Built for this machine alone: a program under the emulator cannot start another."""
    return native.build("clocks-native", DATA / "clocks.c", native_subject, "-pthread")


def taken(counted: Counted) -> list[tuple[str, int, int | None, int]]:
    """Clock, calls and sum of the one function, calls of the other."""
    assert all([each.name for each in reading.counts] == [ADD, NEXT] for reading in counted.readings)
    assert all(reading.counts[1].sum is None for reading in counted.readings)
    return [
        (reading.clock, reading.counts[0].calls, reading.counts[0].sum, reading.counts[1].calls)
        for reading in counted.readings
    ]


def slices(calls: int = BEFORE, total: int = BEFORE, others: int = 0) -> list[tuple[str, int, int | None, int]]:
    """What the slices of the program give, one after another, after so many calls."""
    expected: list[tuple[str, int, int | None, int]] = []
    for number in (100, 200, 300):
        first, last = (calls, total, others), (calls + number, total + number, others)
        expected += [("processor", *first), ("monotonic", *first), ("monotonic", *last), ("processor", *last)]
        calls, total, others = calls + number + 1, total + number + AFTER, others + 1
    return expected


ALL = 600 + 3
"""Calls of all slices, with those after them."""
SUM = 600 + 3 * AFTER


@pytest.mark.parametrize("way", ["raw", "child after", "one after another"])
def test_each_slice_holds_its_own_calls(machine: Machine, clocks: Path, way: str) -> None:
    """Of a burst of readings in a slice none stays; a forked child and a later thread add none."""
    counted = machine.count(clocks, way, watch=WATCH)
    assert taken(counted) == slices()
    assert not counted.readings_cut


def test_another_thread_takes_no_readings(machine: Machine, clocks: Path) -> None:
    first = ("processor", BEFORE, BEFORE, 0)
    assert taken(machine.count(clocks, "threads", watch=WATCH)) == [first, *slices()]


def test_a_forked_child_that_is_first_to_read_takes_none(machine: Machine, clocks: Path) -> None:
    counted = machine.count(clocks, "child before", watch=WATCH)
    assert taken(counted) == slices(BEFORE + ALL, BEFORE + SUM, 3)


def test_a_program_that_it_starts_takes_none(native: Machine, native_clocks: Path) -> None:
    assert taken(native.count(native_clocks, "program", watch=WATCH)) == slices()


def test_a_program_that_is_executed_in_its_place_goes_on(native: Machine, native_clocks: Path) -> None:
    counted = native.count(native_clocks, "executed", watch=WATCH)
    assert taken(counted) == [*slices(), *slices(2 * BEFORE + ALL, 2 * BEFORE + SUM, 3)]


@pytest.mark.parametrize("most", [0, 1, 2, 3, 5, 11, 12])
def test_readings_end_where_there_is_no_more_room(machine: Machine, clocks: Path, most: int) -> None:
    counted = machine.count(clocks, "monotonic", watch=replace(WATCH, readings_max=most))
    kept = taken(counted)
    assert counted.calls == {ADD: BEFORE + ALL, NEXT: 4}
    assert len(kept) == most
    assert counted.readings_cut == (0 < most < 12)
    assert [each[0] for each in kept] == [each[0] for each in slices()[:most]]
    if most != 2:  # here the last place is of a burst that ended
        assert kept == slices()[:most]


def test_the_library_of_c_is_shown_only_where_it_is_watched(machine: Machine, clocks: Path) -> None:
    assert machine.count(clocks, "raw", watch=WATCH).library.path.endswith("libsubject.so")
    counted = machine.count(clocks, "raw", watch=replace(WATCH, patterns=("libc.so*",)))
    assert taken(counted) == slices()
    (c,) = (each for each in counted.snapshot.libraries if not each.path.endswith("libsubject.so"))
    reads = 1 + 3 * 4 + (10 + 20 + 30) * 5
    assert FunctionCount(name="clock_gettime", calls=reads, sum=None) in c.functions


ARGUMENTS = """
#include <stdio.h>
#ifdef __aarch64__
struct got { long values[4]; }; /* returned through a register of its own, x8 */
#else
struct got { long values[2]; };
#endif
struct got clock_gettime(int id, long a, long b, long c, long d, long e, long f, long g, double h, double i, double j,
                         double k, double l, double m, double n, double o)
"""


def test_every_argument_of_the_function_arrives(machine: Machine, tmp_path: Path) -> None:
    """A library with libc's name, whose clock_gettime has an argument in each register that may hold one."""
    printed = "%d %ld %ld %ld %ld %ld %ld %ld %g %g %g %g %g %g %g %g\\n"
    (tmp_path / "c.c").write_text(
        f'{ARGUMENTS}{{ printf("{printed}", id, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);'
        " return (struct got){{a, b}}; }\n"
    )
    (tmp_path / "call.c").write_text(
        f"{ARGUMENTS};\nint main(void)\n"
        "{ struct got got = clock_gettime(2, 1, 2, 3, 4, 5, 6, 7, .1, .2, .3, .4, .5, .6, .7, .8);"
        ' return printf("%ld %ld\\n", got.values[0], got.values[1]) < 0; }\n'
    )
    named = ("-Wl,-soname,libc.so.2", "-fno-builtin")
    library = machine.library("libc.so.2", *named, tmp_path / "c.c", folder=tmp_path)
    program = machine.build("call", tmp_path / "call.c", library, f"-Wl,-rpath,{tmp_path}", folder=tmp_path)
    counted = machine.count(program, watch=Watch(readings_max=10))
    assert counted.out == "2 1 2 3 4 5 6 7 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8\n1 2\n"
    assert [reading.clock for reading in counted.readings] == ["processor"]
    assert counted.snapshot.libraries == ()


# --- from other languages -------------------------------------------------------------------------


def test_python(native: Machine, native_subject: Path) -> None:
    script = (
        f"import ctypes, time; add = ctypes.CDLL({str(native_subject)!r}).subject_add\n"
        "for _ in range(2):\n"
        "    time.process_time_ns(); time.perf_counter_ns()\n"
        f"    for n in range({TIMES}): add(n, 2); time.monotonic()\n"
        "    time.perf_counter_ns(); time.process_time_ns()\n"
    )
    counted = native.count(sys.executable, "-c", script, watch=WATCH)
    clocks = ["processor", "monotonic", "monotonic", "processor"]
    assert [each[:3] for each in taken(counted)[:8]] == [  # what follows is read at its exit
        (clock, number * TIMES, 2 * number * TIMES)
        for clock, number in zip(2 * clocks, (0, 0, 1, 1, 1, 1, 2, 2), strict=True)
    ]


PERL = """
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC CLOCK_PROCESS_CPUTIME_ID);
for my $slice (1 .. 2) {
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID); clock_gettime(CLOCK_MONOTONIC);
    getppid() for 1 .. 100 * $slice;
    clock_gettime(CLOCK_MONOTONIC); clock_gettime(CLOCK_PROCESS_CPUTIME_ID);
}
"""


def test_perl_with_a_function_of_the_library_that_has_the_clocks(native: Machine) -> None:
    if shutil.which("perl") is None or subprocess.run(["perl", "-MTime::HiRes", "-e1"], check=False).returncode != 0:
        pytest.skip("Perl with Time::HiRes is not found; apt-get install perl")
    counted = native.count("perl", "-e", PERL, watch=Watch(exports=("getppid",), readings_max=8))
    calls = [reading.counts[0].calls for reading in counted.readings]
    assert [each - calls[0] for each in calls] == [0, 0, 100, 100, 100, 100, 300, 300]
    assert not counted.readings_cut
