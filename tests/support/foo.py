"""A header and a library as a user has them, `foo.h` and `libfoo.so`, in a folder of their own."""

from __future__ import annotations

import subprocess
from pathlib import Path

from support.compiled import compiled

HEADER = """
#ifndef FOO_H
#define FOO_H
#ifdef __cplusplus
extern "C" {
#endif
int foo_add(int a, int b);
unsigned long foo_length(const char *text);
double foo_half(double value);
int foo_next(int step);             /* answers differently each time */
int foo_crash(int value);           /* ends the process */
int foo_print(const char *format, ...);
int foo_gone(int value);            /* the library lacks it */
void foo_reset(int value);
#ifdef __cplusplus
}
#endif
#endif
"""

SOURCE = """
#include <stdlib.h>
#include <string.h>
static int latest;
int foo_add(int a, int b) { return a + b; }
unsigned long foo_length(const char *text) { return strlen(text); }
double foo_half(double value) { return value / 2; }
int foo_next(int step) { return latest += step; }
int foo_crash(int value) { (void)value; abort(); }
int foo_print(const char *format, ...) { (void)format; return 0; }
void foo_reset(int value) { latest = value; }
"""


def foo_in(folder: Path) -> Path:
    """Write both into a folder; return the header."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "foo.h").write_text(HEADER, encoding="utf-8")
    compiled(folder / "libfoo.so", SOURCE, "-shared", "-fPIC")
    return folder / "foo.h"


def measured(cli_answer: subprocess.CompletedProcess[str]) -> str:
    """The output of a run whose rows are all valid."""
    assert cli_answer.returncode == 0, cli_answer.stdout + cli_answer.stderr
    assert "verified" in cli_answer.stdout
    return cli_answer.stdout
