"""The arithmetic of prices, on scripted times: every part is the difference it is said to be, and the sums add up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ffibench.explain.prices import (
    Lock,
    NoPriceError,
    PartRounds,
    Prices,
    added_up,
    call_rounds,
    cost,
    crossing,
    program_rounds,
    saved,
    total,
)
from ffibench.explain.shapes import CALLED_MAX, Shape, plain, shapes_of, whole, with_argument
from ffibench.explain.signatures import INT, Argument, Passed, Signature
from ffibench.headers.types import CType

SMALL = Passed("scalar", CType("int", "int"), "7")
SIZE = Passed("scalar", CType("uint", "unsigned long"), "1000")
BYTES = Passed("bytes", CType("pointer", target=CType("void", "void", qualifiers=("const",))), "bytes(5)")
SEND = Signature(
    "send", (Argument("buf", BYTES), Argument("len", SIZE), Argument("flags", INT)), SMALL
)  # three parameters, one of them an int

BASE = plain(3)
COSTS = {
    Shape((BYTES, INT, INT)): 9.0,
    Shape((INT, SIZE, INT)): 4.0,
    Shape((INT, INT, INT), SMALL): -6.0,
    whole(SEND): 5.0,
}
TOGETHER = 5.0 - (9.0 + 4.0 - 6.0)


def prices(**bases: tuple[float, ...]) -> Prices:
    """Each contestant takes its base for three ints, and what COSTS says more for the other shapes."""
    times = {(name, BASE): rounds for name, rounds in bases.items()}
    for name, rounds in bases.items():
        times.update({(name, shape): tuple(each + more for each in rounds) for shape, more in COSTS.items()})
    return Prices(times, {})


def test_each_part_is_its_difference_to_the_call_with_ints() -> None:
    parts = list(crossing(SEND, prices(own=(40.0, 50.0, 60.0)), "own", None))
    assert [(each.kind, each.name, each.what) for each in parts] == [
        ("call", "", "call, 3 ints"),
        ("argument", "buf", "bytes"),
        ("argument", "len", "unsigned long"),
        ("result", "return", "int, small"),
        ("together", "", "all of these together"),
    ]
    assert [each.ns[1] for each in parts] == [50.0, 9.0, 4.0, -6.0, TOGETHER]
    assert total(parts) == (45.0, 55.0, 65.0) == call_rounds(SEND, prices(own=(40.0, 50.0, 60.0)), "own")


def test_the_lock_is_taken_out_of_the_call_and_the_sum_stays() -> None:
    known = prices(held=(40.0, 42.0), released=(70.0, 74.0), other=(200.0, 210.0))
    lock = Lock(held="held", released="released")
    held = {each.kind: each for each in crossing(SEND, known, "held", None)}
    released = {each.kind: each for each in crossing(SEND, known, "released", lock)}
    assert released["lock"].ns == (30.0, 32.0)
    assert released["lock"].what == "lock released and retaken"
    assert released["call"].ns == held["call"].ns
    borrowed = list(crossing(SEND, known, "other", lock))
    assert borrowed[-1].what == "lock released and retaken (released)"
    assert total(borrowed) == (205.0, 215.0)  # as without the split: what the whole call takes


def test_calls_that_an_operation_makes_several_times_count_as_often() -> None:
    twice = Signature(SEND.function, SEND.arguments, SEND.result, times=2)
    once, both = (list(crossing(each, prices(own=(40.0,)), "own", None, qualified=True)) for each in (SEND, twice))
    assert total(both) == tuple(2 * each for each in total(once))
    assert both[0].what == "2 x call, 3 ints"
    assert [each.name for each in both] == ["send", "send.buf", "send.len", "send.return", "send"]


def test_a_call_of_nothing_but_ints_is_one_part() -> None:
    ints = Signature("f", (Argument("a", INT), Argument("b", INT)), INT)
    known = Prices({("own", plain(2)): (30.0,)}, {})
    assert [each.what for each in crossing(ints, known, "own", None)] == ["call, 2 ints"]
    one = Signature("f", (Argument("a", INT),), INT)
    assert next(crossing(one, Prices({("own", plain(1)): (30.0,)}, {}), "own", None)).what == "call, 1 int"


def test_a_callback_takes_two_parameters() -> None:
    function = CType("pointer", target=CType("function", target=CType("void", "void")))
    callback = Passed("callback", function, "callback(1)", with_data=True)
    assert Signature("each", (Argument("visit", callback), Argument("n", INT)), INT).arity == 3


@pytest.mark.parametrize("times", [3, 1000])
def test_a_call_back_is_what_a_function_that_calls_once_takes_more(times: int) -> None:
    function = CType("pointer", target=CType("function", target=CType("void", "void")))
    callback = Passed("callback", function, "callback()", called=times)
    each = Signature("each", (Argument("visit", callback),), INT)
    found = list(shapes_of(each))
    assert found == [whole(each), plain(1), with_argument(each, 0), with_argument(each, 0, called=1)]
    shapes = dict(zip(found, (60.0 + 100 * min(times, CALLED_MAX), 30.0, 70.0, 170.0), strict=True))
    known = Prices({("own", shape): (ns, ns + 1) for shape, ns in shapes.items()}, {})
    parts = list(crossing(each, known, "own", None))
    assert [(part.kind, part.what, part.ns[0]) for part in parts[1:]] == [
        ("argument", "callback", 40.0),
        ("callback", f"{times} x called back", 100.0 * times),
        ("together", "all of these together", -10.0),
    ]
    assert total(parts)[0] == 60.0 + 100 * times == call_rounds(each, known, "own")[0]


def test_what_was_not_measured_has_no_price() -> None:
    known = Prices({("own", BASE): (40.0,)}, {"own": "It failed in a round."})
    with pytest.raises(NoPriceError, match="It failed in a round"):
        list(crossing(SEND, known, "own", None))
    with pytest.raises(NoPriceError, match="nobody cannot make a call"):
        list(crossing(SEND, known, "nobody", None))


def test_the_figures_add_up_to_a_prediction_that_is_paired_with_the_whole() -> None:
    """Medians of their own would add up to 100, 10 + 70 + 20, of rounds whose sums are 110, 91 and 120."""
    parts = [
        PartRounds("loop", "loop", (10.0, 11.0, 10.0)),
        PartRounds("call", "call", (80.0, 60.0, 70.0)),
        PartRounds("native", "native", (20.0, 20.0, 40.0)),
    ]
    found = added_up(parts, (100.0, 100.0, 100.0))
    assert found.difference == pytest.approx(0.10)
    assert found.predicted_ns == pytest.approx(110.0)
    assert [each.price.ns for each in found.parts] == pytest.approx([10.0, 80.0, 20.0])  # the call is what is left
    assert (found.low, found.high) == (None, None)  # three rounds carry no interval
    together = PartRounds("together", "all of these together", (0.0, 0.0, 0.0))
    rest = added_up([*parts, together], (100.0, 100.0, 100.0))
    assert [each.price.ns for each in rest.parts] == pytest.approx([10.0, 70.0, 20.0, 10.0])


def test_an_interval_is_that_of_single_rounds() -> None:
    call = PartRounds("call", "call", tuple(float(100 + each) for each in range(6)))
    found = added_up([call], (100.0,) * 6)
    assert (found.low, found.high) == pytest.approx((0.0, 0.05))
    assert (found.parts[0].price.low_ns, found.parts[0].price.high_ns) == pytest.approx((100.0, 105.0))


def test_a_host_that_slows_down_for_a_round_moves_no_difference() -> None:
    slower = (1.0, 1.0, 5.0, 1.0, 1.0, 3.0)
    parts = [PartRounds("loop", "loop", tuple(20 * each for each in slower))]
    parts += [PartRounds("call", "call", tuple(60 * each for each in slower))]
    found = added_up(parts, tuple(100 * each for each in slower))
    assert (found.difference, found.low, found.high) == pytest.approx((-0.2, -0.2, -0.2))
    assert [each.price.ns for each in found.parts] == pytest.approx([20.0, 60.0])
    assert found.measured.ns == 100.0


def test_the_calls_of_a_program_are_added_up_in_seconds() -> None:
    one_call = {"open": (1000.0, 1100.0), "step": (50.0, 60.0)}
    now = program_rounds({"open": 2, "step": 1_000_000}, one_call)
    assert now == pytest.approx((0.050002, 0.0600022))
    assert cost(now).seconds == pytest.approx(0.0550021)


def test_savings_are_taken_inside_a_round() -> None:
    now, other = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0), (0.4, 1.4, 2.4, 3.4, 4.4, 5.4)
    found = saved(now, other)
    assert (found.seconds, found.low, found.high) == pytest.approx((0.6, 0.6, 0.6))
    assert saved(other, now).seconds == pytest.approx(-0.6)


FIGURES = st.lists(st.floats(1, 1e6), min_size=5, max_size=5).map(tuple)


@given(FIGURES, FIGURES, FIGURES)
def test_parts_add_up_whatever_they_are(
    call: tuple[float, ...], held: tuple[float, ...], free: tuple[float, ...]
) -> None:
    known = prices(own=call, held=held, released=free)
    found = total(crossing(SEND, known, "own", Lock(held="held", released="released")))
    assert found == pytest.approx([each + COSTS[whole(SEND)] for each in call], abs=1e-6)
