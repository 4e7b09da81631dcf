"""Functions that are written in assembly and have no type are counted; data without a type stays where it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.counted import Machine

from ffibench.audit.counting import Watch

LIBRARY = """
    .text
    .globl subject_bare, __start_subject
__start_subject:
subject_bare:
    ret
    .globl subject_typed
    .type subject_typed, %function
subject_typed:
    ret
    .section .rodata
    .globl subject_number
subject_number:
    .long 42
    .section .note.GNU-stack,"",%progbits
"""

PROGRAM = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
void subject_bare(void);
void subject_typed(void);
int main(void)
{
    const int *const number = (const int *)dlsym(RTLD_DEFAULT, "subject_number");
    for (int i = 0; i < 40; i++)
        subject_bare();
    subject_typed();
    return printf("%d\\n", *number) < 0;
}
"""


@pytest.mark.parametrize("layout", ["separate-code", "noseparate-code"])
@pytest.mark.parametrize("watch", [Watch(patterns=("libsubject.so",)), Watch(exports=("subject_bare",))])
def test_a_function_without_a_type_is_counted(machine: Machine, tmp_path: Path, layout: str, watch: Watch) -> None:
    """Also where data lies in an executable segment: the headers of sections tell it."""
    (tmp_path / "library.S").write_text(LIBRARY)
    (tmp_path / "program.c").write_text(PROGRAM)
    library = machine.library("libsubject.so", f"-Wl,-z,{layout}", tmp_path / "library.S", folder=tmp_path)
    program = machine.build("program", "-fPIC", tmp_path / "program.c", library, "-ldl", folder=tmp_path)
    counted = machine.count(program, watch=watch)
    assert counted.out == "42\n"
    assert counted.calls == {"subject_bare": 40, "subject_typed": 1}
    assert counted.library.untyped == ("subject_bare",)
