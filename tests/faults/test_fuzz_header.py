"""Headers come from other people too: whatever is in one, it is read, or refused in a sentence that names the line.

Declarations of a grammar, real headers with pieces of them moved about, and plain bytes.
"""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ffibench.errors import FfibenchError
from ffibench.headers.preprocess import preprocess
from ffibench.headers.reader import Header, parse, read_header
from ffibench.headers.types import KINDS

ROOT = Path(__file__).parents[2]
HEADERS = [*sorted((ROOT / "native/include").glob("*.h")), ROOT / "tests/shims/data/kinds.h"]
NESTING_MAX = 6

fuzzed = settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])

scalars = st.sampled_from(
    "int;unsigned char;signed char;char;long long;unsigned long int;float;double;long double;_Bool;word_t;enum colour;"
    "_Complex double;__int128;__builtin_va_list;_Float128;unknown_t;short long;void".split(";")
)
structs = st.sampled_from(["struct point", "point_t", "struct opaque", "union either", "struct { int a : 3; }"])
qualifiers = st.sampled_from(["", "", "const ", "volatile ", "_Atomic "])
names = st.one_of(
    st.just(""),
    st.sampled_from(["n", "len", "data_size", "buf", "int", "f", "self", "\N{GREEK SMALL LETTER ALPHA}", "a$b", "_0"]),
    st.from_regex(r"[a-z_]\w{0,8}", fullmatch=True),
)


