"""Shapes: the header that prices a signature has what each argument needs, and can be read and called."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from msgspec.structs import replace

from ffibench.calls.expressions import read_calls, read_setup
from ffibench.calls.kinds import implied_kinds
from ffibench.explain.shape_files import HEADER, SOURCE, ShapeFiles, shape_files
from ffibench.explain.shapes import CALLED_MAX, Shape, plain, shapes_of
from ffibench.explain.signatures import INT, Known, Signature, of_function
from ffibench.headers.reader import Header, read_header

DECLARED = """
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
typedef struct base base_t;
typedef struct { int x; double v[2]; } pair;
struct outer { pair inner; unsigned char flag; };
enum mood { GOOD = 1 };
typedef int (*visit)(void *data, int number);
int plain(int a, int b);
int sent(void *socket, const void *buf, size_t len, int flags);
long long wide(long long a, enum mood mood, bool yes, char letter, float ratio);
base_t *opened(const char *name, base_t **out, int *error);
void used(base_t *handle, unsigned char *buffer, size_t room, double *values, size_t count);
pair moved(pair point, const struct outer *by, struct outer *into);
char *owned_text(void);
const char *text(void);
int visited(visit function, void *data, int times);
int compared(int (*compare)(const void *, const void *));
void *memory(void *const *table, const struct outer **all);
"""


@pytest.fixture(scope="module")
def header(tmp_path_factory: pytest.TempPathFactory) -> Header:
    path = tmp_path_factory.mktemp("explain") / "declared.h"
    path.write_text(DECLARED)
    return read_header(path, kinds={"owned_text.return": "owned:free"})


def read_back(files: ShapeFiles, folder: Path) -> Header:
    (folder / HEADER).write_text(files.header)
    (folder / SOURCE).write_text(files.source)
    return read_header(folder / HEADER, kinds=files.kinds)


def test_every_kind_has_a_shape_that_crosses_as_it_does(header: Header, tmp_path: Path) -> None:
    assert {each.name for each in header.refusals} == set()
    signatures = [of_function(each) for each in header.functions]
    files = shape_files(signatures, header.all_structs)
    found = read_back(files, tmp_path)
    functions = {each.name: each for each in found.functions}
    assert set(files.functions) <= set(functions)
    for shape, name in files.names.items():
        function = functions[name]
        assert len(function.parameters) == shape.arity
        assert [each.kind for each in function.parameters if each.kind != "user_data"] == [
            each.kind for each in shape.arguments
        ]
        assert function.result.kind == shape.result.kind
    wholes = [shape for each in signatures for shape in shapes_of(each, parts=False)]
    assert [[one.kind for one in shape.arguments] for shape in wholes] == [
        [one.passed.kind for one in each.arguments] for each in signatures
    ]
    assert set(wholes) <= set(files.names)


def test_the_library_compiles_without_a_warning_as_c_and_its_header_as_cpp(header: Header, tmp_path: Path) -> None:
    files = shape_files([of_function(each) for each in header.functions], header.all_structs)
    read_back(files, tmp_path)
    strict = ("-Wall", "-Wextra", "-Werror", "-I", str(tmp_path))
    subprocess.run(["cc", *strict, "-c", str(tmp_path / SOURCE), "-o", str(tmp_path / "shapes.o")], check=True)
    (tmp_path / "shapes.cpp").write_text(f'#include "{HEADER}"\n')
    subprocess.run(["c++", *strict, "-c", str(tmp_path / "shapes.cpp"), "-o", str(tmp_path / "cpp.o")], check=True)


def test_its_calls_fit_the_header(header: Header, tmp_path: Path) -> None:
    files = shape_files([of_function(each) for each in header.functions], header.all_structs)
    found = read_back(files, tmp_path)
    texts = [(text, read_setup(text)) for call in files.calls for text in call.setup]
    texts += [(call.expression, read_calls(call.expression)) for call in files.calls]
    implied = implied_kinds(texts, found)
    assert implied.items() <= {f"{f.name}.{p.name}": p.kind for f in found.functions for p in f.parameters}.items()


def signature(header: Header, name: str, known: Known | None = None) -> Signature:
    (function,) = header.select([name])
    return of_function(function, 1, known or Known())


def test_ints_need_no_shape_but_the_call(header: Header) -> None:
    assert set(shapes_of(signature(header, "plain"))) == {plain(2)} == {Shape((INT, INT))}


def test_each_argument_stands_alone_among_ints_in_its_own_place(header: Header) -> None:
    found = signature(header, "sent", Known(size=5, length="len", result=5))
    socket, data, size, flags = (each.passed for each in found.arguments)
    assert flags == INT
    assert list(shapes_of(found)) == [
        Shape((socket, data, size, INT), found.result),
        plain(4),
        Shape((socket, INT, INT, INT)),
        Shape((INT, data, INT, INT)),
        Shape((INT, INT, size, INT)),
        Shape((INT, INT, INT, INT), found.result),
    ]
    assert list(shapes_of(found, parts=False)) == [Shape((socket, data, size, INT), found.result)]


def test_what_an_experiment_knows_is_what_is_given(header: Header) -> None:
    found = signature(header, "sent", Known(size=5, length="len", result=5))
    given = {each.name: each.passed.given for each in found.arguments}
    assert given == {"socket": "h", "buf": "bytes(5)", "len": "1000", "flags": "1000"}
    assert found.result.given == "7"  # a number that the language need not make
    assert signature(header, "sent").result.given == "1000"
    assert signature(header, "sent", Known(result=2**31 - 1)).result.given == str(2**31 - 1)


def test_typedefs_change_no_price(header: Header, tmp_path: Path) -> None:
    path = tmp_path / "sizes.h"
    path.write_text("#include <stddef.h>\nint f(size_t a);\nint g(unsigned long a);\n")
    found = read_header(path)
    f, g = (of_function(each) for each in found.functions)
    assert f.arguments[0].passed == g.arguments[0].passed
    assert len(shape_files([f, g], found.all_structs).calls) == 2  # the call of ints, and that of the argument


def test_a_callback_brings_its_user_data(header: Header) -> None:
    found = signature(header, "visited")
    assert [(each.name, each.passed.with_data) for each in found.arguments] == [("function", True), ("times", False)]
    assert found.arity == 3
    files = shape_files([found], header.all_structs)
    assert any("callback(), NULL, 1000" in call.expression for call in files.calls)


def test_a_callback_that_is_called_has_a_shape_of_its_own_that_calls_it_once(tmp_path: Path) -> None:
    path = tmp_path / "back.h"
    path.write_text(
        "#include <stdbool.h>\nstruct thing;\n"
        "typedef bool (*visit)(long long a, char b, double c, const struct thing *d, void (*e)(int), void *data);\n"
        "int each(visit function, void *data);\nint none(void (*function)(void));\n"
        "enum one { ONE };\nint number(int (*function)(enum one number));\n"
    )
    declared = read_header(path)
    found = [of_function(each) for each in declared.functions]
    found = [
        replace(
            each,
            arguments=tuple(replace(one, passed=replace(one.passed, called=times)) for one in each.arguments),
        )
        for each, times in zip(found, (3, 1, 1000), strict=True)
    ]
    files = shape_files(found, declared.all_structs)
    assert [line.strip() for line in files.source.splitlines() if "a1(" in line] == [
        *["(void)a1(1000, 7, 1.5, (void *)&thing, NULL, a2);"] * (3 + 1),
        "(void)a1();",
        *["(void)a1(1000);"] * (CALLED_MAX + 1),
    ]
    called = [[each.called for each in shape.arguments if each.kind == "callback"] for shape in files.names]
    assert called == [[3], [], [0], [1], [1], [], [0], [CALLED_MAX], [0], [1]]
    read_back(files, tmp_path)
    subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-c", SOURCE, "-o", "shapes.o"], cwd=tmp_path, check=True)
