"""Each kind follows from the C type; what could be guessed wrongly is refused, and the user overrides."""

from __future__ import annotations

import pytest
from support.kinds import function, kinds_of, read

from ffibench.errors import FfibenchError


@pytest.mark.parametrize(
    "type_name",
    ["int", "unsigned long", "char", "_Bool", "double", "long double", "uint32_t", "size_t", "enum colour"],
)
def test_numbers_characters_bools_and_enums_are_scalars(type_name: str) -> None:
    assert kinds_of(f"{type_name} value") == ["scalar"]


@pytest.mark.parametrize("pointee", ["void", "char", "unsigned char", "signed char", "uint8_t"])
@pytest.mark.parametrize(
    ("length", "name"),
    [
        *(("size_t anything", "anything"), ("int len", "len"), ("int nByte", "nByte"), ("unsigned n", "n")),
        *(("size_t", "arg1"), ("int", "arg1")),
    ],
)
def test_const_bytes_with_a_length_beside_them_are_bytes_in(pointee: str, length: str, name: str) -> None:
    assert kinds_of(f"const {pointee} *data, {length}") == [f"bytes:{name}", "scalar"]


def test_const_char_without_a_length_is_a_string() -> None:
    assert kinds_of("const char *path, int flags") == ["string", "scalar"]
    assert kinds_of("const char path[]") == ["string"]
    assert kinds_of("const char *") == ["string"]


LENGTHS = ["size_t room", "int count", "long bufferSize", "ssize_t _cap"]


@pytest.mark.parametrize("pointee", ["void", "char", "uint8_t"])
@pytest.mark.parametrize("length", LENGTHS)
def test_writable_memory_with_a_length_is_a_buffer(pointee: str, length: str) -> None:
    assert kinds_of(f"{pointee} *out, {length}") == [f"buffer:{length.split()[1]}", "scalar"]


@pytest.mark.parametrize("pointee", ["int", "const int", "double", "const double", "size_t", "_Bool", "enum colour"])
@pytest.mark.parametrize("length", LENGTHS)
def test_numbers_with_a_length_beside_them_are_an_array(pointee: str, length: str) -> None:
    assert kinds_of(f"{pointee} *items, {length}") == [f"array:{length.split()[1]}", "scalar"]


@pytest.mark.parametrize("parameter", ["const double *v", "const int v[4]", "double v[4]", "double v[]", "vector_t v"])
def test_numbers_declared_as_an_array_or_only_read_are_an_array(parameter: str) -> None:
    header = read(f"typedef double vector_t[3]; int f({parameter});")
    assert [each.kind for each in header.functions[0].parameters] == ["array"]


@pytest.mark.parametrize(
    ("parameters", "kinds"),
    [
        ("double *to, const double *from, size_t n", ["array:n", "array:n", "scalar"]),
        ("const int *a, const int *b, int *sum, int n", ["array:n", "array:n", "array:n", "scalar"]),
        ("uint8_t *to, const uint8_t *from, size_t n", ["buffer:n", "bytes:n", "scalar"]),
        ("const uint8_t *a, const uint8_t *b, size_t n", ["bytes:n", "bytes:n", "scalar"]),
        ("char *to, const char *from, size_t n", ["buffer:n", "bytes:n", "scalar"]),
        ("const char *name, const char *text, size_t n", ["string", "bytes:n", "scalar"]),
        ("void *context, const void *data, size_t n", ["handle", "bytes:n", "scalar"]),
        ("int *error, const double *items, size_t n", ["cell", "array:n", "scalar"]),
        ("int *low, int *high, int flags", ["cell", "cell", "scalar"]),
        ("const double *items, size_t n, double *mean", ["array:n", "scalar", "cell"]),
    ],
)
def test_pointers_to_one_type_in_a_row_share_the_length_behind_them(parameters: str, kinds: list[str]) -> None:
    assert kinds_of(parameters) == kinds


def test_bytes_declared_as_an_array_are_bytes_or_a_buffer() -> None:
    assert kinds_of("uint8_t digest[16]") == ["buffer"]
    assert kinds_of("const uint8_t key[16]") == ["bytes"]
    assert kinds_of("char name[]") == ["buffer"]


