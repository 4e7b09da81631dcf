"""A private count: the program has neither a path nor a descriptor of the file that it is counted into."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace
from support.counted import SUBJECT, TIMES, Machine

from ffibench.audit.counting import Watch, counting

DATA = Path(__file__).parent / "data"
PROGRAM_WAYS = {
    "add": {"subject_add": TIMES},
    "threads": {"subject_add": 4 * 100 * TIMES},
    "fork": {"subject_add": 4 * TIMES},
    "indirect": {"subject_indirect": 3},
}


@pytest.mark.parametrize("way", PROGRAM_WAYS)
def test_a_program_is_counted_with_its_threads_and_forks(machine: Machine, program: Path, way: str) -> None:
    assert machine.count(program, way, private=True).calls == PROGRAM_WAYS[way]


def test_a_library_that_is_loaded_later_is_counted(machine: Machine, loader: Path, subject: Path) -> None:
    assert machine.count(loader, "late", subject, private=True).calls == {"subject_add": TIMES}
    calls = machine.count(loader, "namespaces", subject, private=True).calls
    assert calls == {"subject_add": 3 * TIMES, "subject_next": 6}
    assert machine.count(loader, "reopened", subject, private=True).calls == {"subject_add": 1010}


def test_a_library_far_from_what_was_mapped_before_is_counted(machine: Machine, loader: Path, subject: Path) -> None:
    """Its thunks lie within reach of the counters, of which there is one mapping."""
    assert machine.count(loader, "far", subject, private=True).calls == {"subject_add": TIMES}


def test_callers_and_readings_are_kept_too(machine: Machine, subject: Path, tmp_path: Path) -> None:
    clocks = machine.build("clocks", DATA / "clocks.c", subject, "-pthread", folder=tmp_path)
    watch = Watch(exports=("subject_add",), readings_max=12, callers=True)
    counted = machine.count(clocks, "monotonic", watch=watch, private=True)
    calls = [reading.counts[0].calls for reading in counted.readings]
    assert [last - first for first, last in zip(calls[1::4], calls[2::4], strict=True)] == [100, 200, 300]
    assert all(each.callers == ((str(clocks), each.calls),) for each in counted.library.functions)


NOTHING_OPEN = """
import os
name = os.environ.get("FFIBENCH_COUNT", "fd:0")
number = int(name.removeprefix("fd:"))
print(name == "fd:0" or not os.path.exists(f"/proc/self/fd/{number}"), len(os.listdir("/proc/self/fd")))
"""


def test_the_program_has_no_descriptor_of_it(native: Machine) -> None:
    assert native.count(sys.executable, "-c", NOTHING_OPEN, watch=Watch(), private=True).out == "True 4\n"


def test_there_is_no_path_to_it_and_its_size_is_fixed() -> None:
    with counting(Watch(), private=True) as counts:
        (descriptor,) = counts.pass_fds
        assert counts.environment["FFIBENCH_COUNT"] == f"fd:{descriptor}"
        assert str(Path(f"/proc/self/fd/{descriptor}").readlink()) == "/memfd:ffibench (deleted)"
        for size in (0, 2**30):
            with pytest.raises(PermissionError):
                os.truncate(descriptor, size)
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(descriptor)


def test_what_it_executes_is_not_counted(native: Machine, native_subject: Path, tmp_path: Path) -> None:
    program = native.build("program", DATA / "program.c", native_subject, "-pthread", "-ldl", folder=tmp_path)
    counted = native.count("/bin/sh", "-c", f"{program} add; exec {program} add", private=True)
    assert counted.snapshot.libraries == ()
    assert counted.snapshot.processes == 1


def test_another_file_with_its_number_stays_open(native: Machine, tmp_path: Path) -> None:
    """As in a program that is started by one that was counted."""
    (tmp_path / "text").write_text("first\nsecond\n")
    with counting(SUBJECT, private=True) as counts, (tmp_path / "text").open("rb") as file:
        environment = {**os.environ, **counts.environment, "FFIBENCH_COUNT": f"fd:{file.fileno()}"}
        command = ["/bin/sh", "-c", f"/bin/cat /proc/self/fd/{file.fileno()}; exec /bin/cat /dev/fd/{file.fileno()}"]
        answer = subprocess.run(
            command,
            env=environment,
            pass_fds=[file.fileno()],
            capture_output=True,
            text=True,
            check=True,
        )
        assert counts.snapshot().processes == 0
    assert (answer.stdout, answer.stderr) == (2 * "first\nsecond\n", "")


@pytest.mark.parametrize("name", ["fd:", "fd:x", "fd:3x", "fd:-1", "fd:1000", "fd:99999999999999999999"])
def test_a_descriptor_that_is_none_leaves_the_program_uncounted(native: Machine, program: Path, name: str) -> None:
    with counting(replace(SUBJECT), private=True) as counts:
        environment = {**os.environ, **counts.environment, "FFIBENCH_COUNT": name}
        answer = subprocess.run(["/bin/echo", "runs"], env=environment, capture_output=True, text=True, check=True)
        assert counts.snapshot().processes == 0
    assert (answer.stdout, answer.stderr) == ("runs\n", "")
