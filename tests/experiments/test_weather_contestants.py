"""Every contestant in both roles, with the baseline at the other end and with itself: nothing lost, nothing twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from msgspec.structs import replace
from support.contestants import planned_case
from support.teams import Part, Player, let_go, player, team
from support.weather import ONE_OF_A_FILE, SLICES, WARMUP, Play, cases, names

from ffibench.audit.counting import Counting, Snapshot, Sum, Watch, counting
from ffibench.audit.program import program_of
from ffibench.audit.support import unsupported
from ffibench.model import BASELINE, CalledFunction, Case, PlannedCase
from ffibench.proof.calls import wrong_calls

LINES = WARMUP + 2 * SLICES


def assert_played(one: Player, case: Case) -> None:
    """It ended well, and each of its slices came to what the oracle says."""
    assert (one.status, one.errors) == (0, "")
    assert one.receipts() == [case.receipt(case.iterations)] * (WARMUP + SLICES)
    assert [line["kind"] for line in one.lines] == ["warmup"] * WARMUP + ["timed"] * SLICES + ["empty"] * SLICES
    assert {line["case"] for line in one.lines} == {case.name}
    for line in one.lines:
        assert line["wall_ns"] > 0
        if line["kind"] != "empty" and case.figures:
            assert 0 < line["figures"]["first_match_ns"] <= line["wall_ns"]


def play(first: Part, second: Part) -> None:
    publish, receive = cases()
    with team(first, second) as (one, other):
        let_go(one, other, lines=LINES)
        one.end()
        other.end()
    assert_played(one, publish)
    assert_played(other, receive)


@pytest.mark.parametrize("name", names())
def test_publishes_to_the_baseline(part: Play, name: str) -> None:
    publish, receive = cases()
    play(part(name, publish), part(BASELINE, receive))


@pytest.mark.parametrize("name", names())
def test_receives_from_the_baseline(part: Play, name: str) -> None:
    publish, receive = cases()
    play(part(BASELINE, publish), part(name, receive))


def planned(case: Case) -> PlannedCase:
    return replace(planned_case(case.name), iterations=case.iterations, accepts=case.accepts)


@contextmanager
def counted(case: Case) -> Iterator[Counting]:
    """Count what the audit would."""
    sums = {way.length for way in case.accepts if way.length is not None}
    exports = {name for way in case.accepts for name in way.calls}
    watch = Watch(
        patterns=("libzmq[.-]*",),
        exports=tuple(sorted(exports)),
        sums=tuple(Sum(function=function, position=position) for function, position in sorted(sums)),
        returns=tuple(each for way in case.accepts for each in way.returns),
    )
    with counting(watch) as counts:
        yield counts


def grown(before: Snapshot, after: Snapshot) -> list[CalledFunction]:
    """The calls from one moment to another."""
    calls, sums, wrong = Counter[str](), Counter[str](), Counter[str]()
    for sign, snapshot in ((-1, before), (1, after)):
        for each in (function for library in snapshot.libraries for function in library.functions):
            calls[each.name] += sign * each.calls
            sums[each.name] += sign * (each.sum or 0)
            wrong[each.name] += sign * (each.wrong or 0)
    return [
        CalledFunction(name=name, calls=count, bytes=sums[name], wrong=wrong[name]) for name, count in calls.items()
    ]


@pytest.mark.parametrize("name", names())
def test_plays_with_itself_and_is_what_the_experiment_accepts(part: Play, name: str) -> None:
    publish, receive = cases()
    hindered = unsupported(program_of(part(name, publish).command))
    if hindered is not None:
        pytest.skip(str(hindered))
    with counted(publish) as sent, counted(receive) as received:
        first = part(name, publish, sent.environment)
        second = part(name, receive, received.environment)
        with team(first, second) as (one, other):
            before = sent.snapshot(), received.snapshot()
            let_go(one, other, lines=LINES)
            after = sent.snapshot(), received.snapshot()
            one.end()
            other.end()
    assert_played(one, publish)
    assert_played(other, receive)
    slices = WARMUP + SLICES
    for case, earlier, later in zip((publish, receive), before, after, strict=True):
        assert wrong_calls(planned(case), grown(earlier, later), slices * case.iterations) is None


def test_who_sends_half_or_all_in_one_is_found_out() -> None:
    publish, receive = cases()
    updates, total = publish.iterations, int(publish.receipt(publish.iterations)["bytes"])

    def sent(calls: int, size: int) -> str | None:
        return wrong_calls(planned(publish), [CalledFunction(name="zmq_send", calls=calls, bytes=size)], updates)

    assert sent(updates, total) is None
    assert sent(updates // 2, total // 2) is not None
    assert sent(updates, total - 1) == (
        f"passed {total - 1} bytes to zmq_send in {updates} operations, expected {total}"
    )
    assert sent(1, total) == f"called zmq_send 1 times in {updates} operations, expected {updates}"
    drawn = [CalledFunction(name="zmq_recv", calls=1, bytes=None)]
    assert wrong_calls(planned(receive), drawn, 10) == "called zmq_recv 1 times in 10 operations, expected 10"


@pytest.mark.parametrize("name", names())
def test_every_update_reaches_a_listener_to_the_byte(part: Play, name: str) -> None:
    # All zipcodes of the original example, 00042 too, and the first of its updates.
    wide = {"matches": 1, "zipcodes": 100_000}
    publish, _ = cases(**wide)
    delivery = publish.delivery
    assert delivery is not None
    values = {"seed": 1969, **wide}
    told = part(name, publish, **wide, cases="publish:2000", slices=1, warmup=0, peers=1)
    with (
        player(told) as one,
        delivery.peer(one.ready["endpoint"], values) as received,
    ):
        let_go(one, lines=2)
        one.end()
        assert (one.status, one.errors) == (0, "")
        assert one.receipts() == [publish.receipt(2_000)]
        assert received() == delivery.receipt(values, 2_000)


@pytest.mark.parametrize("name", ONE_OF_A_FILE)
def test_one_match_in_one_zipcode(part: Play, name: str) -> None:
    few = {"matches": 1, "zipcodes": 1}
    publish, receive = cases(**few)
    with team(part(name, publish, **few), part(name, receive, **few)) as (one, other):
        let_go(one, other, lines=LINES)
        one.end()
        other.end()
    assert_played(one, publish)
    assert_played(other, receive)


@pytest.mark.parametrize("name", ONE_OF_A_FILE)
def test_the_average_is_told_once_to_who_asks(part: Play, name: str) -> None:
    publish, receive = cases()
    average = int(int(receive.receipt(10)["temperature"]) / 10)
    with team(part(BASELINE, publish), part(name, receive, verbose=1)) as (one, other):
        let_go(one, other, lines=LINES)
        one.end()
        other.end()
    assert (other.status, other.errors) == (0, f"Average temperature for zipcode '10001 ' was {average}F\n")
