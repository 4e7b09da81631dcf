"""The promise: the encoding is the one that `runtime.h` describes, byte by byte."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ffibench.schema import wire
from ffibench.schema.descriptor import read_schema
from ffibench.schema.model import Message
from ffibench.schema.wire import Tree

TEXT = """
enum Sign { PLUS = 0; MINUS = 1; }
message Inner { bool flag = 1; }
message All {
  sint32 number = 1;
  double real = 2;
  Sign sign = 3;
  string text = 4;
  optional bytes data = 5;
  repeated uint64 list = 6;
  oneof choice { Inner inner = 9; fixed32 other = 8; }
  map<int32, string> map = 10;
  Inner again = 11;
}
"""
TREE: Tree = {
    "number": -2,
    "real": 1.0,
    "sign": 1,
    "text": "é",
    "data": b"\xff",
    "list": [1, 2**64 - 1],
    "inner": {"flag": True},
    "map": {7: "", -1: "x"},
}
ENCODING = (
    "feffffff"
    "000000000000f03f"
    "01000000"
    "02000000 c3a9"
    "01 01000000 ff"
    "02000000 0100000000000000 ffffffffffffffff"
    "09000000 01"
    "02000000 07000000 00000000 ffffffff 01000000 78"
    "00"
)


@pytest.fixture
def root(proto: Callable[[str], Path]) -> Message:
    return read_schema(proto(TEXT)).root


def test_each_kind_of_field_has_its_bytes(root: Message) -> None:
    assert wire.encode(root, TREE).hex() == ENCODING.replace(" ", "")
    assert wire.decode(root, bytes.fromhex(ENCODING)) == TREE


def test_a_oneof_of_which_none_is_set_is_a_zero(root: Message) -> None:
    tree = {name: value for name, value in TREE.items() if name != "inner"}
    assert wire.encode(root, tree).hex() == ENCODING.replace("09000000 01", "00000000").replace(" ", "")


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("01 01000000 ff", "02 01000000 ff", "a flag is 0 or 1"),
        ("09000000 01", "07000000 01", "choice has no field 7"),
        ("02000000 0100000000000000", "ffffffff 0100000000000000", "elements do not fit"),
        ("02000000 c3a9", "02000000 c328", "invalid continuation byte"),
        ("7800", "78", "ends too soon"),
        ("7800", "780000", "behind the end"),
    ],
)
def test_what_is_no_message_is_refused(root: Message, before: str, after: str, told: str) -> None:
    encoding, before, after = (each.replace(" ", "") for each in (ENCODING, before, after))
    assert before in encoding
    with pytest.raises(ValueError, match=told):
        wire.decode(root, bytes.fromhex(encoding.replace(before, after)))
