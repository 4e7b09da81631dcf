"""Which files the calls of a function come from, where that is asked for."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from msgspec.structs import replace
from support.counted import SUBJECT, TIMES, Counted, Machine

from ffibench.audit.counting import Sum

DATA = Path(__file__).parent / "data"
WATCH = replace(SUBJECT, callers=True)
PLUGIN = (
    "#include <subject.h>\nlong plug(long times) { long n = 0; while (n < times) n = subject_add(n, 1); return n; }\n"
)


def callers(counted: Counted) -> dict[str, dict[str, int]]:
    """Calls of each function by the name of the file that made them."""
    for each in counted.library.functions:
        assert sum(calls for _, calls in each.callers) == each.calls
        assert list(each.callers) == sorted(each.callers, key=lambda caller: -caller[1])
    return {each.name: {Path(path).name: calls for path, calls in each.callers} for each in counted.library.functions}


@pytest.fixture
def plugin(machine: Machine, subject: Path, tmp_path: Path) -> Path:
    (tmp_path / "plugin.c").write_text(PLUGIN)
    return machine.library("plugin.so", f"-I{DATA}", tmp_path / "plugin.c", subject, folder=tmp_path)


def test_each_call_is_of_the_file_that_it_returns_to(
    machine: Machine, subject: Path, plugin: Path, tmp_path: Path
) -> None:
    """The program and its threads, a plug-in that is loaded late, a forked child, and code in no file."""
    program = machine.build("callers", DATA / "callers.c", subject, "-pthread", "-ldl", folder=tmp_path)
    counted = machine.count(program, plugin, watch=WATCH)
    assert callers(counted) == {
        "subject_add": {"callers": 20_000, "plugin.so": 340},
        "subject_one": {"": 1},
        "subject_next": {"callers": 1},
    }
    assert dict(counted.library.functions[0].callers) == {str(program): 20_000, str(plugin): 340}


def test_none_are_told_where_they_are_not_asked_for(machine: Machine, program: Path) -> None:
    assert all(each.callers == () for each in machine.count(program, "alias").library.functions)


@pytest.mark.parametrize("way", ["shapes", "indirect", "versions", "errno", "itself"])
def test_arguments_and_results_of_every_shape_arrive(machine: Machine, program: Path, way: str) -> None:
    counted = machine.count(program, way, watch=WATCH)
    assert counted.calls == machine.count(program, way).calls
    assert all(set(by_file) == {"program"} for by_file in callers(counted).values())


def test_sums_are_as_without(machine: Machine, program: Path) -> None:
    sums = (Sum(function="subject_wide", position=5), Sum(function="subject_narrow", position=5, bits=32))
    counted = machine.count(program, "sums", watch=replace(WATCH, sums=sums))
    assert counted.sums == {"subject_wide": 7 * TIMES, "subject_narrow": 7 * TIMES}


def test_a_program_that_is_started_has_a_path_of_its_own(native: Machine, native_subject: Path, tmp_path: Path) -> None:
    program = native.build("program", DATA / "program.c", native_subject, "-pthread", "-ldl", folder=tmp_path)
    other = tmp_path / "other"
    other.write_bytes(program.read_bytes())
    other.chmod(0o755)
    counted = native.count("/bin/sh", "-c", f"{program} add; exec {other} add", watch=WATCH)
    assert callers(counted) == {"subject_add": {"program": TIMES, "other": TIMES}}


def test_ctypes_calls_by_the_library_that_makes_its_calls(native: Machine, native_subject: Path) -> None:
    script = f"import ctypes; [ctypes.CDLL({str(native_subject)!r}).subject_one() for _ in range(9)]"
    ((name, calls),) = callers(native.count(sys.executable, "-c", script, watch=WATCH))["subject_one"].items()
    assert "ffi" in name
    assert calls == 9
