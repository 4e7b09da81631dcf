"""An expression is bound to a header: each argument to what its parameter takes, or refused in a sentence."""

from __future__ import annotations

import pytest
from support.expressed import bound

from ffibench.calls.operations import Cell, Operation, Record
from ffibench.calls.scalars import bits_of, carried, number_of
from ffibench.errors import FfibenchError
from ffibench.headers.types import CType

REFUSED = {
    "same_u46(1)": ("declares no function `same_u46`", "same_u64"),
    "same_u64()": ("gives `same_u64` 0 arguments, and it takes 1", "it is declared as same_u64(uint64_t value) at "),
    "nothing(1)": ("gives `nothing` 1 argument, and it takes 0", "nothing(void)"),
    "same_u64(2**64)": ("18446744073709551616 does not fit `uint64_t value` of `same_u64`", "give a number"),
    "same_u64(-1)": ("-1 does not fit", "give a number that does"),
    "same_i64(2**63)": ("9223372036854775808 does not fit `int64_t value`", "give a number that does"),
    "same_i8(128)": ("128 does not fit", "give a number"),
    "same_char(200)": ("200 does not fit `char value`", "give a number"),
    "same_bool(2)": ("2 does not fit `_Bool value`", "give a number"),
    "same_i32(0.5)": ("0.5 does not fit", "give a number"),
    "same_float(1e39)": ("1e+39 does not fit `float value`", "give a number"),
    "same_u64('a')": ("`uint64_t value` of `same_u64` cannot be given a text", "give it a number"),
    "same_u64(NULL)": ("cannot be given NULL", "give it a number"),
    "same_u64(out(x))": ("cannot be given an out value", "give it a number"),
    "same_u64(x)": ("nothing is called x before `same_u64`", "'x = f()' or 'f(out(x))', or use a constant"),
    "length_of(3)": ("`const char *text` of `length_of` is given a number", "ffibench kinds"),
    "length_of(0)": ("is a pointer and given 0", "write NULL"),
    "length_of(buffer(3))": ("cannot be given a buffer to fill", 'give it "text" or bytes(N)'),
    "fill(bytes(3), 3, 1)": ("`void *out` of `fill` cannot be given bytes", "give it buffer(N)"),
    "sum_of_doubles(array('f', 3), 3)": ('is given array("f", ...)', 'use the letter "d"'),
    "sum_of_doubles(bytes(8), 1)": ("cannot be given bytes", 'give it array("d", N) with the letter of its type'),
    "divide(1, 2, out(q), inout('long', 1))": ("is given a value of type long", 'write inout("int", 1)'),
    "divide(1, 2, out(q), inout('int', 2**31))": ("2147483648 does not fit `int`", "give a number"),
    "divide(1, 2, 3, 4)": ("`int *quotient` of `divide` is given a number", "ffibench kinds"),
    "put_u64(out(x)); length_of(x)": ("x is `uint64_t`, given to `const char *text`", "give it what it takes"),
    "point_sum(pint(1, 2))": ("gives pint(...) where a `struct point` is taken", "write point(...)"),
    "point_sum(point(1, 2, 3))": ("struct point has 2 fields", "they are x, y"),
    "point_sum(point(z=1))": ("struct point has no field z left to set", "its fields are x, y"),
    "point_sum(point(1, x=2))": ("no field x left to set", "its fields are x, y"),
    "point_sum(point([1]))": ("the field `double x` does not hold what it is given", "a number that fits"),
    "point_sum(NULL)": ("cannot be given NULL", "give it a struct, NAME(field=...)"),
    "stroke_turn(Stroke(1))": ("the field from is a struct", "write point(...)"),
    "stroke_turn(Stroke(tags=[1, 2, 3, 4]))": ("the field tags has 3 items", "a list of at most 3 numbers"),
    "stroke_turn(Stroke(mark=256))": ("`unsigned char mark` does not hold", "a number that fits"),
    "c = nothing(); is_null(c)": ("`nothing` gives nothing that could be called c", "leave the name out"),
    "c = counter_new(1); same_i32(c)": ("c is `struct counter *`, given to `int32_t value`", "what it takes"),
    "c = counter_new(1); length_of(c)": ("c is `struct counter *`, given to `const char *text`", "what it takes"),
    "n = same_i32(1); is_null(n)": ("n is `int32_t`, given to", "what it takes"),
    "n = name_of(1); is_null(n)": ("n is `const char *`, given to `const struct counter *counter`", "what it takes"),
    "p = point_of(1, 2); point_move(p, 1)": ("p is `struct point`, given to `struct point *point`", "what it takes"),
    "each_of(1, 3, NULL)": ("`int (*visit)(int, void *)` of `each_of` is given a number", "ffibench kinds"),
    "each_of(1, callback(2**40), NULL)": ("callback(1099511627776) answers what", "write callback()"),
    "told(callback(1))": (
        "callback(1) answers what `void (*tell)(double)` of `told` does not take",
        "write callback()",
    ),
    "is_null(SHAPES_ANSWER)": ("is given a number", "ffibench kinds"),
    "is_null(NULL); c = counter_new(1); point_sum(c)": ("c is `struct counter *`, given to `struct point point`", ""),
}