@pytest.mark.parametrize(
    "pointee", ["int", "size_t", "double", "char", "uint8_t", "_Bool", "enum colour", "volatile int"]
)
def test_a_lone_pointer_to_a_scalar_is_a_cell(pointee: str) -> None:
    assert kinds_of(f"{pointee} *out") == ["cell"]


@pytest.mark.parametrize(
    "parameters", ["int *major, int *minor", "size_t *width, size_t *height", "int *in_len, int *out_len"]
)
def test_pointers_to_scalars_beside_each_other_are_cells(parameters: str) -> None:
    assert kinds_of(parameters) == ["cell", "cell"]


@pytest.mark.parametrize("parameter", ["opaque_t **out", "const char **tail", "void **out", "char ***rows"])
def test_the_address_of_an_address_is_a_cell(parameter: str) -> None:
    assert kinds_of(parameter) == ["cell"]


@pytest.mark.parametrize("parameter", ["const char *const *names", "char *argv[]", "opaque_t *const *all"])
def test_addresses_in_a_row_are_the_caller_s_to_answer_for(parameter: str) -> None:
    assert kinds_of(parameter) == ["handle"]


def test_a_length_may_be_handed_by_pointer_and_is_then_a_cell() -> None:
    assert kinds_of("void *out, size_t *room") == ["buffer:room", "cell"]
    assert kinds_of("uint8_t *dest, unsigned long *destLen") == ["buffer:destLen", "cell"]
    assert kinds_of("double *items, size_t *count, int n") == ["array", "cell", "scalar"]


def test_an_address_before_a_number_that_is_no_length_stays_a_handle() -> None:
    assert kinds_of("void *context, int type") == ["handle", "scalar"]
    assert kinds_of("void *, int") == ["handle", "scalar"]
    assert kinds_of("void *socket, void *buf, size_t len") == ["handle", "buffer:len", "scalar"]
    assert kinds_of("const void *key") == ["handle"]


def test_a_product_of_two_lengths_is_not_taken_for_either() -> None:
    assert kinds_of("void *data, size_t size, size_t nmemb") == ["buffer", "scalar", "scalar"]
    assert kinds_of("const void *data, size_t size, size_t count") == ["bytes", "scalar", "scalar"]


@pytest.mark.parametrize(
    "name",
    [
        *("n", "nb", "num", "sz", "count", "cnt", "cap", "capacity", "amount", "len1", "_size_"),
        *("optlen", "length", "buf_size", "nbyte", "nBytes", "nitems", "nmemb", "nelem", "nelems", "itemCount"),
    ],
)
def test_a_number_beside_memory_is_a_length_by_its_name(name: str) -> None:
    assert kinds_of(f"void *out, int {name}") == [f"buffer:{name}", "scalar"]


@pytest.mark.parametrize("name", ["account", "option", "escape", "lend", "size_class", "lenient"])
def test_a_name_that_only_contains_such_a_word_is_none(name: str) -> None:
    assert kinds_of(f"void *out, int {name}") == ["handle", "scalar"]


def test_the_type_of_a_socket_address_s_length_says_so_without_a_name() -> None:
    header = read("typedef unsigned socklen_t; int f(const void *address, socklen_t what);")
    assert [(each.kind, each.length) for each in header.functions[0].parameters] == [
        ("bytes", "what"),
        ("scalar", None),
    ]


def test_structs_that_are_large_or_only_declared_are_handles_even_before_a_size() -> None:
    assert kinds_of("opaque_t *it, size_t size") == ["handle", "scalar"]
    assert kinds_of("struct big *it") == ["handle"]
    assert kinds_of("either_t *it") == ["handle"]


