"""The oracle: what C answered, exactly, and whether it answers the same each time."""

from __future__ import annotations

import pytest
from support.expressed import bound

from ffibench.calls.answers import Answers, Final, finals, read_answers, receipt
from ffibench.errors import FfibenchError

TEXTS = {"f_1": "f(1)", "g_2": "g(2)"}


def output(first: str = "3", second: str = "3") -> str:
    lines = ["f_1\t0\tf\t" + first, "f_1\t0\t\t", "f_1\t1\tf\t" + second, "f_1\t1\t\t", "f_1\tns\t12.500"]
    return "\n".join([*lines, "g_2\t0\t\t", "g_2\t1\t\t", "g_2\tns\t2.000"])


def test_answers_are_read_by_operation() -> None:
    found = read_answers([output(), output().replace("12.500", "11.000")], TEXTS)
    assert found["f_1"] == Answers({"f": "3"}, 11.0, steady=True)
    assert found["g_2"] == Answers({}, 2.0, steady=True)  # nothing to tell of a function that gives nothing
    assert found["f_1"].integer("f") == 3


def test_an_answer_that_differs_is_told_within_a_process_and_between_two() -> None:
    assert read_answers([output("3", "4")], TEXTS)["f_1"].differing == "f was 3, then 4"
    assert read_answers([output("3", "3"), output("5", "5")], TEXTS)["f_1"].differing == "f was 3, then 5"
    long = "a" * 64
    assert read_answers([output(long, "NULL")], TEXTS)["f_1"].differing == f"f was {'a' * 40}..., then NULL"


@pytest.mark.parametrize(
    "line", ["hello", "", "f_1\t0", "hi f_1\t0\tf\t3", "h_3\t0\tf\t3", "f_1\tns\tsoon", "a\tb\tc\td"]
)
def test_what_a_library_prints_is_no_answer(line: str) -> None:
    with pytest.raises(
        FfibenchError, match=r"a call of f\(1\), g\(2\) prints on standard output, where workers report"
    ):
        read_answers([f"{output()}\n{line}\n{output()}"], TEXTS)


def answered(text: str, **results: str) -> dict[str, int | str]:
    operation, header = bound(text)
    answers = Answers(results, 1.0, steady=True)
    found = receipt(operation, answers, header.all_structs, 10)
    assert found.pop("operations") == 10
    return found


def test_numbers_are_compared_in_the_loop_and_leave_nothing_for_the_receipt() -> None:
    assert answered("same_u64(2**64 - 1)", same_u64=str(2**64 - 1)) == {}
    assert answered("same_double(0.5)", same_double="3fe0000000000000") == {}


@pytest.mark.parametrize("bits", ["7ff8000000000000", "fff8000000000000", "7ff8000000000007", "0" * 16, "8" + "0" * 15])
def test_what_a_comparison_cannot_tell_is_in_the_receipt_by_its_bits(bits: str) -> None:
    assert answered("same_double(0.5)", same_double=bits) == {"same_double": bits}


def test_texts_memory_cells_structs_and_callbacks_are_in_the_receipt() -> None:
    assert answered("name_of(1)", name_of="") == {"name_of": ""}
    assert answered("fill(buffer(2), 2, 7)", out_2="0708") == {"out_2": "0708"}
    assert answered("divide(7, 2, out(q), out(r))", divide="0", q_cell="3", r_cell="1") == {"q_cell": 3, "r_cell": 1}
    assert answered("put_float(out(x))", x_cell="3fd5555560000000") == {"x_cell": "3fd5555560000000"}
    assert answered("is_null(NULL); sum_of(bytes(3), 3)", is_null="1", sum_of="9") == {}
    assert answered("each_of(3, callback(), NULL)", each_of="0", visit="3") == {"visit": 30}
    moved = {"point.x": "0" * 16, "point.y": "8" + "0" * 15}
    assert answered("point_move(point(1, 2), 0)", **moved) == moved
    assert answered("point_of(1, 2)", **{"point_of.x": "3" * 16, "point_of.y": "4" * 16}) == {
        "point_of.x": "3" * 16,
        "point_of.y": "4" * 16,
    }
    opened = 'counter_open("abc", out(c)); counter_free(c)'
    assert answered(opened, counter_open="0", c_cell="not NULL") == {"c_cell": "not NULL"}


def test_nothing_is_compared_of_what_is_unchecked() -> None:
    operation, header = bound("name_of(1)", checked=False)
    assert finals(operation, header.all_structs) == ()


def test_what_is_only_read_is_no_answer() -> None:
    operation, header = bound("sum_of_doubles(array('d', 3), 3); stroke_length(Stroke()); length_of('a')")
    assert finals(operation, header.all_structs) == ()
    operation, header = bound("count_up(array('i', 3), 3)")
    assert finals(operation, header.all_structs) == (Final("items", "memory", "items", size=12),)
