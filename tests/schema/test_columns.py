"""The promise: every leaf of a schema is one column, whatever lies around it."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from pathlib import Path

import pytest
from support.schemas import NASTY, SUITES

from ffibench.errors import FfibenchError
from ffibench.schema.columns import Column, Layout, layout
from ffibench.schema.descriptor import read_schema
from ffibench.schema.rows import to_columns, to_tree

Write = Callable[[str], Path]


def laid(path: Path) -> Layout:
    return layout(read_schema(path))


def told(of: Layout) -> list[str]:
    return [f"{each.name}: {'' if each.plain else '*'}{each.number.name}" for each in of.columns]


def test_what_stands_once_is_plain_and_what_is_repeated_an_array(proto: Write) -> None:
    own = "int32 a = 1; string b = 2; repeated double c = 3; repeated string d = 4; optional bool e = 5;"
    assert told(laid(proto(f"message A {{ {own} }}"))) == [
        *("a: i32", "b: *u8", "c: *f64", "d_lengths: *u32", "d: *u8", "e_present: u8", "e: u8"),
    ]


def test_in_rows_everything_is_an_array(proto: Write) -> None:
    own = "int32 a = 1; string b = 2; repeated double c = 3; optional bool e = 5; oneof f { bool g = 6; bytes h = 7; }"
    found = laid(proto(f"message R {{ {own} }} message A {{ repeated R r = 1; }}"))
    assert told(found) == [
        *("r_count: u32", "r_a: *i32", "r_b_lengths: *u32", "r_b: *u8", "r_c_counts: *u32", "r_c: *f64"),
        *("r_e_present: *u8", "r_e: *u8", "r_f_case: *u32", "r_g: *u8", "r_h_lengths: *u32", "r_h: *u8"),
    ]
    assert [each.place for each in found.columns] == [-1, *range(11)]


def test_a_map_is_a_list_of_keys_and_values(proto: Write) -> None:
    found = laid(proto("message A { map<string, sint64> m = 1; }"))
    assert told(found) == ["m_count: u32", "m_key_lengths: *u32", "m_key: *u8", "m_value: *i64"]
    columns = to_columns(found, {"m": {"one": 1, "minus two": -2}})
    assert columns == {
        "m_count": 2,
        "m_key_lengths": array("I", [3, 9]),
        "m_key": b"oneminus two",
        "m_value": array("q", [1, -2]),
    }


def test_what_is_absent_in_rows_has_no_entry(proto: Write) -> None:
    point = "message P { int32 x = 1; optional int32 y = 2; }"
    found = laid(proto(f"{point} message A {{ repeated R r = 1; message R {{ P p = 1; repeated int32 n = 2; }} }}"))
    tree = {"r": [{"p": {"x": 1}, "n": [7, 8]}, {"n": []}, {"p": {"x": 2, "y": 3}, "n": [9]}]}
    columns = to_columns(found, tree)
    assert columns == {
        "r_count": 3,
        "r_p_present": b"\1\0\1",
        "r_p_x": array("i", [1, 2]),
        "r_p_y_present": b"\0\1",
        "r_p_y": array("i", [3]),
        "r_n_counts": array("I", [2, 0, 1]),
        "r_n": array("i", [7, 8, 9]),
    }
    assert to_tree(found, columns) == tree


def test_names_that_mean_something_in_c_or_are_taken_get_an_underscore() -> None:
    names = {each.path: each.name for each in laid(NASTY / "words.proto").columns if each.role in {"value", "text"}}
    assert names["numbers.size_t"] == "numbers_size_t_"
    assert names["_size"] == "_size_"
    assert names["encode_columns"] == "encode_columns_"
    assert (names["numbers.int"], names["numbers_int"]) == ("numbers_int", "numbers_int_")
    assert names["from"] == "from"


@pytest.mark.parametrize(
    "name", ["int", "class", "restrict", "linux", "NULL", "int32_t", "bytes", "counts_size", "__x"]
)
def test_each_such_name_does(proto: Write, name: str) -> None:
    (column,) = laid(proto(f"message A {{ int32 {name} = 1; }}")).columns
    assert column.name == f"{name}_"


def test_more_columns_than_parameters_of_a_function_are_refused(proto: Write) -> None:
    own = " ".join(f"repeated int32 f{number} = {number};" for number in range(1, 70))
    with pytest.raises(FfibenchError) as error:
        laid(proto(f"message A {{ {own} }}"))
    assert error.value.reason.startswith("mine.proto: `f62` is one leaf too many")
    assert error.value.fix == "take fields away, or give a part of the message as bytes"


def test_views_are_of_fields_of_the_root_alone() -> None:
    assert [each.path for each in laid(SUITES / "struct.proto").views] == ["name", "email"]
    assert [each.path for each in laid(SUITES / "nested.proto").views] == ["country"]
    assert [each.path for each in laid(SUITES / "complex.proto").views] == ["signature", "history"]


def test_the_page_shows_the_columns_of_its_schema(proto: Write) -> None:
    page = (Path(__file__).parents[2] / "docs/suites.md").read_text(encoding="utf-8")
    schema = page.partition("```proto\n")[2].partition("```")[0]
    rows = [line.split(" | ")[:2] for line in page.partition("becomes:")[2].splitlines() if line.startswith("| `")]
    shown = [(name.strip("| `"), kind.strip("`")) for name, kind in rows]
    assert shown == [(each.name, c_type(each)) for each in laid(proto(schema)).columns]


def c_type(column: Column) -> str:
    return column.number.c if column.plain else "void *" if column.role == "text" else f"{column.number.c} *"
