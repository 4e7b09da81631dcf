"""All that cannot be bound of a header is told at once: by reason, each function once, with its place."""

from __future__ import annotations

import pytest
from support.headers import read_text

from ffibench.errors import FfibenchError
from ffibench.headers.refusals import by_reason, refusal_report

HEADER = """typedef unsigned char uint8_t; union either { int i; };
int log_it(const char *format, ...);
int fine(int value);
int key(const uint8_t *one);
int keys(const uint8_t *one, int flags, const uint8_t *two);
int print_it(int level, ...);
int both(const uint8_t *one, union either two);
const uint8_t *digest(void);
"""


def test_a_report_has_each_function_once_under_what_hinders_it() -> None:
    assert refusal_report(read_text(HEADER).refusals).splitlines() == [
        "it takes a variable number of arguments:",
        "  api.h:2: `log_it`",
        "  api.h:6: `print_it`",
        "has no length beside it, so it may be one value or many:",
        "  api.h:4: `key`: `const uint8_t *one`",
        "  api.h:5: `keys`: `const uint8_t *one`, `const uint8_t *two`",
        "has no length beside it, so it may be one value or many, and by value: not every binding can pass this type:",
        "  api.h:7: `both`: `const uint8_t *one`, `union either two`",
        "is the address of values, and nothing says how many:",
        "  api.h:8: `digest`: its result `const uint8_t *`",
    ]
    assert refusal_report([]) == ""


def test_the_reason_of_the_most_functions_comes_first() -> None:
    groups = by_reason(read_text("int a(long double *x); int b(int, ...); int c(int, ...);").refusals)
    assert [len(group) for group in groups.values()] == [2, 1]


def test_one_option_a_parameter_makes_a_function_fit() -> None:
    fits = {each.name: each.options for each in read_text(HEADER).refusals}
    assert fits["keys"] == "--kind keys.one=bytes --kind keys.two=bytes"
    assert fits["digest"] == "--kind digest.return=handle"
    assert fits["both"] == fits["log_it"] == ""


def test_those_that_are_asked_for_are_refused_all_at_once() -> None:
    header = read_text(HEADER)
    with pytest.raises(FfibenchError) as caught:
        header.select(["key", "fine", "digest", "key"])
    told = str(caught.value)
    assert told.startswith("2 functions fit no kind.\n")
    assert told.endswith("; `ffibench kinds api.h` shows what could fit")
    assert told.count("`key`") == told.count("`digest`") == 1
    assert "fine" not in told
    with pytest.raises(FfibenchError, match=r"^api\.h:4: `key` fits no kind: "):
        header.select(["key", "fine"])
