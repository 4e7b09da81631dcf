"""What each binding takes in place of what a kind asks for: the table of docs/kinds.md, tried on every binding.

`FFIBENCH_GOLDEN=write` writes the table anew.
"""

from __future__ import annotations

import array
import ctypes
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from support.shim_fixtures import BINDINGS, CONSTRUCTS_KINDS

PAGE = Path(__file__).parents[3] / "docs" / "kinds.md"
BEGIN, END = "<!-- accepted: every row is tried by tests/shims/constructs/test_accepted.py -->\n", "\n<!-- accepted -->"
REFUSALS = (TypeError, ValueError, OverflowError, AttributeError, BufferError, LookupError, ctypes.ArgumentError)
PLAIN = [name for name in BINDINGS if name.partition("~")[0] == name and name != "ctypes-pydll"]


class Index:
    def __index__(self) -> int:
        return 7


class Real:
    def __float__(self) -> float:
        return 7.5


class Try(NamedTuple):
    """Something given where a kind is asked for."""

    given: str
    to: str
    call: Callable[[Any], object]
    function: str
    """Whose module is asked: a function of constructs.h stands only in those that render its kinds."""


def same(given: str, to: str, value: object) -> Try:
    name = f"same_{to.replace(' ', '_')}"
    return Try(f"`{given}`", f"`{to}`", lambda native: getattr(native, name)(value), name)


def taken(given: str, to: str, function: str, call: Callable[[Any], object]) -> Try:
    """Of which only whether it is taken is told."""

    def tried(native: Any) -> str:  # noqa: ANN401 (a generated module)
        call(native)
        return "taken"

    return Try(f"`{given}`", to, tried, function)


def null(given: str, to: str, function: str, value: object) -> Try:
    """Of which is told whether C gets NULL."""
    return Try(f"`{given}`", to, lambda native: "taken" if getattr(native, function)(value) else "NULL", function)


def truth(value: object) -> Try:
    return Try(f"`{value}`", "`bool`", lambda native: not native.negated(value), "negated")


def items(given: str, value: object) -> Try:
    return taken(given, "array of double", "sum_of_double", lambda native: native.sum_of_double(value, 0))


VALUES: tuple[object, ...] = (1, 2, 0.5, None, [])
TRIES = [
    same("True", "int", True),
    same("1.0", "int", 1.0),
    same("1.5", "int", 1.5),
    same("2**31", "int", 2**31),
    same("-1", "unsigned int", -1),
    same("256", "unsigned char", 256),
    same('"1"', "int", "1"),
    same("None", "int", None),
    same("__index__", "int", Index()),
    same("1", "double", 1),
    same("True", "double", True),
    same("__float__", "double", Real()),
    same("__index__", "double", Index()),
    same('"1.5"', "double", "1.5"),
    same("1e300", "float", 1e300),
    same('b"A"', "char", b"A"),
    same('"A"', "char", "A"),
    *map(truth, VALUES),
    taken('"text"', "bytes", "sum_of_void", lambda native: native.sum_of_void("text", 0)),
    taken("bytearray", "bytes", "sum_of_void", lambda native: native.sum_of_void(bytearray(4), 0)),
    taken("memoryview", "bytes", "sum_of_void", lambda native: native.sum_of_void(memoryview(b"text"), 0)),
    Try("`None`", "bytes", lambda n: "NULL" if n.sum_of_void(None, 0) == -1 else "taken", "sum_of_void"),
    null('"text"', "string", "text_given", "text"),
    null("bytearray", "string", "text_given", bytearray(4)),
    null("None", "string", "text_given", None),
    taken("bytes", "buffer", "fill", lambda native: native.fill(bytes(4), 0, 0)),
    taken("memoryview", "buffer", "fill", lambda native: native.fill(memoryview(bytearray(4)), 0, 0)),
    taken("array.array", "buffer", "fill", lambda native: native.fill(array.array("d", [0]), 0, 0)),
    taken("None", "buffer", "fill", lambda native: native.fill(None, 0, 0)),
    items('array.array("f")', array.array("f", [1])),
    items("bytearray", bytearray(8)),
    items("[1.0]", [1.0]),
    items("None", None),
    taken('cell("long")', 'cell("int")', "put_int", lambda native: native.put_int(native.cell("long"), 1)),
    taken("[0]", 'cell("int")', "put_int", lambda native: native.put_int([0], 1)),
    taken("bytearray", 'cell("int")', "put_int", lambda native: native.put_int(bytearray(4), 1)),
    taken("bytes", 'cell("unsigned char")', "put_unsigned_char", lambda n: n.put_unsigned_char(b"\1\2", 1)),
    taken("None", 'cell("int")', "put_int", lambda native: native.put_int(None, 1)),
    null("None", "handle", "digest_given", None),
    null("0", "handle", "digest_given", 0),
    null('b"text"', "handle", "digest_given", b"text"),
    null('"text"', "handle", "digest_given", "text"),
    taken("(1.0, 2.0)", "struct", "pair_sum", lambda native: native.pair_sum((1.0, 2.0))),
    taken('{"x": 1.0}', "struct", "pair_sum", lambda native: native.pair_sum({"x": 1.0})),
    taken("None", "struct", "pair_sum", lambda native: native.pair_sum(None)),
    null("(1.0, 2.0)", "struct_pointer", "pair_given", (1.0, 2.0)),
    null("None", "struct_pointer", "pair_given", None),
]  # fmt: skip


def outcome(tried: Try, *modules: ModuleType | None) -> str:
    """What becomes of it, by the module that has the function."""
    native = next((each for each in modules if hasattr(each, tried.function)), None)
    if native is None:
        return "not bound"
    try:
        found = tried.call(native)
    except REFUSALS:
        return "no"
    return found if isinstance(found, str) and not found.startswith("b") else f"`{found!r}`"


def table(outcomes: Mapping[str, list[str]]) -> str:
    heads = ["given", "to", *outcomes]
    rows = [[each.given, each.to, *(outcomes[name][place] for name in outcomes)] for place, each in enumerate(TRIES)]
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


@pytest.fixture(scope="session")
def outcomes(modules: Mapping[str, ModuleType], constructs_modules: Mapping[str, ModuleType]) -> dict[str, list[str]]:
    return {name: [outcome(each, modules[name], constructs_modules.get(name)) for each in TRIES] for name in BINDINGS}


def test_the_page_says_what_each_binding_takes(outcomes: dict[str, list[str]]) -> None:
    text = PAGE.read_text(encoding="utf-8")
    found = table({name: outcomes[name] for name in sorted(PLAIN)})
    if os.environ.get("FFIBENCH_GOLDEN") == "write":
        pattern = f"{re.escape(BEGIN)}.*?{re.escape(END)}"
        PAGE.write_text(re.sub(pattern, lambda _: BEGIN + found + END, text, flags=re.DOTALL), encoding="utf-8")
    text = PAGE.read_text(encoding="utf-8")
    assert text.partition(BEGIN)[2].partition(END)[0] == found


def test_a_variant_takes_what_its_binding_takes(outcomes: dict[str, list[str]]) -> None:
    variants = {name: name.partition("~")[0] for name in BINDINGS} | {"ctypes-pydll": "ctypes"}
    for name, plain in variants.items():
        assert outcomes[name] == outcomes[plain], name


def test_every_kind_that_a_caller_gives_stands_in_the_table() -> None:
    named = {each.to.partition("(")[0].split()[0].strip("`") for each in TRIES}
    assert {"bytes", "string", "buffer", "array", "cell", "handle", "struct", "struct_pointer"} <= named
    assert "digest_given.digest" in CONSTRUCTS_KINDS
