"""The send loop of `xsub` for pytest-benchmark, in process: one group a case, the C loop as its baseline.

What is handed to pytest-benchmark is the loop of N sends, never a single send, whose own call and timer would
be in every figure; and always `pedantic` with one iteration and equal rounds, since calibration per test has
reported two identical tests as 0.65x of each other. `ffibench run xsub` measures in fresh processes and says
how sure it is; this is for the history that a CI keeps with --benchmark-json.
"""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from ffibench.builds.library import find_library
from ffibench.builds.project import build
from ffibench.builds.toolchain import compiler
from ffibench.catalog import Candidate, Folder, candidates, find_experiment
from ffibench.model import LibraryIdentity
from ffibench.paths import asset
from ffibench.worker.contract import Loops
from ffibench.worker.load import import_contestant, import_file

SENDS = 5_000
ROUNDS = 5
MESSAGE = b"ohhai"
GROUP = "send"
ZMQ_PUB = 1

FOLDER = find_experiment("xsub")
PYTHON = [each for each in candidates(FOLDER) if each.contestant.language == "python" and each.missing is None]


@pytest.fixture(scope="module")
def library() -> LibraryIdentity:
    return find_library(FOLDER.experiment, FOLDER.path, None)


@pytest.fixture
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> str:
    # Not tmp_path: it carries the test's name, and a socket's path holds 107 bytes.
    return f"ipc://{tmp_path_factory.mktemp('s')}/s"


def loops_of(candidate: Candidate, folder: Folder, library: LibraryIdentity, endpoint: str) -> Iterator[Loops]:
    """Set a contestant up in this process as its worker would, and tear it down."""
    project = candidate.project(folder, library, {})
    native = None if project is None else import_file(str(build(project)))
    contestant = import_contestant(str(candidate.source.path)).contestant
    session = contestant(native, {"endpoint": endpoint, "message": MESSAGE.decode(), "peers": "0"})
    loops = next(session).cases[GROUP]
    assert isinstance(loops, Loops)
    yield loops
    assert next(session, None) is None


@pytest.mark.benchmark(group=GROUP)
@pytest.mark.parametrize("candidate", PYTHON, ids=lambda candidate: str(candidate.contestant.name))
def test_send(benchmark: BenchmarkFixture, candidate: Candidate, library: LibraryIdentity, endpoint: str) -> None:
    for loops in loops_of(candidate, FOLDER, library, endpoint):
        receipt = benchmark.pedantic(loops.run, args=(SENDS,), iterations=1, rounds=ROUNDS, warmup_rounds=1)
        assert receipt == {"sends": SENDS, "bytes": SENDS * len(MESSAGE)}


@pytest.mark.benchmark(group=GROUP)
def test_send_in_c(benchmark: BenchmarkFixture, library: LibraryIdentity, endpoint: str, tmp_path: Path) -> None:
    shared = tmp_path / "send_loop.so"
    source = Path(__file__).with_name("send_loop.c")
    flags = ["-O3", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", f"-I{asset('native/include')}"]
    link = [library.path, f"-Wl,-rpath,{Path(library.path).parent}"]
    subprocess.run([*compiler("c").command, *flags, str(source), *link, "-o", str(shared)], check=True)

    zmq = ctypes.CDLL(library.path)
    zmq.zmq_ctx_new.restype = zmq.zmq_socket.restype = ctypes.c_void_p
    context = ctypes.c_void_p(zmq.zmq_ctx_new())
    socket = ctypes.c_void_p(zmq.zmq_socket(context, ZMQ_PUB))
    assert zmq.zmq_bind(socket, endpoint.encode()) == 0
    loop = ctypes.CDLL(str(shared)).send_loop
    loop.restype = ctypes.c_uint64
    loop.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64]

    done = benchmark.pedantic(
        loop, args=(socket, MESSAGE, len(MESSAGE), SENDS), iterations=1, rounds=ROUNDS, warmup_rounds=1
    )
    assert done == SENDS
    assert zmq.zmq_close(socket) == 0
    assert zmq.zmq_ctx_term(context) == 0
