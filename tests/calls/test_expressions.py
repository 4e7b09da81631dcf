"""An expression is read by Python's grammar and never evaluated; what is no call is refused in a sentence."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ffibench.calls import values
from ffibench.calls.expressions import filled, places, read_calls, read_setup
from ffibench.calls.values import (
    Argument,
    Array,
    Buffer,
    Bytes,
    Callback,
    Fields,
    InOut,
    Name,
    Null,
    Number,
    Out,
    Step,
    Text,
)
from ffibench.errors import FfibenchError

FORMS: dict[str, Argument] = {
    "1": Number(1),
    "-1": Number(-1),
    "+1": Number(1),
    "0x10": Number(16),
    "1_000": Number(1000),
    "0.5": Number(0.5),
    "-0.5": Number(-0.5),
    "1e999": Number(float("inf")),
    "True": Number(True),
    "2**64 - 1": Number(2**64 - 1),
    "-2**63": Number(-(2**63)),
    "-(2**63)": Number(-(2**63)),
    "1 << 20": Number(1 << 20),
    "3 * 1024 + 1": Number(3073),
    '"five5"': Text(b"five5"),
    "'five5'": Text(b"five5"),
    '""': Text(b""),
    '"caf\\u00e9"': Text("café".encode()),
    '"ab" "cd"': Text(b"abcd"),
    '"ab" * 3': Text(b"ababab"),
    'b"\\x00\\xff"': Bytes(b"\x00\xff", 2),
    'b"ab" * 3': Bytes(b"ab", 6),
    "bytes(0)": Bytes(bytes(range(256)), 0),
    "bytes(1 << 10)": Bytes(bytes(range(256)), 1024),
    "buffer(16)": Buffer(16),
    'array("d", 100)': Array("d", (), 100),
    'array("i", [3, -1, 2])': Array("i", (3, -1, 2)),
    'array("f", [0.5])': Array("f", (0.5,)),
    "out(x)": Out("x"),
    'inout("unsigned long", 10)': InOut("unsigned long", 10),
    'inout("int", -1, x)': InOut("int", -1, "x"),
    "callback()": Callback(0),
    "callback(-3)": Callback(-3),
    "NULL": Null(),
    "Z_OK": Name("Z_OK"),
    "Point()": Fields("Point"),
    "Point(1, -2.5)": Fields("Point", (Number(1), Number(-2.5))),
    "Point(x=1, inner=Pair(2), v=[3, 4])": Fields(
        "Point", (), (("x", Number(1)), ("inner", Fields("Pair", (Number(2),))), ("v", (Number(3), Number(4))))
    ),
}

REFUSED = {
    "": "--call '' calls nothing",
    "# nothing": "calls nothing",
    "f(": "--call 'f(' cannot be read: '(' was never closed",
    "f(0" + "9" * 5000 + ")": "cannot be read",
    "f(\0)": "cannot be read",
    "1 + 1": "--call '1 + 1' is no call of a function",
    "f": "is no call of a function",
    "f.g(1)": "is no call of a function",
    "f(1)(2)": "is no call of a function",
    "import os": "is no call; write calls alone",
    "x, y = f()": "is no call; write calls alone",
    "x = y = f()": "is no call; write calls alone",
    "x += f()": "is no call; write calls alone",
    "if f(): g()": "is no call; write calls alone",
    "f(1) == 0": "is a test; leave it out: what a call answers is compared with C's own answer",
    "f(x=1)": "has arguments with names; functions of C take them by their position",
    "f(*x)": "`*x` in --call 'f(*x)' is no argument; arguments are numbers",
    "f(x.y)": "is no argument",
    "f(None)": "is no argument",
    "f(1 + x)": "is no argument",
    "f(1 / 2)": "is no argument",
    "f(1j)": "is no argument",
    "f(...)": "is no argument",
    "f([1, 2])": "is no argument",
    "f(lambda: 0)": "is no argument",
    "f('a\\0b')": 'has a NUL byte inside, where a string of C ends; write b"..." for bytes',
    "f('a' * -1)": "is no argument",
    "f('a' * 2 * 2**30)": "are the most",
    "f(2**65)": "`2**65` in --call 'f(2**65)' is a number that no type of C holds; write one from -2**63 to 2**64 - 1",
    "f(2**2**64)": "is no argument",
    "f(0x1" + "0" * 4000 + ")": "is a number that no type of C holds",
    "f(bytes())": "does not say how much; write a whole number, as in bytes(1024)",
    "f(bytes(-1))": "does not say how much",
    "f(bytes(True))": "does not say how much",
    "f(buffer(0.5))": "does not say how much",
    "f(bytes(2**40))": "has 1,099,511,627,776 bytes; 1,073,741,824 are the most",
    "f(array('x', 3))": 'is no array of numbers; write array("d", 100)',
    "f(array(3))": "is no array of numbers",
    "f(array('u', 3))": "is no array of numbers",
    "f(array('i', []))": "has 0 numbers; write 1 to 1000",
    "f(array('B', [256]))": "is no array of numbers: unsigned byte integer is greater than maximum",
    "f(array('i', [0.5]))": "is no array of numbers",
    "f(array('b', 129))": "counts beyond its type; take a wider type, or fewer items",
    "f(array('d', 2**28))": "are the most",
    "f(array('d', [1e999, x]))": "`x` in",
    "f(out())": "does not say what the value is called; write out(NAME)",
    "f(out(1))": "does not say what the value is called",
    "f(inout('int'))": 'does not say the type and the value; write inout("unsigned long", 10)',
    "f(inout(int, 3))": "does not say the type and the value",
    "f(inout('int', x))": "`x` in --call 'f(inout('int', x))' is no number",
    "f(callback(1, 2))": "is no callback; write callback(), or callback(N) for one that answers N",
    "f(callback(g))": "is no callback",
    "f(callback(0.5))": "is no callback",
    "f(Point(**x))": "has `**`; write the fields",
    "f(Point(x='a'))": "is no number",
    "f(Point(x=[1, y]))": "is no number",
}


@pytest.mark.parametrize("text", FORMS)
def test_each_form_of_an_argument_is_read(text: str) -> None:
    (step,) = read_calls(f"f({text})")
    assert step == Step("f", (FORMS[text],))
    assert type(getattr(step.arguments[0], "value", None)) is type(getattr(FORMS[text], "value", None))


def test_an_operation_is_a_sequence_of_calls_that_may_bind_their_results() -> None:
    assert read_calls("h = f(1); g(h)\nk(NULL)") == (
        Step("f", (Number(1),), "h"),
        Step("g", (Name("h"),)),
        Step("k", (Null(),)),
    )


@pytest.mark.parametrize("comparison", ["==", "!=", "<", "<=", ">", ">="])
def test_a_set_up_may_test_what_a_call_gives(comparison: str) -> None:
    (step,) = read_setup(f"f(1, out(x)) {comparison} 0")
    assert step == Step("f", (Number(1), Out("x")), test=values.Test(comparison, Number(0)))  # type: ignore[arg-type]


def test_a_set_up_compares_with_a_number_a_constant_or_null() -> None:
    texts = ("f() != NULL", "f() == Z_OK", "f() == -1")
    assert [read_setup(text)[0].test for text in texts] == [
        values.Test("!=", Null()),
        values.Test("==", Name("Z_OK")),
        values.Test("==", Number(-1)),
    ]
    for wrong in ("f() in 3", "f() == 'a'", "f() == g()", "f() is NULL", "0 == f()"):
        with pytest.raises(FfibenchError, match="no comparison with a number"):
            read_setup(wrong)
    for wrong in ("0 == 0", "x = f() == 0", "0 < f() < 3"):
        with pytest.raises(FfibenchError, match="is no call of a function"):
            read_setup(wrong)


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_no_call_is_refused_with_the_piece_that_is_wrong(text: str) -> None:
    with pytest.raises(FfibenchError) as refused:
        read_calls(text)
    assert refused.value.fix
    assert REFUSED[text] in str(refused.value)


def test_a_refusal_names_its_option() -> None:
    for option in ("--setup", "--teardown"):
        with pytest.raises(FfibenchError, match=f"in {option} 'f"):
            read_setup("f(x.y)", option)


def test_places_are_filled_before_an_expression_is_read() -> None:
    text = "f(bytes({size}), {size}, {level})"
    assert places(text) == ["size", "level"]
    assert filled(text, {"size": 16, "level": -1}) == "f(bytes(16), 16, -1)"
    assert filled("f('{other}')", {"size": 16}) == "f('{other}')"


def read_or_told(read: Callable[[str], tuple[Step, ...]], text: str) -> bool:
    """Whether a text has calls, or is refused with a fix. Anything else that is raised is a traceback."""
    try:
        return bool(read(text))
    except FfibenchError as refused:
        return bool(refused.fix)


PIECES = st.sampled_from(
    [
        *FORMS,
        "f(",
        ")",
        "; ",
        "x = ",
        " == 0",
        "*",
        "**",
        "-",
        "(",
        "[1]",
        "{}",
        "\n",
        "lambda: ",
        "a.b",
        "array(",
        "2**9",
        '"',
    ]
)


@given(st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=12).map("".join)))
@example("f(" * 300)
@example("f(" + "-" * 5000 + "1)")
@example("f(" + "1+" * 5000 + "1)")
@example("f(bytes(" + "9" * 400 + "))")
@example("f(" + "9" * 400 + ".0 * 2)")
@example("f('\\ud800')")
@example("f(b'a' * 2**64)")
@example("f('' * 2**64)")
@example("f(0 ** -1)")
@example("f(1 << 2**70)")
@example("f(array('d', [2**64]))")
@example("f(array('f', [1e300]))")
@example("f(array('q', [True]))")
@example("f(array('\\ud800', 1))")
@example("f(x:=1)")
@example("f(inout('\\ud800', 1))")
@settings(max_examples=400, deadline=None)
def test_whatever_is_written_ends_in_calls_or_in_a_sentence(text: str) -> None:
    for read in (read_calls, read_setup):
        assert read_or_told(read, text)