def declarator(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """A pointer, an array or a function around a declarator."""
    return st.one_of(
        inner.map(lambda text: f"*{text}"),
        inner.map(lambda text: f"*const {text}"),
        st.tuples(inner, st.sampled_from(["", "4", "N", "sizeof(int)", "-1", "static 2"])).map(
            lambda pair: f"({pair[0]})[{pair[1]}]"
        ),
        inner.map(lambda text: f"(*{text})(int, const void *, ...)"),
        inner.map(lambda text: f"({text})(void)"),
    )


declarators = st.recursive(names, declarator, max_leaves=NESTING_MAX)
declared = st.tuples(qualifiers, st.one_of(scalars, structs), declarators).map(lambda parts: "{}{} {}".format(*parts))
functions = st.tuples(
    st.sampled_from(["", "extern ", "static ", "static inline ", "__attribute__((packed)) ", "typedef "]),
    st.one_of(scalars, structs),
    st.sampled_from(["*", "", "**", "const *"]),
    st.from_regex(r"[a-z_]\w{0,6}", fullmatch=True),
    st.lists(declared, max_size=6).map(", ".join),
    st.sampled_from([";", ", ...);", " { return 0; }", ";;", "", ' __asm__("x");', " __attribute__((nothrow));"]),
).map(lambda parts: "{}{} {}{}({}){}".format(*parts))
GIVEN = """typedef unsigned word_t; enum colour { RED, N = 4 }; union either { int i; float f; };
struct point { int x, y; }; typedef struct point point_t;
"""
TOKENS = """int char void const unsigned struct union enum typedef static inline f x s ( ) { } [ ] * , ; : =
... 1 0x 09 1uu << / # #define #pragma pack( _Pragma __attribute__((packed)) asm( ' " sizeof _Alignas"""
words = st.lists(st.sampled_from([*TOKENS.split(), "\n"]), max_size=40).map(" ".join)


def assert_read_or_refused(text: str) -> Header | None:
    """Read a preprocessed text; an error, of all of it or of one function, is a sentence with file and line."""
    try:
        header = parse(f'# 1 "api.h"\n{text}', Path("api.h"))
    except FfibenchError as error:
        told = str(error)
    else:
        for name, sentence in ((name, str(error)) for name, error in header.unfit.items()):
            assert re.match(rf"[^\n]*:\d+: `{re.escape(name)}` fits no kind: .+; .+", sentence), sentence
        for function in header.functions:
            assert {each.kind for each in function.parameters} <= set(KINDS)
            assert len({each.name for each in function.parameters}) == len(function.parameters)
            assert function.line > 0
        return header
    assert re.search(r"api\.h(:\d+| declares|: its declarations)|at .*:\d+", told), told
    assert "\n" not in told
    return None


@fuzzed
@given(lines=st.lists(functions, min_size=1, max_size=4))
def test_declarations_of_a_grammar(lines: list[str]) -> None:
    assert_read_or_refused(GIVEN + "\n".join(lines))


@pytest.fixture(scope="module")
def texts() -> dict[str, list[str]]:
    """The real headers, preprocessed and in pieces: words, signs, blanks."""
    return {path.name: re.findall(r"\w+|\s+|.", preprocess(path)) for path in HEADERS}


@fuzzed
@given(data=st.data())
def test_real_headers_with_pieces_moved_about(data: st.DataObject, texts: dict[str, list[str]]) -> None:
    pieces = list(texts[data.draw(st.sampled_from(sorted(texts)))])
    for _ in range(data.draw(st.integers(1, 5))):
        at, to = (data.draw(st.integers(0, len(pieces) - 1)) for _ in range(2))
        match data.draw(st.sampled_from(["drop", "double", "swap", "cut", "put"])):
            case "drop":
                pieces[at] = ""
            case "double":
                pieces[at] *= 2
            case "swap":
                pieces[at], pieces[to] = pieces[to], pieces[at]
            case "cut":
                del pieces[at : at + 200]
                pieces = pieces or [";"]
            case _:
                pieces[at] = data.draw(
                    st.sampled_from(['"', "'", "/*", "#", "\\", "{", ")", "*" * 500, "\0", "\N{SNOWMAN}"])
                )
    assert_read_or_refused("".join(pieces))


@fuzzed
@given(text=st.one_of(st.text(), st.binary(max_size=200).map(lambda data: data.decode("latin-1")), words))
@example(text="(" * 5000)
@example(text="int " + "*" * 5000 + "p; int f(int " + "*" * 5000 + ");")
@example(text="enum { A = 1 << 99999999999, B = 9999999999999999999999999999999999999999, C = -A };")
@example(text="#define A " + "9" * 10000)
@example(text="# " + "9" * 10000 + ' "x.h"\nint f(void);')
@example(text="typedef f f; f f(f f);")
@example(text="struct s { struct s s; }; int f(struct s s);")
@example(text="int f(a, b) int a; char b; { return a; }")
@example(text="int f(int f(int f(int f(int))));")
def test_any_text(text: str) -> None:
    assert_read_or_refused(text)


@settings(deadline=None, max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=100))
@example(data=b"\xff\xfeint f(void);")
@example(data=b'#include "api.h"\n')
@example(data=b"#error \x1b[31mred\n")
@example(data=b"int f(void);\0int g(void);")
def test_bytes_in_a_file_that_the_compiler_is_given(data: bytes, tmp_path: Path) -> None:
    """With the preprocessor before the reader; what it says is repeated without what a terminal acts on."""
    path = tmp_path / "api.h"
    path.write_bytes(data)
    try:
        header = read_header(path)
    except FfibenchError as error:
        told = str(error)
    else:
        assert header.path == path
        return
    assert str(path) in told
    assert told.replace("\n", "").isprintable()


@fuzzed
@given(place=st.text(max_size=20), kind=st.one_of(st.sampled_from(KINDS), st.text(max_size=10)))
@example(place="f.data", kind="handle")
@example(place="f.", kind="handle")
@example(place=".", kind="")
def test_kinds_that_a_user_gives(place: str, kind: str) -> None:
    text = '# 1 "api.h"\nint f(const void *data, int size);'
    try:
        header = parse(text, Path("api.h"), {place: kind})
    except FfibenchError as error:
        told = str(error)
    else:
        assert [each.name for each in header.functions] == ["f"]
        return
    assert told.startswith("`--kind ")
    assert told.replace("\n", "").replace("\t", "").isprintable()


def test_the_real_headers_are_read_whole() -> None:
    """The pieces above begin where all is well, and lines go up in each file."""
    for path in HEADERS:
        header = read_header(path)
        assert header.functions
        for file in {each.file for each in header.functions}:
            own = [each.line for each in header.functions if each.file == file]
            assert all(one < next_ for one, next_ in pairwise(own))