REFUSED_SETUPS = {
    ("counter_new(1) == 0", ""): ("what `counter_new` gives, `struct counter *`, cannot be compared so", "header"),
    ("same_i32(1) == NULL", ""): ("cannot be compared so", "see the header"),
    ("nothing() == 0", ""): ("what `nothing` gives, `void`, cannot be compared so", "see the header"),
    ("point_of(1, 2) == 0", ""): ("`struct point`, cannot be compared so", "see the header"),
    ("counter_new(1) > NULL", ""): ("an address of the set-up is compared by >", "write == NULL or != NULL"),
    ("same_i32(1) == NOPE", ""): ("NOPE is no constant of the header", "compare with a number, or with NULL"),
    ("same_u64(1) == 2**64", ""): ("`uint64_t` of `same_u64` is never 18446744073709551616", "a number that it holds"),
    ("", "counter_free(d)"): ("nothing is called d before `counter_free`", "bind it by a call before"),
    ("", "counter_free(inside)"): ("inside is bound in the loop and given in the teardown", "end it there"),
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_a_header_does_not_take_is_refused(text: str) -> None:
    what, fix = REFUSED[text]
    with pytest.raises(FfibenchError) as refused:
        bound(text)
    assert what in refused.value.reason
    assert fix in (refused.value.fix or "")
    assert text in refused.value.reason


@pytest.mark.parametrize(("setup", "teardown"), REFUSED_SETUPS)
def test_a_set_up_that_does_not_fit_is_refused(setup: str, teardown: str) -> None:
    what, fix = REFUSED_SETUPS[setup, teardown]
    with pytest.raises(FfibenchError) as refused:
        bound("inside = counter_new(1)", setup=[setup] * bool(setup), teardown=[teardown] * bool(teardown))
    assert what in refused.value.reason
    assert fix in (refused.value.fix or "")


def test_two_calls_that_want_different_kinds_of_a_parameter_are_named() -> None:
    with pytest.raises(FfibenchError, match=r"divide.quotient is cell in .* and handle in .*two runs"):
        bound("divide(1, 2, out(q), out(r)); divide(1, 0, NULL, out(r))")


def kinds_of(operation: Operation) -> list[str]:
    return [argument.parameter.kind for call in operation.calls for argument in call.arguments]


def test_what_is_given_decides_the_kind_of_a_parameter() -> None:
    assert kinds_of(bound("length_of('a')")[0]) == ["string"]
    assert kinds_of(bound("length_of(b'a')")[0]) == ["bytes"]
    assert kinds_of(bound("fill(buffer(3), 3, 1)")[0]) == ["buffer", "scalar", "scalar"]
    assert kinds_of(bound("fill(NULL, 0, 1)")[0]) == ["handle", "scalar", "scalar"]
    assert kinds_of(bound("divide(1, 2, array('i', 1), out(r))")[0]) == ["scalar", "scalar", "array", "cell"]
    assert kinds_of(bound("each_of(1, callback(), NULL)")[0]) == ["scalar", "callback", "user_data"]


def test_an_address_that_a_call_gave_is_a_handle_wherever_it_is_passed_on() -> None:
    operation, _ = bound('counter_open("abc", out(c)); counter_name(c); counter_free(c)')
    assert kinds_of(operation) == ["string", "cell", "handle", "handle"]
    assert [argument.bound for argument in operation.calls[1].arguments] == ["c"]
    assert [(read.name, read.cell) for read in operation.calls[0].reads] == [("c", "c_cell")]
    assert kinds_of(bound("t = name_of(2); length_of(t)")[0]) == ["scalar", "string"]


def test_a_cell_that_is_given_again_is_set_before_each_operation_and_an_out_value_is_not() -> None:
    given, _ = bound('divide(1, 2, out(q), inout("int", 7))')
    assert [each.value for each in given.made] == [Cell(None), Cell(7)]


def test_what_is_not_set_of_a_struct_is_zero() -> None:
    operation, _ = bound("stroke_turn(Stroke(point(y=2), tags=[1, -2], closed=True))")
    (record,) = (made.value for made in operation.made)
    assert isinstance(record, Record)
    assert [(leaf.path, leaf.number) for leaf in record.leaves] == [
        *(("from.x", 0), ("from.y", 2), ("to.x", 0), ("to.y", 0)),
        *(("tags[0]", 1), ("tags[1]", -2), ("tags[2]", 0), ("closed", True), ("mark", 0)),
    ]


def test_every_name_of_an_operation_is_its_own() -> None:
    texts = (
        "fill(buffer(3), 3, 7); out = name_of(0)",
        "out = name_of(0); fill(buffer(3), 3, 7)",
        "name_of(1); name_of(2); name_of(1)",
        "same_u64(1); value = same_u64(2); same_u64(value)",
        "divide(1, 2, out(divide), out(quotient))",
        "result = same_i32(1); same_i32(result)",
        "é = same_i32(1); è = same_i32(é)",
    )
    for text in texts:
        operation, _ = bound(text)
        names = [call.variable for call in operation.calls] + [made.name for made in operation.made]
        names += [read.name for call in operation.calls for read in call.reads]
        assert len(set(names)) == len(names), text
        answers = [call.answer for call in operation.calls] + [made.name for made in operation.made]
        assert len(set(answers)) == len(answers), text
        assert all(name.isascii() and name.isidentifier() for name in (*names, *answers)), text
        assert not {"i", "iterations", "native", "array", "bytes", "lambda", "my"} & {*names, *answers}


DOUBLE, SINGLE = CType("float", "double"), CType("float", "float")


def test_numbers_are_carried_as_their_type_holds_them() -> None:
    assert carried(3, DOUBLE) == 3.0
    assert isinstance(carried(3, DOUBLE), float)
    assert carried(0.1, SINGLE) == 0.10000000149011612
    assert carried(3.4028234e38, SINGLE) == 3.4028234663852886e38
    assert carried(3.4028235677973366e38, SINGLE) is None
    assert carried(float("inf"), SINGLE) == float("inf")
    assert carried(1, CType("bool", "_Bool")) is True
    assert carried(True, CType("int", "int")) == 1
    assert type(carried(True, CType("int", "int"))) is int


def test_a_floating_point_number_is_written_by_its_bits() -> None:
    for bits in ("7ff8000000000000", "fff8000000000007", "8000000000000000", "0000000000000001", "7ff0000000000000"):
        assert bits_of(number_of(bits)) == bits


def test_a_name_that_a_template_takes_with_any_end_gets_another_beginning() -> None:
    operation, _ = bound("last_x = same_i32(1); same_i32(last_x)")
    assert operation.calls[0].variable == "c_last_x"
    assert operation.calls[1].arguments[0].bound == "c_last_x"
