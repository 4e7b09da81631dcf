"""A counted program does what it did, and its own library's calls to itself are not taken for crossings."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from msgspec.structs import replace
from support.counted import SUBJECT, TIMES, Machine

from ffibench.audit.counting import Sum, Watch

DATA = Path(__file__).parent / "data"

# --- nothing is disturbed -------------------------------------------------------------------------


def test_structs_floats_and_variable_arguments_arrive(machine: Machine, program: Path) -> None:
    counted = machine.count(program, "shapes")
    text = "1 2.5 three 4 5.5 6.5 7.5 8.5 9.5 10.5 11.5 12.5 x"
    mixed = 0.5 - 2 * 2 + 1.5 * 3 + 4 * 4 + 2.5 * 5 + ord("a") * 6 + 3.5 * 7 - 8 * 8 + 4.5 * 9
    assert counted.out == f"{len(text)} {text}\n3 0.125 18\n{mixed:g}\n"
    shapes = ("subject_pair", "subject_many", "subject_format", "subject_mixed")
    assert counted.calls == dict.fromkeys(shapes, 1)


def test_data_keeps_its_place(machine: Machine, program: Path) -> None:
    with_call = machine.count(program, "data")
    assert with_call.out == "42 as it was 7 42\n"
    assert with_call.calls == {}


def test_errno_is_the_librarys_own(machine: Machine, program: Path) -> None:
    assert machine.count(program, "errno").out == "2 33\n"


def assert_pages_are_as_they_were(machine: Machine, program: Path) -> None:
    """Above all, `count` has held against the bare program which protections the library has."""
    *protections, writable_and_executable, descriptor = machine.count(program, "pages").out.split()
    assert {"r-xp", "rw-p"} <= set(protections)
    assert (writable_and_executable, descriptor) == ("0", "3")


def test_no_page_is_writable_and_executable_and_no_descriptor_stays_open(machine: Machine, program: Path) -> None:
    assert_pages_are_as_they_were(machine, program)


def test_thread_local_data_of_a_linked_library_finds_room(machine: Machine, tmp_path: Path) -> None:
    """Under an audit library the loader has little room for it, unless it is told to keep more."""
    source = tmp_path / "local.c"
    source.write_text(
        '__thread char local[24000] __attribute__((tls_model("initial-exec")));\n'
        "char *subject_local(void) { return local; }\n"
    )
    (tmp_path / "program.c").write_text(
        "char *subject_local(void);\nint main(void) { return subject_local()[23999]; }\n"
    )
    library = machine.library("libsubject.so", source, folder=tmp_path)
    program = machine.build("program", tmp_path / "program.c", library, folder=tmp_path)
    assert machine.count(program).calls == {"subject_local": 1}


@pytest.mark.parametrize("binding", ["lazy", "now"])
def test_a_replaced_function_stays_replaced(machine: Machine, tmp_path: Path, subject: Path, binding: str) -> None:
    """As with malloc: what is preloaded is what the program and the library call, by PLT, GOT and table."""
    source = tmp_path / "replaced.c"
    source.write_text("long subject_add(long a, long b) { return 100 * (a + b); }\n")
    replaced = machine.library("replaced.so", source, folder=tmp_path)
    built = machine.build("program", f"-Wl,-z,{binding}", DATA / "program.c", subject, "-pthread", folder=tmp_path)
    counted = machine.count(built, "itself", LD_PRELOAD=str(replaced))
    assert counted.out.splitlines()[:2] == [str(100 * (1 + 2)), str(1 + 100 * (2 + 3) + 3 * 3)]
    assert counted.calls == {"subject_itself": 10}


def test_a_preloaded_function_that_calls_the_real_one_is_its_caller(
    machine: Machine, tmp_path: Path, subject: Path, program: Path
) -> None:
    source = tmp_path / "before.c"
    source.write_text(
        "#define _GNU_SOURCE\n#include <dlfcn.h>\n"
        "long subject_add(long a, long b)\n"
        '{ return ((long (*)(long, long))dlsym(RTLD_NEXT, "subject_add"))(a, b); }\n'
    )
    before = machine.library("before.so", source, "-ldl", folder=tmp_path)
    assert machine.count(program, "add", LD_PRELOAD=str(before)).calls == {"subject_add": TIMES}


OWN = ("subject_add", "subject_wide", "subject_indirect")

# --- who binds ------------------------------------------------------------------------------------


@pytest.mark.parametrize("binding", ["lazy", "now"])
def test_a_library_that_calls_itself_is_not_counted(machine: Machine, tmp_path: Path, binding: str) -> None:
    script = f"-Wl,--version-script={DATA / 'subject.map'}"
    own = machine.library("libsubject.so", f"-Wl,-z,{binding}", script, DATA / "subject.c", folder=tmp_path)
    program = machine.build("program", DATA / "program.c", own, "-pthread", "-ldl", folder=tmp_path)
    for bind_now in ("", "1"):
        assert machine.count(program, "itself", LD_BIND_NOW=bind_now).calls == {"subject_itself": 10}


def test_the_library_refers_to_itself_in_every_way(native: Machine, tmp_path: Path) -> None:
    """What the test above goes by: a PLT entry, a GOT entry and a pointer of the subject's own functions."""
    script = f"-Wl,--version-script={DATA / 'subject.map'}"
    own = native.library("libsubject.so", "-Wl,-z,lazy", script, DATA / "subject.c", folder=tmp_path)
    listed = subprocess.run(["readelf", "-rW", str(own)], capture_output=True, text=True, check=True).stdout
    ways = {(line.split()[2], name) for line in listed.splitlines() for name in OWN if f" {name}@@" in line}
    for kind, name in (("GLOB_DAT", OWN[0]), ("64", OWN[0]), ("JUMP_SLO", OWN[1]), ("JUMP_SLO", OWN[2])):
        assert any(own == name and kind in found for found, own in ways), listed


