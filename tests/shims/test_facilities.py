"""What a shim has beside its functions follows from their kinds, and nothing is made that none needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from ffibench.errors import FfibenchError
from ffibench.headers.reader import parse
from ffibench.shims.facilities import Facilities, facilities
from ffibench.shims.shim import header_context
from ffibench.shims.technology import technologies

TYPES = """struct inner { int a; }; typedef struct { struct inner many[2]; double v[3]; } Outer;
struct unused { int a; }; struct point { double x, y; }; struct opaque;
"""


def needed(declarations: str, kinds: dict[str, str] | None = None, **words: set[str]) -> Facilities:
    header = parse(f'# 1 "a.h"\n{TYPES}{declarations}', Path("a.h"), kinds)
    assert not header.unfit
    return facilities(header.functions, header.structs, **words)


def test_functions_of_numbers_and_bytes_need_nothing() -> None:
    none: Facilities = {"structs": (), "struct_names": {}, "cells": False, "cell_types": (), "null": False, "frees": ()}
    assert needed("int f(int a, const char *b, double *c, int n);") == none


def test_a_struct_comes_after_what_it_is_made_of_and_once() -> None:
    found = needed("void f(struct point p, const Outer *o); struct inner g(struct point *p); void h(struct opaque *o);")
    assert [each.name for each in found["structs"]] == ["struct point", "struct inner", "Outer"]
    assert found["struct_names"] == {"struct point": "point", "struct inner": "inner", "Outer": "Outer"}
    assert found["null"]


def test_a_struct_that_is_a_handle_by_the_user_s_word_is_not_made() -> None:
    assert needed("void f(struct point *p);", {"f.p": "handle"})["structs"] == ()


def test_a_name_that_is_taken_has_struct_before_it() -> None:
    declarations = "void point(struct point *p); void f(struct inner i, Outer *o);"
    found = needed(declarations, constants={"Outer"}, keywords={"inner"})
    assert found["struct_names"] == {
        "struct point": "struct_point",
        "struct inner": "struct_inner",
        "Outer": "struct_Outer",
    }


def test_cells_are_named_by_resolved_types_each_once() -> None:
    declarations = (
        "typedef unsigned long size_t; enum e { A }; void f(size_t *a, volatile int *b, enum e *c, char **d);"
    )
    found = needed(declarations + "void g(unsigned long *a, void **b, char *c);")
    assert found["cells"]
    assert found["cell_types"] == ("unsigned long", "int", "unsigned int", "void *", "char")
    assert found["null"]  # to reset the cell of an address


def test_null_is_there_where_a_handle_is() -> None:
    assert needed("void *f(void);")["null"]
    assert not needed("int f(int *out);")["null"]


def test_what_frees_is_named_once() -> None:
    kinds = {"f.return": "owned:free", "g.return": "owned:done", "h.return": "owned:free"}
    assert needed("char *f(void); char *g(void); char *h(void); void done(char *text);", kinds)["frees"] == (
        "free",
        "done",
    )


@pytest.mark.parametrize("declarations", ["int cell(int *out);", "enum e { NULL }; int f(void *handle);"])
def test_a_header_that_has_these_names_itself_is_refused(declarations: str) -> None:
    constants = {"NULL"} if "NULL" in declarations else set[str]()
    with pytest.raises(FfibenchError, match=r"the header's own `(cell|NULL)` would hide"):
        needed(declarations, constants=constants)
    assert not needed("int cell(int in);")["cells"]


def test_a_program_has_the_structs_that_its_loops_make_though_its_binding_calls_nothing_with_them() -> None:
    (technology,) = (each for each in technologies() if (each.language, each.name) == ("ocaml", "external"))
    header = parse(f'# 1 "a.h"\n{TYPES}int f(int a); void g(struct point p);', Path("a.h"))
    noalloc = technology.narrowed("external~noalloc")
    called = header.functions
    assert header_context(noalloc, header, called[:1])["structs"] == ()
    found = header_context(noalloc, header, called[:1], called)
    assert [each.name for each in found["structs"]] == ["struct point"]
    assert [each.name for each in found["functions"]] == ["f"]
