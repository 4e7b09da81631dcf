"""A plain C header is read as a compiler would: its own functions, their lines, layouts and constants."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ffibench.errors import FfibenchError
from ffibench.headers.reader import Header, parse, preprocess, read_header
from ffibench.headers.types import CType, Field, Function

ZMQ = Path(__file__).parents[2] / "native/include/zmq.h"


def write(folder: Path, text: str, name: str = "api.h") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def read(text: str) -> Header:
    """Read a text that needs no preprocessor."""
    return parse(f'# 1 "api.h"\n{text}', Path("api.h"))


def only(header: Header) -> Function:
    (function,) = header.functions
    return function


def system_header(name: str, package: str) -> Header:
    path = Path("/usr/include") / name
    if not path.exists():
        pytest.skip(f"{path} is not installed; apt-get install {package}")
    return read_header(path)


def kinds(header: Header, name: str) -> list[str]:
    (function,) = header.select([name])
    return [each.kind for each in function.parameters]


# The headers that ship or that users bring


def test_zmq_gives_every_function_of_the_experiments_and_the_constants() -> None:
    header = read_header(ZMQ)
    assert kinds(header, "zmq_send") == ["handle", "bytes", "scalar", "scalar"]
    assert kinds(header, "zmq_recv") == ["handle", "buffer", "scalar", "scalar"]
    assert kinds(header, "zmq_socket") == ["handle", "scalar"]
    assert kinds(header, "zmq_bind") == ["handle", "string"]
    assert kinds(header, "zmq_setsockopt") == ["handle", "scalar", "bytes", "scalar"]
    assert kinds(header, "zmq_getsockopt") == ["handle", "scalar", "buffer", "buffer"]
    assert header.select(["zmq_getsockopt"])[0].parameters[2].length == "optvallen"
    assert set(header.unfit) == {"zmq_version"}
    options = {
        "SUBSCRIBE": 6,
        "UNSUBSCRIBE": 7,
        "LINGER": 17,
        "SNDHWM": 23,
        "RCVHWM": 24,
        "RCVTIMEO": 27,
        "SNDTIMEO": 28,
    }
    sockets = {"PUB": 1, "SUB": 2, "XPUB": 9, "XSUB": 10}
    expected = {**options, **sockets, "LAST_ENDPOINT": 32, "DONTWAIT": 1}
    assert header.constants == {f"ZMQ_{name}": value for name, value in expected.items()}


@pytest.mark.parametrize("name", ["complex.h", "stdio.h", "stdlib.h", "string.h", "pthread.h"])
def test_headers_of_the_c_library_parse_with_every_extension_on(name: str) -> None:
    path = Path("/usr/include") / name
    if not path.exists():
        pytest.skip(f"{path} is not installed; apt-get install libc6-dev")
    assert read_header(path, defines=["_GNU_SOURCE"]).unfit


def test_zmq_version_is_usable_once_the_user_says_what_its_pointers_are() -> None:
    outputs = dict.fromkeys(("zmq_version.major", "zmq_version.minor", "zmq_version.patch"), "buffer")
    assert kinds(read_header(ZMQ, kinds=outputs), "zmq_version") == ["buffer"] * 3


def test_zlib_parses() -> None:
    header = system_header("zlib.h", "zlib1g-dev")
    assert kinds(header, "crc32") == kinds(header, "adler32") == ["scalar", "bytes", "scalar"]
    assert kinds(header, "compress") == ["buffer", "buffer", "bytes", "scalar"]
    assert kinds(header, "compress2") == ["buffer", "buffer", "bytes", "scalar", "scalar"]
    assert kinds(header, "uncompress") == ["buffer", "buffer", "bytes", "scalar"]
    assert header.select(["zlibVersion"])[0].result.kind == "string"
    assert header.constants["Z_STREAM_ERROR"] == -2
    uint = header.select(["crc32"])[0].parameters[2].type
    assert (uint.category, uint.base, uint.typedefs) == ("uint", "unsigned int", ("uInt",))


def test_sqlite_parses_and_refuses_pointers_to_pointers_and_varargs() -> None:
    header = system_header("sqlite3.h", "libsqlite3-dev")
    assert kinds(header, "sqlite3_libversion") == []
    assert kinds(header, "sqlite3_bind_int") == ["handle", "scalar", "scalar"]
    for name, reason in {"sqlite3_open": "`sqlite3 **ppDb`", "sqlite3_mprintf": "variable number"}.items():
        with pytest.raises(FfibenchError, match=r"/usr/include/sqlite3\.h:\d+: ") as caught:
            header.select([name])
        assert f"`{name}`" in str(caught.value)
        assert reason in str(caught.value)


def test_math_gives_the_functions_of_its_private_parts() -> None:
    header = system_header("math.h", "libc6-dev")
    assert kinds(header, "cos") == ["scalar"]
    assert header.select(["pow"])[0].declaration.startswith("double pow(double ")
    assert "frexp" in header.unfit


# What belongs to a header, and where


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
    header = read("int alpha(void); int beta(void);")
    assert [each.name for each in header.select(["beta", "alpha"])] == ["beta", "alpha"]
    with pytest.raises(FfibenchError, match=r"api\.h declares no function `alpa`; use the nearest: alpha"):
        header.select(["alpa"])


def test_constants_are_integer_literals_and_enum_members() -> None:
    header = read(
        "#define A 0x10UL\n#define B (-2)\n#define C 010\n#define D 1.5\n#define E A\n#define F(x) 1\n"
        "#define G 3\n#undef G\n#define H -1U\n#define I 09\n#define _GUARD 1\n"
        "enum { J, K = 1 << 4, L, M = K | 3, N = sizeof(int), O };\ntypedef enum { P = 'p', Q = 5 } q_t;"
    )
    assert header.constants == {"A": 16, "B": -2, "C": 8, "J": 0, "K": 16, "L": 17, "M": 19}


# Types and layouts


def test_a_type_keeps_how_it_was_declared_and_what_it_stands_for() -> None:
    function = only(read("typedef unsigned long size_t; typedef size_t z_size_t; int f(z_size_t n);"))
    assert function.parameters[0].type == CType("uint", "unsigned long", typedefs=("z_size_t", "size_t"))
    assert function.parameters[0].type.spelling == "z_size_t"


def test_specifiers_are_canonical_in_any_order() -> None:
    function = only(
        read("int f(long unsigned int, int short, long int long, signed, signed char, double long);"),
    )
    bases = ["unsigned long", "short", "long long", "int", "signed char", "long double"]
    assert [each.type.base for each in function.parameters] == bases


def test_an_enum_is_carried_by_the_integer_that_holds_its_members() -> None:
    header = read("enum a { A }; enum b { B = -1 }; enum c { C = 0x100000000 }; int f(enum a, enum b, enum c);")
    types = [each.type for each in only(header).parameters]
    assert [each.base for each in types] == ["unsigned int", "int", "unsigned long"]
    assert [each.spelling for each in types] == ["enum a", "enum b", "enum c"]


def test_structs_are_those_that_functions_reach_with_their_fields() -> None:
    header = read(
        "struct unused { int a; }; struct in { short s; };\n"
        "typedef struct { struct in *inner; int values[3]; } out_t; struct far;\n"
        "void f(out_t *o, int (*each)(struct far *));"
    )
    assert list(header.structs) == ["out_t", "struct far", "struct in"]
    assert header.structs["struct in"].fields == (Field("s", CType("int", "short")),)
    assert header.structs["out_t"].fields[1].type == CType("array", target=CType("int", "int"), length=3)
    assert header.structs["struct far"].opaque == "is only declared, not defined"


@pytest.mark.parametrize(
    ("struct", "why"),
    [
        ("struct s { int a : 3; };", "bit-fields"),
        ("struct s { union { int a; float b; }; };", "unnamed members"),
        ("struct s { char c; int i; } __attribute__((packed));", "attribute or a pragma"),
        ("struct __attribute__((__aligned__(16))) s { int i; };", "attribute or a pragma"),
        ("#pragma pack(push, 1)\nstruct s { char c; int i; };\n#pragma pack(pop)", "attribute or a pragma"),
        ("struct s { _Alignas(16) int i; };", "_Alignas"),
    ],
)
def test_a_layout_that_fields_do_not_tell_is_withheld(struct: str, why: str) -> None:
    header = read(f"{struct}\nint by_pointer(struct s *s); struct t {{ int i; }}; int plain(struct t t);")
    assert kinds(header, "by_pointer") == ["handle"]
    assert why in header.structs["struct s"].opaque
    assert kinds(header, "plain") == ["struct"]  # the attribute ends with its declaration


def test_an_attribute_that_changes_a_type_is_not_overlooked() -> None:
    header = read("typedef int word __attribute__((mode(DI)));\nint f(word w);")
    assert "`word w`" in str(header.unfit["f"])


def test_pragma_pack_withholds_layouts_and_leaves_functions_alone() -> None:
    header = read("#pragma pack(push, 1)\ntypedef int word; int inside(word w);\n#pragma pack(pop)\nint after(int);")
    assert [each.name for each in header.functions] == ["inside", "after"]


@pytest.mark.parametrize(
    ("declaration", "overrides"),
    [
        ("int f(void);", ()),
        ("const char *f(const char *const *names, volatile int *flag);", ("names", "flag")),
        ("void f(int sig, void (*handler)(int), int (*(*make)(char))(short));", ("make",)),
        ("int f(int (*rows)[4], unsigned long (*(*make)(char))(short, ...));", ("rows", "make")),
    ],
)
def test_the_declaration_reads_back_as_it_was_written(declaration: str, overrides: tuple[str, ...]) -> None:
    kinds = {f"f.{name}": "handle" for name in overrides}
    assert only(parse(f'# 1 "api.h"\n{declaration}', Path("api.h"), kinds)).declaration == declaration


def test_the_compiler_agrees_with_every_declaration(tmp_path: Path) -> None:
    for header in (read_header(ZMQ), system_header("zlib.h", "zlib1g-dev")):
        # In parentheses, since some names are macros as well.
        declared = "\n".join(
            each.declaration.replace(f"{each.name}(", f"({each.name})(", 1) for each in header.functions
        )
        path = write(tmp_path, f'#include "{header.path}"\n{declared}\n', "again.c")
        command = ["cc", "-fsyntax-only", "-Werror", str(path)]
        assert subprocess.run(command, check=False, capture_output=True, text=True).stderr == ""


# Errors


def error_of(path: Path, **options: object) -> str:
    with pytest.raises(FfibenchError) as caught:
        read_header(path, **options)  # type: ignore[arg-type]
    return str(caught.value)


def test_a_missing_header_is_told(tmp_path: Path) -> None:
    assert f"there is no header {tmp_path / 'none.h'}" in error_of(tmp_path / "none.h")
    assert "there is no header" in error_of(tmp_path)


def test_a_missing_compiler_is_told_with_the_package(tmp_path: Path) -> None:
    path = write(tmp_path, "int f(void);")
    expected = "no C compiler `no-such-cc` found; apt-get install gcc"
    assert error_of(path, compiler=("no-such-cc",)) == expected
    assert "cannot be run" in error_of(path, compiler=(str(tmp_path),))


def test_what_the_preprocessor_refuses_is_told_by_its_first_error(tmp_path: Path) -> None:
    path = write(tmp_path, "\n#include <no/such/file.h>\n")
    assert f"{path}:2:10: fatal error: no/such/file.h" in error_of(path)


def test_c_that_cannot_be_read_is_told_by_its_line_in_the_header(tmp_path: Path) -> None:
    path = write(tmp_path, "#include <stddef.h>\nint fine(void);\n\nint broken(3);\n")
    assert f"cannot read the C declaration at {path}:4 (" in error_of(path)
    path = write(tmp_path, "#include <stddef.h>\nint fine(void);\nint open_end(\n")
    assert f"cannot read the C declaration at {path}:" in error_of(path)


# Properties

SCALAR_TYPES = ("int", "unsigned int", "unsigned char", "long long", "double", "_Bool", "char", "word_t")


@st.composite
def prototypes(draw: st.DrawFn) -> tuple[str, list[tuple[str, str, str | None]]]:
    """A prototype, and the declaration, kind and length of each of its settings."""
    parts: list[tuple[str, str, str | None]] = []
    for _ in range(draw(st.integers(0, 5))):
        shape = draw(st.sampled_from(["scalar", "string", "bytes", "buffer", "void", "struct", "small", "call"]))
        n, scalar = len(parts), draw(st.sampled_from(SCALAR_TYPES))
        match shape:
            case "scalar":
                parts.append((f"{scalar} p{n}", "scalar", None))
            case "string":
                parts.append((f"const char *p{n}", "string", None))
            case "bytes":
                pointee = draw(st.sampled_from(["void", "char", "unsigned char", "signed char"]))
                parts.append((f"const {pointee} *p{n}", "bytes", f"p{n}_len"))
                parts.append((f"{draw(st.sampled_from(['int', 'size_t']))} p{n}_len", "scalar", None))
            case "buffer":
                star = draw(st.sampled_from(["", "*"]))
                parts.append((f"{scalar} *p{n}", "buffer", f"p{n}_size"))
                parts.append((f"size_t {star}p{n}_size", "buffer" if star else "scalar", None))
            case "void":
                const = draw(st.sampled_from(["", "const "]))
                parts.append((f"{const}void *p{n}", "handle", None))
            case "struct":
                parts.append((f"struct opaque *p{n}", "handle", None))
            case "small":
                star = draw(st.sampled_from(["", "*"]))
                parts.append((f"point_t {star}p{n}", "struct_pointer" if star else "struct", None))
            case _:
                parts.append((f"{scalar} (*p{n})(const void *, {scalar})", "callback", None))
    result = draw(st.sampled_from(["void ", "int ", "const char *", "void *", "point_t "]))
    return f"{result}f({', '.join(part[0] for part in parts) or 'void'});", parts


@given(prototypes(), st.integers(0, 50))
@settings(max_examples=150, deadline=None)
def test_any_prototype_of_the_grammar_reads_back_as_it_was_written(
    prototype: tuple[str, list[tuple[str, str, str | None]]], blank: int
) -> None:
    declaration, parts = prototype
    types = "typedef unsigned long size_t; typedef unsigned word_t; typedef struct { int a, b; } point_t;"
    function = only(read(types + "\n" * (blank + 1) + declaration))
    assert function.declaration == declaration
    assert [(each.kind, each.length) for each in function.parameters] == [part[1:] for part in parts]
    assert function.line == blank + 2