def test_a_callback_that_enters_again_by_a_tail_call_is_counted(machine: Machine, program: Path) -> None:
    assert machine.count(program, "visit").calls == {"subject_visit": 1, "subject_wide": TIMES}


def test_two_files_that_define_the_same_functions_have_counts_of_their_own(
    machine: Machine, loader: Path, subject: Path, tmp_path: Path
) -> None:
    """What the second one refers to may be meant for the first, as far as can be known, but is not."""
    second = tmp_path / "libsubject.so"
    second.write_bytes(subject.read_bytes())
    counted = machine.count(loader, "twice", subject, second)
    calls = {
        library.path: {function.name: function.calls for function in library.functions}
        for library in counted.snapshot.libraries
    }
    assert calls[str(subject)] == {"subject_add": TIMES, "subject_itself": 1}
    assert calls[str(second)] == {"subject_add": TIMES, "subject_itself": 1}


# --- several at once ------------------------------------------------------------------------------


def test_threads_add_up(machine: Machine, program: Path) -> None:
    assert machine.count(program, "threads").calls == {"subject_add": 4 * 100 * TIMES}


def test_forks_add_up_in_one_program_image(machine: Machine, program: Path) -> None:
    counted = machine.count(program, "fork")
    assert counted.calls == {"subject_add": 4 * TIMES}
    assert counted.snapshot.processes == 1


def test_programs_that_a_program_starts_add_up(native: Machine, tmp_path: Path) -> None:
    script = f"-Wl,--version-script={DATA / 'subject.map'}"
    own = native.library("libsubject.so", script, DATA / "subject.c", folder=tmp_path)
    program = native.build("program", DATA / "program.c", own, "-pthread", "-ldl", folder=tmp_path)
    counted = native.count("/bin/sh", "-c", f"{program} add & {program} add; wait; exec {program} add")
    assert counted.calls == {"subject_add": 3 * TIMES}
    assert counted.snapshot.processes == 4


def test_loading_again_and_again_takes_no_more(machine: Machine, loader: Path, subject: Path) -> None:
    counted = machine.count(loader, "reopened", subject)
    assert counted.out == "0\n"
    assert counted.calls == {"subject_add": 1010}


# --- symbols of every kind ------------------------------------------------------------------------


def test_an_alias_is_counted_by_the_name_that_was_called(machine: Machine, program: Path) -> None:
    assert machine.count(program, "alias").calls == {"subject_add": 1, "subject_alias": 1}


def test_an_old_version_is_told_apart(machine: Machine, program: Path) -> None:
    counted = machine.count(program, "versions")
    assert counted.out == "2 1 1\n"
    assert counted.calls == {"subject_versioned": 1, "subject_versioned@SUBJECT_1": 2}


def test_an_indirect_function_is_counted_by_plt_and_by_dlsym(machine: Machine, program: Path) -> None:
    counted = machine.count(program, "indirect")
    assert counted.out == "3 6 9\n"
    assert counted.calls == {"subject_indirect": 3}


def test_ten_thousand_functions(machine: Machine, tmp_path: Path) -> None:
    """Written in assembler, of which both machines know `ret`, since a compiler takes its time."""
    numbers = range(10_000)
    functions = "".join(f".globl many_{each}\n.type many_{each}, %function\nmany_{each}: ret\n" for each in numbers)
    (tmp_path / "many.s").write_text(f'.text\n{functions}.section .note.GNU-stack,"",%progbits\n')
    (tmp_path / "all.c").write_text(
        "#include <dlfcn.h>\n#include <stdio.h>\n"
        "int main(void)\n{\n    char name[20];\n    for (int i = 0; i < 10000; i++) {\n"
        '        sprintf(name, "many_%d", i);\n'
        "        ((void (*)(void))dlsym(RTLD_DEFAULT, name))();\n    }\n    return 0;\n}\n"
    )
    library = machine.library("libmany.so", tmp_path / "many.s", folder=tmp_path)
    program = machine.build("all", tmp_path / "all.c", "-Wl,--no-as-needed", library, "-ldl", folder=tmp_path)
    counted = machine.count(program, watch=Watch(patterns=("libmany.so",)))
    assert counted.calls == {f"many_{each}": 1 for each in numbers}


