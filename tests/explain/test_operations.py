"""From operations to signatures: of call expressions, and of what the audit accepts."""

from __future__ import annotations

import pytest

from ffibench.calls.answers import Answers
from ffibench.calls.bind import bind
from ffibench.calls.expressions import read_calls, read_setup
from ffibench.errors import FfibenchError
from ffibench.explain.operations import of_case, of_operation, unpriced
from ffibench.explain.prices import called
from ffibench.headers.reader import Header, read_header
from ffibench.model import Accepted, Case, Returns

DECLARED = """
#include <stddef.h>
typedef struct thing thing;
typedef int (*visit)(void *data, int number);
thing *make(int value);
int get(thing *from, long long big, const void *bytes, size_t size);
int each(visit function, void *data);
int put(void *socket, double ratio, const void *buf, size_t len);
"""


@pytest.fixture(scope="module")
def header(tmp_path_factory: pytest.TempPathFactory) -> Header:
    path = tmp_path_factory.mktemp("operations") / "own.h"
    path.write_text(DECLARED)
    return read_header(path)


def answers(**results: str) -> Answers:
    return Answers(results, 1.0, steady=True)


def test_an_expression_tells_sizes_numbers_and_results(header: Header) -> None:
    text = "get(h, 2**40, bytes(100), 100)"
    operation = bind("get_1", text, header, read_calls(text), setup=read_setup("h = make(1)"))
    (found,) = of_operation(operation, answers(get="12"))
    given = {each.name: each.passed.given for each in found.arguments}
    assert given == {"from": "h", "big": str(2**40), "bytes": "bytes(100)", "size": "1000"}
    assert found.result.given == "7"
    (large,) = of_operation(operation, answers(get="70000"))
    assert large.result.given == "1000"


def test_a_sequence_is_as_many_calls_and_says_what_has_no_price(header: Header) -> None:
    text = "h = make(1000); get(h, 1, bytes(3), 3)"
    operation = bind("make_1", text, header, read_calls(text))
    found = of_operation(operation, answers(h="not NULL", get="1"))
    assert [each.function for each in found] == ["make", "get"]
    assert found[0].result.kind == "handle"
    assert unpriced(operation, found) == ["keeping the result of one call for the next"]


def test_calls_back_are_counted_by_c_and_without_a_count_have_no_price(header: Header) -> None:
    operation = bind("each_1", "each(callback(), NULL)", header, read_calls("each(callback(), NULL)"))
    (made,) = operation.made
    (found,) = of_operation(operation, answers(each="0", **{made.name: "3"}))
    assert [(each.name, each.passed.called) for each in found.arguments] == [("function", 3)]
    assert unpriced(operation, [found]) == []
    unchecked = of_operation(operation, answers(each="0"))
    assert unpriced(operation, unchecked) == ["calls from C back into the language"]


def test_no_callback_is_null_and_one_of_the_set_up_has_no_price(header: Header) -> None:
    operation = bind("each_1", "each(NULL, NULL)", header, read_calls("each(NULL, NULL)"))
    (found,) = of_operation(operation, answers(each="0"))
    assert [each.passed.given for each in found.arguments] == ["NULL"]
    assert called(found.arguments[0].passed) == "NULL"
    assert unpriced(operation, [found]) == []
    text = "get(NULL, 1, bytes(3), 3)"
    operation = bind("get_1", text, header, read_calls(text), setup=read_setup("each(callback(), NULL)"))
    assert unpriced(operation, of_operation(operation, answers(get="1"))) == ["calls from C back into the language"]


def case(*accepts: Accepted) -> Case:
    return Case(name="put", operation="a put", iterations=1, receipt=lambda n: {"puts": n}, accepts=accepts)


def test_a_loop_by_hand_is_what_the_audit_accepts(header: Header) -> None:
    by_message = Accepted(calls={"put": 0, "put_message": 1})
    whole = Returns(function="put", must_be="argument", position=2)  # the real number is not counted
    by_hand = Accepted(calls={"put": 2, "put_message": 0}, length=("put", 2), size=5, returns=(whole,))
    (found,) = of_case(case(by_message, by_hand), ["put"], header)
    assert found.times == 2
    assert {each.name: each.passed.given for each in found.arguments}["buf"] == "bytes(5)"
    assert found.result.given == "7"
    (zero,) = of_case(
        case(Accepted(calls={"put": 1}, returns=(Returns(function="put", must_be="0"),))), ["put"], header
    )
    assert zero.result.given == "7"
    (unknown,) = of_case(case(Accepted(calls={"put": 1})), ["put"], header)
    assert unknown.result.given == "1000"


def test_a_case_that_does_not_say_its_calls_is_an_error(header: Header) -> None:
    for each in (case(), case(Accepted(calls={"put_message": 1}))):
        with pytest.raises(FfibenchError, match="the case 'put' does not say which functions"):
            of_case(each, ["put"], header)
