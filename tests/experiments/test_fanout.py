"""The promise: `fanout` asks for the cells that it should, knows which cannot run, and proves what Python submits."""

from __future__ import annotations

import pytest
from support.contestants import contestant
from support.fanout import CELLS, FOLDER, cases, parameters

from ffibench.errors import FfibenchError
from ffibench.plan.parameters import read_parameters

# --- cells ----------------------------------------------------------------------------------------


def test_the_baseline_has_every_cell_and_the_others_have_one() -> None:
    asked = cases()
    assert [case.name for case in asked] == CELLS
    assert [case.name for case in asked if not case.only] == ["sharded-edge"]
    assert {case.only for case in asked} == {(), ("c",)}


def test_cells_that_were_asked_for_are_everybodys() -> None:
    asked = cases(queues="mpsc,lock")
    assert [(case.name, case.only) for case in asked] == [("lock-every", ()), ("mpsc-every", ()), ("mpsc-edge", ())]
    assert [(case.name, case.only) for case in cases(wakes="edge")] == [
        ("mutex-edge", ()),
        ("sharded-edge", ()),
        ("mpsc-edge", ()),
    ]


def test_the_submits_of_all_threads_are_as_many_at_every_point() -> None:
    for threads in (1, 2, 4, 8):
        iterations = {case.name: case.iterations for case in cases(threads=threads)}
        assert iterations == {**dict.fromkeys(CELLS, 20_000), "lock-every": 120}
        host = {case.name: case.iterations for case in cases(threads=threads, callback="host")}
        assert host == {**dict.fromkeys(CELLS, 4_000), "lock-every": 120}
    assert {case.iterations for case in cases(threads=3)} == {19_998, 120}
    assert {case.iterations for case in cases(threads=4_000)} == {40_000}  # 10 each, however many there are
    assert {case.iterations for case in cases(threads=4, per_thread=7)} == {28}
    assert all(case.fixed for case in cases())


def test_other_placements_are_cases_with_names_of_their_own() -> None:
    asked = cases(placement="free,apart", queues="mutex,lock", wakes="every")
    assert [case.name for case in asked] == ["lock-every", "lock-every-free", "mutex-every", "mutex-every-free"]
    everybody = [case.name for case in cases(placement="all") if not case.only]
    assert everybody == ["sharded-edge", "sharded-edge-together", "sharded-edge-free"]


@pytest.mark.parametrize(
    ("processors", "words"),
    [
        ({0, 1}, "the consumer on CPU 1, all other threads on CPU 0"),
        ({3, 5, 8}, "the consumer on CPU 8, all other threads on CPUs 3, 5"),
        ({2}, "the consumer on CPU 2, all other threads on CPU 2 too"),
    ],
)
def test_a_run_says_where_threads_run(monkeypatch: pytest.MonkeyPatch, processors: set[int], words: str) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: processors)
    said = FOLDER.experiment.placement
    assert said is not None
    assert said(parameters()) == f"apart: {words}"
    assert said(parameters(placement="all")) == (
        f"apart: {words}; together: all threads on CPU {max(processors)}; free: where the system puts them"
    )


def test_points_of_a_sweep_are_one_series() -> None:
    assert [case.series for case in cases(threads=8)] == [case.series for case in cases(threads=1)] == CELLS
    (parameter,) = (each for each in FOLDER.experiment.parameters if each.name == "threads")
    assert parameter.sweep == (1, 2, 4, 8)


def test_an_operation_says_what_it_is() -> None:
    (one,) = cases(queues="sharded", wakes="edge")
    (lock,) = cases(queues="lock", threads=8)
    assert one.operation == (
        "fanout_submit of one request, by 1 thread into the producer's own list of several (sharded), "
        "a wake where it was empty"
    )
    assert lock.operation == (
        "fanout_submit of one request, by 8 threads into the one slot under one lock, until it is accepted (lock), "
        "a wake at every submit, which is the edge too: its slot is empty each time"
    )


def test_the_oracle() -> None:
    (count,) = cases(queues="sharded", wakes="edge")
    (host,) = cases(queues="sharded", wakes="edge", callback="host")
    proof = {"submits": 60, "delivered": 60, "duplicates": 0, "missing": 0, "disorders": 0, "strays": 0}
    assert count.receipt(60) == proof
    assert host.receipt(60) == {**proof, "calls": 60, "distinct": 60}
    assert [accepted.calls for accepted in count.accepts] == [{"fanout_submit": 1}]


def test_a_deadlock_is_known_from_what_is_declared() -> None:
    held, released, c = contestant("python/capi"), contestant("python/capi~nogil"), contestant("c")
    dead = [
        (case.name, who.name, callback)
        for callback in ("count", "host")
        for case in cases(queues="lock,sharded,mutex,mpsc", callback=callback)
        for who in (held, released, c)
        if case.cannot is not None and case.cannot(who) is not None
    ]
    assert dead == [("lock-every", "python/capi", "host")]
    (lock,) = cases(queues="lock", callback="host")
    assert lock.cannot is not None
    told = "deadlock: submit holds the runtime's lock and waits for an accept, whose callback needs that lock"
    assert lock.cannot(held) == told


# --- parameters -------------------------------------------------------------------------------------


def told(**given: str) -> str:
    with pytest.raises(FfibenchError) as caught:
        read_parameters(FOLDER.experiment, "fanout", given)
    return str(caught.value)


def test_what_cannot_be_is_told() -> None:
    assert (
        told(threads="0")
        == "--set threads: 0 threads cannot submit; it takes 1 or more; leave it out to use the default, 1"
    )
    assert told(threads="-3").startswith("--set threads: -3 threads cannot submit; ")
    assert told(per_thread="-1").startswith("--set per_thread: a thread submits 1 to 10,000,000 times; ")
    assert told(queues="mutex,fast") == (
        "--set queues: there is no queue 'fast'; there are lock, mutex, sharded, mpsc, separated by commas, or all; "
        "leave it out to use the default, all"
    )
    assert told(queues="").startswith("--set queues: there is no queue ''; ")
    assert told(wakes="never").startswith("--set wakes: there is no wake 'never'; there are every, edge, ")
    assert told(placement="near").startswith("--set placement: there is no placement 'near'; there are apart, ")
    assert (
        told(callback="python")
        == "--set callback: 'python' is neither count nor host; leave it out to use the default, count"
    )


def test_more_threads_than_the_system_allows_are_told_before_anything_runs() -> None:
    message = told(threads="1000000000")
    assert message.startswith("--set threads: 1,000,000,000 threads are more than this system allows, ")


def test_a_queue_without_an_edge_is_told() -> None:
    with pytest.raises(FfibenchError) as caught:
        cases(queues="lock", wakes="edge")
    assert str(caught.value) == (
        "--set queues=lock has no edge: its one slot is empty at every submit; --set wakes=every"
    )
