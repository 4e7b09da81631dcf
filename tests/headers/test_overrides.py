"""What no kind fits is refused in a sentence, and an override says what the C type does not."""

from __future__ import annotations

import pytest
from support.kinds import function, kinds_of, read, unfit

from ffibench.errors import FfibenchError


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ("const uint8_t *key", "`const uint8_t *key` has no length"),
        ("const uint8_t *data, size_t *room", "`const uint8_t *data` has no length"),
        (
            "const char *a, const uint8_t *b, const void *c, const uint8_t *d",
            "`const uint8_t *b`, `const uint8_t *d` has",
        ),
        ("long double *out", "`long double *out` points to long double"),
        ("double (*matrix)[3]", "`double (*matrix)[3]` points to neither bytes, numbers nor a struct"),
        ("opaque_t by_value", "the struct is only declared"),
        ("struct big by_value", "the struct is made of more than 16 scalars"),
        ("struct text { char *start; } by_value", "the struct holds a pointer"),
        ("struct flags { int a : 3; } by_value", "the struct has bit-fields"),
        (
            "struct outer { struct flags { int a : 3; } inner; } by_value",
            "the struct holds a struct that has bit-fields",
        ),
        ("__int128 wide", "not every binding can pass this type"),
        ("either_t by_value", "not every binding can pass this type"),
        ("double _Complex z", "not every binding can pass this type"),
        ("int (*print)(const char *, ...)", "is a callback that takes more than numbers and addresses"),
        ("void (*move)(point_t by)", "is a callback that takes more than numbers and addresses"),
        ("void *(*allocate)(size_t size)", "gives more than a number"),
        ("long double (*ask)(int)", "or a long double"),
        ("int (*ask)(long double)", "or a long double"),
        ("const char *format, ...", "takes a variable number of arguments"),
    ],
)
def test_what_no_kind_fits_is_told_with_file_line_and_function(parameters: str, reason: str) -> None:
    sentence = unfit(f"\n\nint f({parameters});")
    assert sentence.startswith("api.h:3: `f` fits no kind: ")
    assert reason in sentence


def test_the_sentence_ends_with_the_option_that_mends_it_or_the_way_around() -> None:
    assert "`--kind f.a=bytes --kind f.b=handle`" in unfit("int f(const uint8_t *a, long double *b);")
    assert unfit("int f(int, ...);").endswith("declare a plain function around it instead")
    told = unfit("const uint8_t *f(void);")
    assert "its result `const uint8_t *` is the address of values, and nothing says how many" in told
    assert "`--kind f.return=handle`" in told
    told = unfit("unsigned __int128 f(const uint8_t *key);")
    assert "its result `unsigned __int128` is no type that every binding can return" in told
    assert "`const uint8_t *key` has no length" in told
    assert told.endswith("declare a plain function around it instead")
    assert "its result `struct big` is by value: the struct is made of more" in unfit("struct big f(void);")
    assert unfit("static inline int f(void) { return 1; }").count("no library exports it") == 1


@pytest.mark.parametrize("words", ["static", "inline", "static inline", "inline static"])
@pytest.mark.parametrize("body", [";", " { return 1; }"])
def test_what_is_static_or_inline_is_in_no_library(words: str, body: str) -> None:
    assert "it is inline or static, so no library exports it" in unfit(f"{words} int f(void){body}")


def test_an_override_wins_over_the_type() -> None:
    assert kinds_of("const void *buf, size_t len", {"f.buf": "handle"}) == ["handle", "scalar"]
    assert kinds_of("int *value", {"f.value": "array"}) == ["array"]
    assert kinds_of("char *out, int n", {"f.out": "cell"}) == ["cell", "scalar"]
    assert kinds_of("const char *data, int flags", {"f.data": "bytes"}) == ["bytes", "scalar"]
    assert kinds_of("const uint8_t *v, size_t *n", {"f.v": "bytes"}) == ["bytes", "cell"]
    assert kinds_of("opaque_t **out", {"f.out": "handle"}) == ["handle"]
    assert kinds_of("int *, int", {"f.arg0": "array"}) == ["array", "scalar"]


@pytest.mark.parametrize(
    ("place", "kind", "parts"),
    [
        ("zmq_sent.buf", "bytes", ["no function `zmq_sent`", "nearest: zmq_send"]),
        ("zmq_send", "bytes", ["api.h:1: `zmq_send` has no parameter ``", "use one of: buf, len, return"]),
        ("zmq_send.bug", "bytes", ["api.h:1: `zmq_send` has no parameter `bug`", "nearest: buf"]),
        ("zmq_send.buf", "byte", ["no kind `byte`", "nearest: bytes"]),
        ("zmq_send.buf", "scalar", ["api.h:1: `zmq_send`", "`const void *buf`", "use bytes or handle"]),
        ("zmq_send.len", "void", ["`size_t len`", "use scalar"]),
        ("zmq_send.buf", "buffer", ["use bytes or handle"]),
        ("zmq_send.buf", "string", ["use bytes or handle"]),
    ],
)
def test_an_override_that_does_not_fit_is_an_error(place: str, kind: str, parts: list[str]) -> None:
    with pytest.raises(FfibenchError) as caught:
        read("int zmq_send(const void *buf, size_t len);", {place: kind})
    for part in [f"`--kind {place}={kind}`", *parts]:
        assert part in str(caught.value)


def test_a_type_that_fits_nothing_cannot_be_overridden() -> None:
    with pytest.raises(FfibenchError, match="declare a plain function around it"):
        read("int f(either_t by_value);", {"f.by_value": "handle"})


def test_a_text_may_be_owned_and_an_address_handed_on() -> None:
    owned = function("char *f(void);", {"f.return": "owned:free"}).result
    assert (owned.kind, owned.free) == ("owned", "free")
    header = read("char *f(void); void done(char *text);", {"f.return": "owned:done"})
    assert header.functions[0].result.free == "done"
    assert function("const uint8_t *f(void);", {"f.return": "handle"}).result.kind == "handle"
    assert function("char *f(void);", {"f.return": "handle"}).result.kind == "handle"


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("owned", "nothing is named that frees the text; use `owned:free_function`"),
        ("owned:fre", "declares no function `fre` to free the text; use the nearest: free"),
        ("owned:two", "`two` does not take one `void *` or `char *`"),
        ("string:free", "only an owned text is freed; leave `:free` away"),
        ("scalar", "returns `char *`, which cannot be scalar; use string or owned or handle"),
    ],
)
def test_a_result_that_cannot_be_so_is_told(kind: str, reason: str) -> None:
    with pytest.raises(FfibenchError) as caught:
        read("char *f(void); void two(char *a, int b);", {"f.return": kind})
    assert f"`--kind f.return={kind}`" in str(caught.value)
    assert reason in str(caught.value)
