"""The promise: `fanout` asks for the cells that it should, knows which cannot run, and proves what Python submits."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from support.contestants import contestant
from support.fanout import cases, parameters, receipts
from support.kit import Answer, kit_command

from ffibench.builds.library import find_library
from ffibench.builds.project import build
from ffibench.catalog import candidates, find_experiment
from ffibench.errors import FfibenchError
from ffibench.paths import asset
from ffibench.plan.parameters import read_parameters

FOLDER = find_experiment("fanout")
CELLS = ["lock-every", "mutex-every", "mutex-edge", "sharded-every", "sharded-edge", "mpsc-every", "mpsc-edge"]


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


# --- Python's loop --------------------------------------------------------------------------------

HOST = """
import ctypes
from ffibench.worker.load import import_file

native = import_file(SHIM)
globals().update({name: each for name, each in vars(native).items() if name[:6].lower() == "fanout"})
FUNCTION = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint64)
kept = []


def fanout_on_request(context, callback, data):
    kept.append(FUNCTION(callback))
    return native.fanout_on_request(context, native._Handle(ctypes.cast(kept[-1], ctypes.c_void_p).value), data)
"""

Work = Callable[..., Answer]


@pytest.fixture(scope="session")
def shims(private_folders: None) -> dict[str, Path]:
    """The shims of ctypes. The callback is an address there, so that this test makes it itself."""
    library = find_library(FOLDER.experiment, FOLDER.path, None)
    found = {}
    for candidate in candidates(FOLDER):
        if candidate.contestant.name in {"python/ctypes", "python/ctypes-pydll"}:
            project = candidate.project(FOLDER, library, {"fanout_on_request.callback": "handle"})
            assert project is not None
            found[candidate.contestant.name] = build(project)
    return found


@pytest.fixture
def work(shims: dict[str, Path], tmp_path: Path) -> Work:
    """Run Python's worker through one of ctypes' shims, `before` it a text of the test's own."""

    def run(name: str, cell: str, iterations: int, *, threads: int, callback: str = "count", head: str = "") -> Answer:
        shim = tmp_path / "shim.py"
        shim.write_text(f"SHIM = {str(shims[name])!r}\n{HOST}\n{dedent(head)}", encoding="utf-8")
        arguments: dict[str, Any] = {"shim": shim, "warmup": 0, "threads": threads, "callback": callback}
        command = kit_command(asset("experiments/fanout/python.py"), cases=f"{cell}:{iterations}", **arguments)
        done = subprocess.run(command, input="go\n", capture_output=True, text=True, check=False, timeout=120)
        return Answer(done)

    return run


@pytest.mark.parametrize("threads", [1, 2, 8])
@pytest.mark.parametrize("callback", ["count", "host"])
@pytest.mark.parametrize("name", ["python/ctypes", "python/ctypes-pydll"])
def test_every_slice_gives_the_oracles_receipt(work: Work, name: str, callback: str, threads: int) -> None:
    (case,) = cases(queues="sharded", wakes="edge", threads=threads, per_thread=300, callback=callback)
    answer = work(name, case.name, case.iterations, threads=threads, callback=callback)
    assert (answer.status, answer.errors) == (0, "")
    assert answer.lines[0]["ready"]["library"].startswith("1.1")
    assert receipts(answer, case.name) == [case.receipt(300 * threads)] * 2
    assert [line["kind"] for line in answer.lines[1:]] == ["timed"] * 2 + ["empty"] * 2


@pytest.mark.parametrize("cell", [*CELLS, "sharded-edge-together", "mpsc-every-free"])
def test_every_cell_that_can_run_does(work: Work, cell: str) -> None:
    queue, wake, placement = [*cell.split("-"), "apart"][:3]
    (case,) = cases(queues=queue, wakes=wake, placement=placement, threads=2, per_thread=100, callback="host")
    assert case.name == cell
    answer = work("python/ctypes", cell, 200, threads=2, callback="host")
    assert (answer.status, answer.errors) == (0, "")
    assert receipts(answer, cell) == [case.receipt(200)] * 2


def test_a_submit_that_fails_in_a_thread_fails_the_worker(work: Work) -> None:
    head = """
    submit = fanout_submit
    def fanout_submit(context, producer, sequence):
        return 12 if (producer, sequence) == (1, 7) else submit(context, producer, sequence)
    """
    answer = work("python/ctypes", "mpsc-edge", 40, threads=2, head=head)
    assert answer.status != 0
    assert answer.errors.splitlines()[-1] == "OSError: fanout_submit did not take request 7 of thread 1"


def test_a_loss_and_a_duplicate_show_in_the_receipt(work: Work) -> None:
    head = """
    submit = fanout_submit
    def fanout_submit(context, producer, sequence):
        return submit(context, producer, 5 if sequence == 6 else sequence)
    """
    (case,) = cases(queues="sharded", wakes="edge", threads=2, per_thread=20, callback="host")
    answer = work("python/ctypes-pydll", case.name, 40, threads=2, callback="host", head=head)
    assert receipts(answer, case.name) == [{**case.receipt(40), "duplicates": 2, "missing": 2, "distinct": 38}] * 2


def test_a_request_that_never_comes_is_not_awaited_for_ever(work: Work) -> None:
    head = """
    import sys
    submit = fanout_submit
    def fanout_submit(context, producer, sequence):
        sys.modules["ffibench_experiment.python"].AWAIT_SECONDS_MAX = 1
        return 0 if sequence == 6 else submit(context, producer, sequence)
    """
    answer = work("python/ctypes-pydll", "mutex-every", 40, threads=2, head=head)
    assert answer.status != 0
    assert answer.errors.splitlines()[-1] == "OSError: nothing was delivered for 1 s: 38 of 40 requests were"


def test_a_context_that_cannot_be_opened_is_told(work: Work) -> None:
    answer = work("python/ctypes", "lock-edge", 10, threads=1)
    assert answer.errors.splitlines()[-1] == "OSError: [Errno 22] fanout_open: Invalid argument"


VERSION = """
import json, sys, types
from ffibench.worker.load import import_file
module = import_file(sys.argv[1])
native = types.SimpleNamespace(fanout_version=lambda: b"1.0")
sys.version, sys._is_gil_enabled = json.loads(sys.argv[2]), lambda: json.loads(sys.argv[3])
print(module.version(native))
"""


@pytest.mark.parametrize(
    ("interpreter", "lock", "told"),
    [
        ("3.13.0 (main)", True, "1.0"),
        ("3.13.0 experimental free-threading build (main)", True, "1.0, free-threaded with the GIL on"),
        ("3.14.0 free-threading build (main)", False, "1.0, free-threaded with the GIL off"),
    ],
)
def test_a_free_threaded_interpreter_says_so(interpreter: str, lock: bool, told: str) -> None:
    arguments = [str(asset("experiments/fanout/python.py")), json.dumps(interpreter), json.dumps(lock)]
    answer = subprocess.run([sys.executable, "-c", VERSION, *arguments], capture_output=True, text=True, check=True)
    assert answer.stdout == f"{told}\n"
