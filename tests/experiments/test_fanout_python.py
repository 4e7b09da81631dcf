"""Python's loop of `fanout`: each slice gives the oracle's receipt, and what goes wrong shows or is told."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from support.fanout import CELLS, FOLDER, cases, receipts
from support.kit import Answer, kit_command

from ffibench.builds.library import find_library
from ffibench.builds.project import build
from ffibench.catalog import candidates
from ffibench.paths import asset

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