def test_structs_go_by_value_and_by_pointer_unless_there_are_many() -> None:
    assert kinds_of("point_t by_value, const point_t *by_pointer") == ["struct", "struct_pointer"]
    assert kinds_of("point_t *points, size_t count") == ["handle", "scalar"]
    assert kinds_of("point_t triangle[3]") == ["handle"]
    assert function("point_t f(void);").result.kind == "struct"


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ("int a, b, c, d, e, f, g, h;", "struct_pointer"),
        ("int a; char *b;", "handle"),
        ("int a; union { int i; float f; } b;", "handle"),
        ("int a; double b[15];", "struct_pointer"),
        ("int a; double b[4][4];", "handle"),
        ("int a; double b[];", "handle"),
        ("point_t from, to; struct { char name[12]; } inner;", "handle"),
        ("point_t from, to; point_t others[6];", "struct_pointer"),
        ("point_t from, to; point_t others[7];", "handle"),
        ("int a; long double b;", "handle"),
    ],
)
def test_a_struct_is_made_of_up_to_16_scalars_nested_and_in_arrays(fields: str, kind: str) -> None:
    header = read(f"struct it {{ {fields} }}; void f(struct it *it);")
    assert [each.kind for each in header.functions[0].parameters] == [kind]


def test_function_pointers_are_callbacks_by_typedef_or_inline() -> None:
    assert kinds_of("visit_t visit, int flags") == ["callback", "scalar"]
    assert kinds_of("int (*compare)(const void *, const void *)") == ["callback"]
    assert kinds_of("int compare(const void *, const void *)") == ["callback"]


@pytest.mark.parametrize(
    "parameters",
    [
        "visit_t visit, void *context",
        "void (*done)(void *), void *context",
        "void (*done)(int, const char *, void *), void *",
        "int (*compare)(const void *, const void *, void *), void *context, int flags",
    ],
)
def test_a_plain_address_after_a_callback_that_takes_one_is_its_user_data(parameters: str) -> None:
    assert kinds_of(parameters)[:2] == ["callback", "user_data"]


@pytest.mark.parametrize(
    "parameters",
    [
        "void *context, visit_t visit",  # before it
        "visit_t visit, int flags, void *context",  # apart from it
        "visit_t visit, opaque_t *context",  # known to C
        "visit_t visit, const void *context",
        "visit_t visit, void *memory, size_t size",  # memory
        "void (*free)(void *data, void *hint), void *hint",  # which of two
        "void (*middle)(int, void *, int), void *context",  # neither first nor last
        "void (*done)(int), void *context",  # none at all
        "visit_t first, visit_t second, void *context",  # of both, or of one
        "visit_t first, void *context, visit_t second",
    ],
)
def test_any_other_address_is_no_user_data(parameters: str) -> None:
    assert "user_data" not in kinds_of(parameters)


def test_user_data_can_be_overridden_and_not_chosen() -> None:
    assert kinds_of("visit_t visit, void *it", {"f.it": "handle"}) == ["callback", "handle"]
    assert kinds_of("visit_t visit, void *it", {"f.visit": "handle"}) == ["handle", "handle"]
    with pytest.raises(FfibenchError, match="use buffer or handle"):
        kinds_of("int flags, void *it", {"f.it": "user_data"})


def test_a_callback_says_what_c_gives_and_takes() -> None:
    (callback,) = function("void f(double (*ask)(const char *, enum colour, void *), void *it);").callbacks
    assert (callback.name, callback.data, callback.result.kind) == ("ask", "it", "scalar")
    assert [each.kind for each in callback.arguments] == ["handle", "scalar", "user_data"]
    (alone,) = function("void f(void (*ask)(void *));").callbacks
    assert (alone.data, alone.result.kind) == (None, "void")
    assert [each.kind for each in alone.arguments] == ["handle"]
    (apart,) = function("void f(void (*ask)(void *), int flags);").callbacks
    assert (apart.data, [each.kind for each in apart.arguments]) == (None, ["handle"])
    assert function("int f(int flags);").callbacks == ()


@pytest.mark.parametrize(
    ("result", "kind"),
    [
        *(("void", "void"), ("int", "scalar"), ("enum colour", "scalar"), ("const char *", "string")),
        *(("char *", "string"), ("void *", "handle"), ("opaque_t *", "handle"), ("either_t *", "handle")),
        *(("const char *const *", "handle"), ("struct big *", "handle"), ("point_t *", "handle")),
    ],
)
def test_results_have_kinds(result: str, kind: str) -> None:
    assert function(f"{result} f(void);").result.kind == kind


def test_unnamed_parameters_are_named_by_position_without_a_clash() -> None:
    made = function("int f(int, int arg2, int);")
    assert [each.name for each in made.parameters] == ["arg0", "arg2", "arg2_"]
