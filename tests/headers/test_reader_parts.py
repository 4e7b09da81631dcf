"""What counts as a header's own, and as its constants, however its parts are found and the compiler is set."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from support.headers import read_text

from ffibench.errors import FfibenchError
from ffibench.headers.reader import Header, parse, read_header


def written(folder: Path, files: Mapping[str, str]) -> Path:
    """Write files below a folder; the first is the header."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder / next(iter(files))


def names(header: Header) -> list[str]:
    return [each.name for each in header.functions]


def test_a_part_from_another_folder_does_not_count_nor_does_what_it_includes(tmp_path: Path) -> None:
    files = {
        "api/api.h": '#include <other.h>\n#include "below/part.h"\nint own(void);\n',
        "api/below/part.h": "int part(void);\n",
        "api/inner.h": "int inner(void);\n",
        "else/other.h": "#include <inner.h>\nenum { OTHER = 1 };\n#define MORE 2\nint other(void);\n",
    }
    header = read_header(written(tmp_path, files), include=[tmp_path / "else", tmp_path / "api"])
    assert names(header) == ["part", "own"]
    assert header.constants == {}


def test_what_the_compiler_defines_itself_is_no_constant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as `linux` and `unix`, which seem to lie in the folder of a header that is named without one."""
    written(tmp_path, {"api.h": "#define OWN 1\nint f(void);\n"})
    monkeypatch.chdir(tmp_path)
    header = read_header(Path("api.h"))
    assert (names(header), header.constants) == (["f"], {"OWN": 1})
    clang = '# 1 "<built-in>" 1\n#define linux 1\n# 1 "api.h" 2\n#define OWN 2\nint g(void);'
    assert (names(read_text(clang)), read_text(clang).constants) == (["g"], {"OWN": 2})


def test_the_language_is_the_same_whatever_the_compiler_is_set_to(tmp_path: Path) -> None:
    lines = ["#if __STDC_VERSION__ == 201112L", "int f(void);", "#else", "int newer(void);", "#endif", ""]
    path = written(tmp_path, {"api.h": "\n".join(lines)})
    assert names(read_header(path)) == names(read_header(path, compiler=("cc", "-std=gnu17"))) == ["f"]


def test_what_is_refused_inside_an_include_is_told_by_its_own_line(tmp_path: Path) -> None:
    path = written(tmp_path, {"api.h": '#include "part.h"\n', "part.h": "\n#error no such system\n"})
    with pytest.raises(FfibenchError, match=r"part\.h:2:2: error: #error no such system; name the folder"):
        read_header(path)


def test_a_path_that_has_error_in_it_is_not_told_as_the_error(tmp_path: Path) -> None:
    path = written(tmp_path, {"errors.h": '#include "error: part.h"\n', "error: part.h": "\n#error no such system\n"})
    with pytest.raises(FfibenchError, match=r"cannot preprocess .*errors\.h: .*part\.h:2:2: error: #error no such"):
        read_header(path)


@pytest.mark.parametrize("words", ["__inline", "__inline__", "__extension__ static __inline"])
def test_inline_functions_are_known_by_every_word_for_them(tmp_path: Path, words: str) -> None:
    path = written(tmp_path, {"api.h": f"{words} int within(int v) {{ return v; }}\nint outside(int v);\n"})
    header = read_header(path)
    assert names(header) == ["outside"]
    assert "it is inline or static, so no library exports it" in str(header.unfit["within"])


def test_a_function_declared_twice_is_read_where_it_stands_first() -> None:
    (function,) = read_text("\nint f(int value);\nint g;\nint f(int);\n").functions
    assert function.line == 2
    assert function.declaration == "int f(int value);"


def test_a_constant_has_the_last_value_that_its_name_was_given() -> None:
    header = read_text(
        "#define A 1\n#define A 2\n#define B 1\n#define B A\n#define C 1\n#undef C\n#define C 3\n"
        "enum { D = 4 };\n#define D 5\n#define _E 6\nenum { _F = 7 };\n"
    )
    assert header.constants == {"A": 2, "C": 3, "D": 5}


def test_a_function_is_hidden_where_a_macro_has_its_name_at_the_end() -> None:
    header = read_text(
        "int f(int);\nint g(int);\nint h(int);\nint i(int);\n#define f(n) 1\n#define g i\n#define h h\n#undef h\n"
    )
    assert {each.name: each.hidden for each in header.functions} == {"f": True, "g": True, "h": False, "i": False}


@pytest.mark.parametrize("meaning", ["", "1.5", "(1 + 1)", "other(1)", "A_OF_ELSEWHERE", "-1U"])
def test_a_constant_that_was_given_no_integer_at_last_is_none(meaning: str) -> None:
    assert read_text(f"#define A 1\n#define A {meaning}\n#define B 2\n").constants == {"B": 2}
    assert read_text("#define A 1\n#define A(x) x\n").constants == {}


def test_a_constant_that_another_header_gives_another_value_is_none() -> None:
    text = '#define A 1\n#define B 2\n# 1 "/usr/include/other.h" 1 3\n#define A 3\n#define B 2\n#define C 4\n'
    assert read_text(f'{text}# 4 "api.h" 2\nint f(void);').constants == {"B": 2}


def test_a_struct_that_is_only_returned_is_among_the_structs() -> None:
    assert list(read_text("struct unused { int a; }; struct pair { int a, b; }; struct pair f(void);").structs) == [
        "struct pair"
    ]


def test_an_enum_is_carried_by_an_unsigned_number_unless_a_member_asks_for_more() -> None:
    ends = {"0x7fffffff": "unsigned int", "0x80000000": "unsigned int", "0xffffffff": "unsigned int"}
    more = {"0x100000000": "unsigned long", "-1": "int", "-2147483648": "int", "-2147483649": "long"}
    for value, base in {**ends, **more}.items():
        (function,) = read_text(f"enum e {{ NONE, MEMBER = {value} }}; int f(enum e it);").functions
        assert (value, function.parameters[0].type.base) == (value, base)


def test_members_are_worked_out_as_far_as_they_do_not_depend_on_a_width() -> None:
    header = read_text(
        "enum { A = ~0, B = 5 - 7, C = 6 ^ 3, D = 6 & 3, E = +1, F = 3 * 4, G = -1L, H = 1ull << 2, I };\n"
        "enum { J = -1U, K };\nenum { L = 1 << 64, M };\nenum { N = 0xFFFFFFFFFFFFFFFFull, O = 0b11 };"
    )
    first = {"A": -1, "B": -2, "C": 5, "D": 2, "E": 1, "F": 12, "G": -1, "H": 4, "I": 5}
    assert header.constants == {**first, "N": 2**64 - 1, "O": 3}


def test_a_type_without_its_typedefs_is_written_as_c_would_write_it() -> None:
    text = "typedef int call(char); typedef int row[4]; typedef call *call_t; int f(call *a, row *b, call_t c);"
    (function,) = parse(f'# 1 "api.h"\n{text}', Path("api.h"), {"f.b": "handle"}).functions
    assert function.declaration == "int f(call *a, row *b, call_t c);"
    resolved = [each.type.declare(each.name, resolved=True) for each in function.parameters]
    assert resolved == ["int (*a)(char)", "int (*b)[4]", "int (*c)(char)"]


def test_of_a_name_that_is_not_declared_the_nearest_three_are_told_or_all_of_a_few() -> None:
    few = read_text(" ".join(f"int work_{letter}(void);" for letter in "abcdefghi"))
    with pytest.raises(FfibenchError, match=r"`work_z`; use the nearest: work_\w, work_\w, work_\w$"):
        few.select(["work_z"])
    with pytest.raises(FfibenchError, match=r"`other`; use one of: work_a, .*, work_i$"):
        few.select(["other"])
    with pytest.raises(FfibenchError, match=r"`other`; use a name that stands in the header$"):
        read_text(" ".join(f"int work_{letter}(void);" for letter in "abcdefghij")).select(["other"])
