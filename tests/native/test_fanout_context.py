"""The promise: a context delivers each request exactly once and in order, counts what it did, and refuses the rest."""

from __future__ import annotations

import ctypes
import errno
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

LOCK, MUTEX, SHARDED, MPSC = range(4)
EVERY, EDGE = range(2)
CELLS = [(LOCK, EVERY)] + [(queue, wake) for queue in (MUTEX, SHARDED, MPSC) for wake in (EVERY, EDGE)]
CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint64)
SECONDS_MAX = 30
COUNTS = ("delivered", "duplicates", "missing", "disorders", "strays")


class Context:
    """A context, with the functions of `fanout.h` as methods."""

    def __init__(self, library: ctypes.CDLL, handle: int) -> None:
        self.library = library
        self.handle = ctypes.c_void_p(handle)

    def submit(self, producer: int, sequence: int) -> int:
        return int(self.library.fanout_submit(self.handle, producer, ctypes.c_uint64(sequence)))

    def finish(self) -> int:
        return int(self.library.fanout_finish(self.handle))

    def count(self, name: str) -> int:
        return int(getattr(self.library, f"fanout_{name}")(self.handle))

    def counts(self) -> tuple[int, ...]:
        return tuple(self.count(name) for name in COUNTS)

    def await_delivered(self, count: int) -> None:
        end = time.monotonic() + SECONDS_MAX
        while self.count("delivered") < count:
            assert time.monotonic() < end, f"{self.count('delivered')} of {count} were delivered"


Open = Callable[..., Context]


@pytest.fixture(scope="session")
def library(fanout_library: Path) -> ctypes.CDLL:
    loaded = ctypes.CDLL(str(fanout_library))
    loaded.fanout_open.restype = ctypes.c_void_p
    loaded.fanout_open.argtypes = [ctypes.c_uint32, ctypes.c_uint32, ctypes.c_uint32, ctypes.c_uint64]
    for name in COUNTS:
        getattr(loaded, f"fanout_{name}").restype = ctypes.c_uint64
    return loaded


@pytest.fixture
def opened(library: ctypes.CDLL) -> Iterator[Open]:
    """Open contexts, and close them in the end."""
    contexts = []

    def make(queue: int, wake: int, producers: int = 1, per_producer: int = 1) -> Context:
        handle = library.fanout_open(queue, wake, producers, per_producer)
        assert handle is not None, library.fanout_error()
        contexts.append(Context(library, handle))
        return contexts[-1]

    yield make
    for context in contexts:
        assert library.fanout_close(context.handle) == 0


@pytest.mark.parametrize(("queue", "wake"), CELLS)
def test_each_request_is_delivered_once_and_in_order(opened: Open, queue: int, wake: int) -> None:
    context = opened(queue, wake, producers=3, per_producer=100)
    assert {context.submit(producer, sequence) for sequence in range(100) for producer in range(3)} == {0}
    assert context.finish() == 0
    assert context.counts() == (300, 0, 0, 0, 0)


@pytest.mark.parametrize(("queue", "wake"), CELLS)
def test_a_request_that_is_alone_is_delivered_however_deep_the_consumer_sleeps(
    opened: Open, queue: int, wake: int
) -> None:
    context = opened(queue, wake, per_producer=400)
    for sequence in range(400):
        assert context.submit(0, sequence) == 0
        context.await_delivered(sequence + 1)
        if sequence % 4 == 0:
            time.sleep(sequence * 1e-6)  # from awake to asleep, and what lies between
    assert context.counts() == (400, 0, 0, 0, 0)


