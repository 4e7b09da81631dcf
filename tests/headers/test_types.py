"""A type keeps how it was declared and what it stands for; a layout that fields do not tell is withheld."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.headers import kinds, only, read_text

from ffibench.headers.reader import parse
from ffibench.headers.types import CType, Field


def test_a_type_keeps_how_it_was_declared_and_what_it_stands_for() -> None:
    function = only(read_text("typedef unsigned long size_t; typedef size_t z_size_t; int f(z_size_t n);"))
    assert function.parameters[0].type == CType("uint", "unsigned long", typedefs=("z_size_t", "size_t"))
    assert function.parameters[0].type.spelling == "z_size_t"


def test_specifiers_are_canonical_in_any_order() -> None:
    function = only(
        read_text("int f(long unsigned int, int short, long int long, signed, signed char, double long);"),
    )
    bases = ["unsigned long", "short", "long long", "int", "signed char", "long double"]
    assert [each.type.base for each in function.parameters] == bases


def test_an_enum_is_carried_by_the_integer_that_holds_its_members() -> None:
    header = read_text("enum a { A }; enum b { B = -1 }; enum c { C = 0x100000000 }; int f(enum a, enum b, enum c);")
    types = [each.type for each in only(header).parameters]
    assert [each.base for each in types] == ["unsigned int", "int", "unsigned long"]
    assert [each.spelling for each in types] == ["enum a", "enum b", "enum c"]


def test_structs_are_those_that_functions_reach_with_their_fields() -> None:
    header = read_text(
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
    header = read_text(f"{struct}\nint by_pointer(struct s *s); struct t {{ int i; }}; int plain(struct t t);")
    assert kinds(header, "by_pointer") == ["handle"]
    assert why in header.structs["struct s"].opaque
    assert kinds(header, "plain") == ["struct"]  # the attribute ends with its declaration


def test_an_attribute_that_changes_a_type_is_not_overlooked() -> None:
    header = read_text("typedef int word __attribute__((mode(DI)));\nint f(word w);")
    assert "`word w`" in str(header.unfit["f"])


def test_pragma_pack_withholds_layouts_and_leaves_functions_alone() -> None:
    header = read_text(
        "#pragma pack(push, 1)\ntypedef int word; int inside(word w);\n#pragma pack(pop)\nint after(int);"
    )
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
