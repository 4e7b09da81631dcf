"""A function has one address, inside its library and outside, since programs compare what they find."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.counted import TIMES, Machine

from ffibench.audit.counting import Watch

DATA = Path(__file__).parent / "data"


@pytest.mark.parametrize(
    "flags", [["-Wl,-z,lazy"], ["-Wl,-z,now"], ["-no-pie", "-fno-pie"]], ids=["lazy", "now", "fixed"]
)
def test_a_function_has_one_address(machine: Machine, subject: Path, tmp_path: Path, flags: list[str]) -> None:
    """To the program by its GOT, static data and a look-up, to the library by its GOT and its table."""
    program = machine.build("program", *flags, DATA / "program.c", subject, "-pthread", "-ldl", folder=tmp_path)
    counted = machine.count(program, "address")
    assert counted.out == "1 1 1\n"
    assert counted.calls == {"subject_is_add": 3}


def test_a_function_that_the_library_hands_out_is_counted(machine: Machine, program: Path) -> None:
    assert machine.count(program, "handed out").calls == {"subject_table": 1, "subject_add": 1}


def test_functions_whose_address_the_library_takes_are_named(machine: Machine, program: Path) -> None:
    for way in ("alias", "indirect", "visit"):
        functions = machine.count(program, way).library.functions
        for each in functions:
            assert each.address_taken == (each.name in {"subject_add", "subject_indirect"})


def test_a_tail_call_through_such_a_function_is_taken_for_the_librarys_own(machine: Machine, program: Path) -> None:
    """What docs/audit.md says of it: the callback returns into the library, not where the call was made."""
    counted = machine.count(program, "visit by address")
    assert counted.out == f"{TIMES * (TIMES + 1) // 2}\n"
    assert counted.calls == {"subject_visit": 1}


@pytest.mark.parametrize("pattern", ["libruby*", "*"])
def test_ruby_finds_its_extensions_to_be_of_its_own_version(native: Machine, pattern: str) -> None:
    """It compares the address of a function that it looks up with its own, and refuses to load what differs."""
    if shutil.which("ruby") is None:
        pytest.skip("no Ruby is found; apt-get install ruby")
    script = 'require "etc"; require "zlib"; puts Zlib.crc32("hello")'
    assert native.try_to_count("ruby", "-e", script, watch=Watch(patterns=(pattern,))).out == "907060870\n"