def test_symbols_that_share_a_mapping_with_code(machine: Machine, tmp_path: Path) -> None:
    """As old linkers lay them out: writable for a moment, and executable again afterwards."""
    script = f"-Wl,--version-script={DATA / 'subject.map'}"
    flags = ["-Wl,-z,noseparate-code", "-Wl,-z,lazy", script]
    library = machine.library("libsubject.so", *flags, DATA / "subject.c", folder=tmp_path)
    program = machine.build("program", *flags[:2], DATA / "program.c", library, "-pthread", "-ldl", folder=tmp_path)
    assert machine.count(program, "itself").calls == {"subject_itself": 10}
    assert_pages_are_as_they_were(machine, program)


@pytest.mark.parametrize("hash_style", ["gnu", "sysv", "both"])
def test_either_table_of_names_tells_how_many_there_are(machine: Machine, tmp_path: Path, hash_style: str) -> None:
    script = f"-Wl,--version-script={DATA / 'subject.map'}"
    library = machine.library(
        "libsubject.so", f"-Wl,--hash-style={hash_style}", script, DATA / "subject.c", folder=tmp_path
    )
    program = machine.build("program", DATA / "program.c", library, "-pthread", "-ldl", folder=tmp_path)
    watch = Watch(exports=("subject_add",))
    assert machine.count(program, "itself", watch=watch).calls == {"subject_itself": 10}
    (tmp_path / "one.c").write_text("int one(void) { return 0; }\n")
    (tmp_path / "call.c").write_text("int one(void);\nint main(void) { return one(); }\n")
    one = machine.library("libone.so", f"-Wl,--hash-style={hash_style}", tmp_path / "one.c", folder=tmp_path)
    program = machine.build("call", tmp_path / "call.c", one, folder=tmp_path)
    assert machine.count(program, watch=Watch(exports=("one",))).calls == {"one": 1}


# --- sums -----------------------------------------------------------------------------------------

SERIES = TIMES * (TIMES + 1) // 2
WIDE = [SERIES, 10 * SERIES, 100 * SERIES, -SERIES % 2**64, TIMES << 40, 7 * TIMES]
NARROW = [SERIES, 10 * SERIES, 100 * SERIES, TIMES * 2**32 - SERIES, 5 * TIMES, 7 * TIMES]


@pytest.mark.parametrize("position", range(6))
def test_an_argument_is_added_up(machine: Machine, program: Path, position: int) -> None:
    """Of 64 bits as it is, of 32 as an unsigned number."""
    sums = (
        Sum(function="subject_wide", position=position),
        Sum(function="subject_narrow", position=position, bits=32),
    )
    counted = machine.count(program, "sums", watch=Watch(patterns=SUBJECT.patterns, sums=sums))
    assert counted.calls == {"subject_wide": TIMES, "subject_narrow": TIMES}
    assert counted.sums == {"subject_wide": WIDE[position], "subject_narrow": NARROW[position]}


def test_a_processor_that_cannot_add_to_memory_in_one_step_counts_as_well(arm64: Machine, tmp_path: Path) -> None:
    script = f"-Wl,--version-script={DATA / 'subject.map'}"
    subject = arm64.library("libsubject.so", script, DATA / "subject.c", folder=tmp_path)
    program = arm64.build("program", DATA / "program.c", subject, "-pthread", "-ldl", folder=tmp_path)
    old = replace(arm64, emulator=(*arm64.emulator, "-cpu", "cortex-a53"))
    assert old.count(program, "threads").calls == {"subject_add": 4 * 100 * TIMES}
    sums = (Sum(function="subject_wide", position=3), Sum(function="subject_narrow", position=3, bits=32))
    counted = old.count(program, "sums", watch=Watch(patterns=SUBJECT.patterns, sums=sums))
    assert counted.calls == {"subject_wide": TIMES, "subject_narrow": TIMES}
    assert counted.sums == {"subject_wide": WIDE[3], "subject_narrow": NARROW[3]}
    assert old.count(program, "indirect").calls == {"subject_indirect": 3}


def test_a_sum_of_a_function_that_was_not_called_is_0(machine: Machine, program: Path) -> None:
    watch = Watch(patterns=SUBJECT.patterns, sums=(Sum(function="subject_wide", position=0),))
    counted = machine.count(program, "data", watch=watch)
    assert counted.calls == {"subject_wide": 0}
    assert counted.sums == {"subject_wide": 0}
