"""A plain C header is read as a compiler would: its own functions, their lines and constants."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.headers import only, read_text, write

from ffibench.errors import FfibenchError
from ffibench.headers.preprocess import preprocess
from ffibench.headers.reader import read_header


def test_lines_are_those_of_the_header_after_includes_macros_and_bodies(tmp_path: Path) -> None:
    blank = "\n" * 10  # so many that the preprocessor leaves a line marker inside the body instead
    path = write(
        tmp_path,
        "#include <stdio.h>\n#define API extern\n\nAPI int first(void);\n"
        f"static inline int twice(int x)\n{{\n    if (x) {{ return 2 * x; }}\n{blank}    return 0;\n}}\n"
        'int second(\n    int v) __attribute__((nothrow,\n  pure)) __asm__("renamed");\nint third(void);\n',
    )
    header = read_header(path)
    assert {each.name: each.line for each in header.functions} == {"first": 4, "second": 20, "third": 23}
    assert {each.file for each in header.functions} == {str(path)}
    assert f"{path}:5: `twice`" in str(header.unfit["twice"])


def test_parts_beside_the_header_count_and_system_headers_do_not(tmp_path: Path) -> None:
    write(tmp_path, "typedef unsigned word_t;\nint part(word_t w);\nenum { PART = 7 };\n", "part.h")
    system = tmp_path / "elsewhere"
    system.mkdir()
    write(system, "#define FOREIGN 1\nint foreign(void);\n", "foreign.h")
    path = write(tmp_path / "", '#include "part.h"\n#include <foreign.h>\n#include <string.h>\nint own(word_t w);\n')
    header = read_header(path, compiler=("cc", "-isystem", str(system)))
    assert [each.name for each in header.functions] == ["part", "own"]
    assert header.constants == {"PART": 7}
    with pytest.raises(FfibenchError, match=r"api\.h declares no function `foreign`"):
        header.select(["foreign"])


def test_include_folders_and_defines_reach_the_preprocessor(tmp_path: Path) -> None:
    folder = tmp_path / "inc"
    folder.mkdir()
    write(folder, "typedef long number;\n", "number.h")
    path = write(tmp_path, "#include <number.h>\n#ifdef EXTRA\nint extra(number n);\n#endif\n")
    header = read_header(path, include=[folder], defines=["EXTRA=1"])
    assert only(header).parameters[0].type.resolved == "long"


def test_the_text_changes_with_a_constant(tmp_path: Path) -> None:
    first = preprocess(write(tmp_path, "#define A 1\nint f(void);\n"))
    assert first != preprocess(write(tmp_path, "#define A 2\nint f(void);\n"))


def test_select_keeps_the_order_asked_for_and_names_the_nearest() -> None:
    header = read_text("int alpha(void); int beta(void);")
    assert [each.name for each in header.select(["beta", "alpha"])] == ["beta", "alpha"]
    with pytest.raises(FfibenchError, match=r"api\.h declares no function `alpa`; use the nearest: alpha"):
        header.select(["alpa"])


def test_constants_are_integer_literals_and_enum_members() -> None:
    header = read_text(
        "#define A 0x10UL\n#define B (-2)\n#define C 010\n#define D 1.5\n#define E A\n#define F(x) 1\n"
        "#define G 3\n#undef G\n#define H -1U\n#define I 09\n#define _GUARD 1\n"
        "enum { J, K = 1 << 4, L, M = K | 3, N = sizeof(int), O };\ntypedef enum { P = 'p', Q = 5 } q_t;"
    )
    assert header.constants == {"A": 16, "B": -2, "C": 8, "J": 0, "K": 16, "L": 17, "M": 19}