@pytest.mark.parametrize(("queue", "wake"), CELLS)
def test_more_producers_than_shards(opened: Open, queue: int, wake: int) -> None:
    context = opened(queue, wake, producers=40, per_producer=50)

    def produce(producer: int) -> None:
        for sequence in range(50):
            assert context.submit(producer, sequence) == 0

    threads = [threading.Thread(target=produce, args=(producer,)) for producer in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    context.await_delivered(2_000)
    assert context.counts() == (2_000, 0, 0, 0, 0)


@pytest.mark.parametrize(("queue", "wake"), CELLS)
def test_a_loss_and_a_duplicate_do_not_cancel_out(opened: Open, queue: int, wake: int) -> None:
    context = opened(queue, wake, per_producer=4)
    assert [context.submit(0, sequence) for sequence in (0, 1, 1, 3)] == [0, 0, 0, 0]
    assert context.finish() == 0
    assert dict(zip(COUNTS, context.counts(), strict=True)) == {
        "delivered": 4,
        "duplicates": 1,
        "missing": 1,
        "disorders": 0,
        "strays": 0,
    }


def test_disorder_and_strays_are_counted(opened: Open) -> None:
    context = opened(SHARDED, EDGE, producers=2, per_producer=4)
    for producer, sequence in ((0, 2), (0, 1), (0, 3), (1, 0), (1, 4), (1, 2**64 - 1)):
        assert context.submit(producer, sequence) == 0
    assert context.finish() == 0
    assert context.counts() == (6, 0, 4, 1, 2)


@pytest.mark.parametrize(("queue", "wake"), CELLS)
def test_a_function_is_called_for_each_request_by_a_thread_of_the_context(
    library: ctypes.CDLL, opened: Open, queue: int, wake: int
) -> None:
    context = opened(queue, wake, producers=2, per_producer=10)
    called = []

    def on_request(data: int, producer: int, sequence: int) -> None:
        called.append((data, producer, sequence, threading.get_native_id()))

    kept = CALLBACK(on_request)
    assert library.fanout_on_request(context.handle, kept, ctypes.c_void_p(1969)) == 0
    for sequence in range(10):
        for producer in range(2):
            assert context.submit(producer, sequence) == 0
    assert context.finish() == 0
    assert context.counts() == (20, 0, 0, 0, 0)
    for producer in range(2):
        assert [(data, sequence) for data, by, sequence, _ in called if by == producer] == [
            (1969, sequence) for sequence in range(10)
        ]
    callers = {thread for *_, thread in called}
    assert len(callers) == 1
    assert threading.get_native_id() not in callers


def test_what_does_not_serve_is_refused(opened: Open) -> None:
    context = opened(MPSC, EDGE, producers=2, per_producer=1)
    assert context.submit(2, 0) == errno.EINVAL
    assert context.submit(0, 0) == 0
    assert context.submit(0, 0) == errno.ENOBUFS
    assert (context.finish(), context.finish()) == (0, 0)
    assert context.submit(1, 0) == errno.ESHUTDOWN
    assert context.counts() == (1, 0, 1, 0, 0)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((4, EVERY, 1, 1), errno.EINVAL),
        ((MUTEX, 2, 1, 1), errno.EINVAL),
        ((LOCK, EDGE, 1, 1), errno.EINVAL),
        ((MUTEX, EDGE, 0, 1), errno.EINVAL),
        ((MUTEX, EDGE, 1, 0), errno.EINVAL),
        ((MUTEX, EDGE, 2**32 - 1, 2**64 - 1), errno.EINVAL),
        ((MUTEX, EDGE, 2**20, 2**43), errno.ENOMEM),
    ],
)
def test_a_context_that_cannot_be_is_not_opened(library: ctypes.CDLL, arguments: tuple[int, ...], error: int) -> None:
    assert library.fanout_open(*arguments) is None
    assert library.fanout_error() == error


def test_the_error_is_the_threads_own(library: ctypes.CDLL) -> None:
    errors = []

    def fail() -> None:
        library.fanout_open(MUTEX, EDGE, 0, 1)
        errors.append(library.fanout_error())

    library.fanout_close(ctypes.c_void_p(library.fanout_open(MUTEX, EDGE, 1, 1)))
    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    assert [*errors, library.fanout_error()] == [errno.EINVAL, 0]


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallinfo2"), reason="this C library does not tell what it gave out")
class TestMemory:
    """What was delivered is freed: at the latest when so many wait for it, and all of it in the end."""

    COUNT = 100_000
    REQUESTS_BYTES = 32 * COUNT  # malloc's smallest chunk that a request fits into
    KEPT_MAX = 1 << 16

    def run(self, context: Context) -> tuple[int, int]:
        """Have all submitted before the first is delivered; return how much is allocated at the last, and at the end.

        Both in bytes, beyond what was before.
        """
        submitted = threading.Event()
        at_the_last: list[int] = []

        def request(data: object, producer: int, sequence: int) -> None:
            submitted.wait(SECONDS_MAX)
            if sequence == self.COUNT - 1:
                at_the_last.append(allocated())

        callback = CALLBACK(request)
        assert context.library.fanout_on_request(context.handle, callback, None) == 0
        before = allocated()
        assert {context.submit(0, sequence) for sequence in range(self.COUNT)} == {0}
        submitted.set()
        assert context.finish() == 0
        assert context.counts() == (self.COUNT, 0, 0, 0, 0)
        return at_the_last[0] - before, allocated() - before

    @pytest.mark.parametrize("queue", [MUTEX, SHARDED, MPSC])
    def test_all_is_freed_in_the_end(self, opened: Open, queue: int) -> None:
        _, end = self.run(opened(queue, EDGE, per_producer=self.COUNT))
        assert end < self.REQUESTS_BYTES / 4

    def test_no_more_is_kept_than_so_much(self, opened: Open) -> None:
        """Where requests are taken one by one; a list that is taken whole is delivered whole."""
        last, _ = self.run(opened(MPSC, EDGE, per_producer=self.COUNT))
        assert last < 32 * (self.COUNT - self.KEPT_MAX) + self.REQUESTS_BYTES / 4


def allocated() -> int:
    """Bytes that malloc has given out: mallinfo(3)."""

    class Information(ctypes.Structure):
        names = "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost"
        _fields_ = [(name, ctypes.c_size_t) for name in names.split()]

    tell = ctypes.CDLL(None).mallinfo2
    tell.restype = Information
    return int(tell().uordblks)
