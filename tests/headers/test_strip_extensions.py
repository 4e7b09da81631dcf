"""What compilers understand beyond C is passed over, and what it does to a type or a layout is not."""

from __future__ import annotations

import pytest
from support.headers import read_text


def withheld(text: str) -> str:
    """The structs whose layout fields do not tell, of s, t, u and v."""
    header = read_text(f"{text}\nvoid use({', '.join(f'struct {each} *{each}' for each in 'stuv')});")
    return "".join(each for each in "stuv" if "attribute or a pragma" in header.structs[f"struct {each}"].opaque)


@pytest.mark.parametrize(
    ("text", "packed"),
    [
        pytest.param("#pragma pack(1)\nstruct s { int i; };\n#pragma pack()\nstruct t { int i; };", "s", id="reset"),
        pytest.param(
            "#pragma pack(push, 1)\nstruct s { int i; };\n#pragma pack(push, 2)\nstruct t { int i; };\n"
            "#pragma pack(pop)\nstruct u { int i; };\n#pragma pack(pop)\nstruct v { int i; };",
            "stu",
            id="a stack",
        ),
        pytest.param(
            "#pragma pack(1)\n#pragma pack(push)\nstruct s { int i; };\n#pragma pack(pop)\nstruct t { int i; };",
            "st",
            id="pushed as it is",
        ),
        pytest.param("#pragma pack(push)\nstruct s { int i; };\n#pragma pack(pop)", "", id="pushed and not changed"),
        pytest.param(
            "struct s {\n#pragma pack(push, 1)\nchar c; int i;\n#pragma pack(pop)\n};\nstruct t { int i; };",
            "s",
            id="inside a struct",
        ),
    ],
)
def test_a_layout_is_withheld_as_long_as_a_pragma_packs_it(text: str, packed: str) -> None:
    assert withheld(text) == packed


@pytest.mark.parametrize(
    "attributes",
    [
        "__attribute__((packed)) __attribute__((deprecated))",
        "__attribute__((deprecated)) __attribute__((packed))",
        "__attribute((__packed__))",
        '__attribute__((scalar_storage_order("big-endian")))',
    ],
)
def test_an_attribute_among_others_withholds_the_layout_of_its_declaration_alone(attributes: str) -> None:
    assert withheld(f"struct {attributes} s {{ int i; }}; struct t {{ int i; }};") == "s"
    assert withheld(f"struct s {{ int i; }} {attributes}; struct t {{ int i; }};") == "s"


@pytest.mark.parametrize(
    "declaration",
    [
        "typedef int word __attribute__((vector_size(16))); int f(word it);",
        "typedef enum { A } __attribute__((packed)) word; int f(word it);",
        "enum __attribute__((packed)) word { A }; int f(enum word it);",
        "enum word { A } __attribute__((packed)); int f(enum word it);",
        "enum word { A } __attribute__((packed)); typedef enum word word; int f(word it);",
    ],
)
def test_a_number_that_an_attribute_changes_has_no_kind(declaration: str) -> None:
    assert "word it` by value: not every binding can pass this type" in str(read_text(declaration).unfit["f"])


def test_an_enum_beside_one_that_an_attribute_changes_keeps_its_kind() -> None:
    header = read_text("enum __attribute__((packed)) e { A };\nenum plain { B = 2 };\nint f(enum plain it);")
    assert [each.name for each in header.functions] == ["f"]
    assert header.constants == {"A": 0, "B": 2}


@pytest.mark.parametrize(
    "text",
    [
        'int f(int a) asm("renamed");',
        'int f(int a) __asm("re" "named") __attribute((pure));',
        'asm volatile ("nop; {");\nint f(int a);',
        "struct s { char x[sizeof((char[]){1, 2})]; };\nint f(int a);",
        '#pragma once\n#pragma GCC visibility push(default)\nint f(\n#pragma GCC diagnostic ignored "-Wx"\nint a);',
        "static int g(void) { if (1) { return '}'; } return 0; }\nint f(int a);",
        "typedef struct { int x; } p_t;\nstatic const p_t origin = (p_t){0};\nint f(int a);",
        "typedef struct { int x; } p_t;\nstatic const p_t two[] = {(p_t){0}, (p_t){1}};\nint f(int a);",
        "extern char x[sizeof((char[]){1, 2})];\nint f(int a);",
        "extern char x[(int){2}];\nint f(int a);",
        "static int n = 1;\nstatic int g(void) { int v = n; return v; }\nint f(int a);",
    ],
)
def test_what_changes_no_type_is_passed_over(text: str) -> None:
    (function,) = read_text(text).functions
    assert function.declaration == "int f(int a);"


def test_a_qualifier_of_the_parameter_itself_is_not_the_caller_s() -> None:
    (function,) = read_text("int f(const int a, void *const b, const void *restrict, volatile char c);").functions
    assert function.declaration == "int f(int a, void *b, const void *arg2, char c);"
