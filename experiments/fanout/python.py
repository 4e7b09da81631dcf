"""fanout through every Python shim: threads of Python, each submitting its own sequence."""

from __future__ import annotations

import os
import sys
import time

from ffibench.worker.contract import Loops, Options, Receipt, Work, planned_cases
from ffibench.worker.thread_team import ThreadTeam

TYPE_CHECKING = False
if TYPE_CHECKING:  # a worker starts in less time without
    from collections.abc import Callable, Iterator
    from typing import Any


AWAIT_SECONDS_MAX = 10
POLL_SECONDS = 50e-6
USUAL_PLACEMENT = "apart"
"""It has no word of its own in the name of a case."""


class Host:
    """The function that is called for each request, and its own record of them."""

    def __init__(self, requests: int, per_thread: int) -> None:
        self.per_thread = per_thread
        self.calls = 0
        self.seen = bytearray(requests)

    def on_request(self, _: object, producer: int, sequence: int) -> None:
        """Mark a request. The context's consumer alone calls it, so that nothing is lost in counting."""
        self.calls += 1
        self.seen[producer * self.per_thread + sequence] = 1


class Session:
    """The context of a slice: fresh for each, opened and closed outside the clocks."""

    def __init__(self, native: Any, team: ThreadTeam, cell: str, threads: int, *, host: bool) -> None:  # noqa: ANN401
        queue, wake, placement = [*cell.split("-"), USUAL_PLACEMENT][:3]
        self.native = native
        self.team = team
        self.design = (getattr(native, f"FANOUT_{queue.upper()}"), getattr(native, f"FANOUT_{wake.upper()}"))
        self.placement = getattr(native, f"FANOUT_{placement.upper()}")
        self.threads = threads
        self.has_host = host
        self.host: Host | None = None
        self.kept: object = None
        self.context: Any = None

    def before(self, iterations: int) -> None:
        """Open a context. The threads are at the gate: each went back there when it had returned."""
        native = self.native
        check(native.fanout_place(self.placement), "fanout_place")
        per_thread = iterations // self.threads
        self.context = native.fanout_open(*self.design, self.threads, per_thread)
        if not self.context:
            number = native.fanout_error()
            raise OSError(number, f"fanout_open: {os.strerror(number)}")
        if self.has_host:
            self.host = Host(iterations, per_thread)
            # What the binding made of the function must live as long as the context calls it.
            self.kept = self.host.on_request
            check(native.fanout_on_request(self.context, self.kept, 0), "fanout_on_request")

    def run(self, iterations: int) -> Receipt:
        """Submit, every thread its share."""
        return {"submits": self.team.run(self.submitting(iterations // self.threads))}

    def submitting(self, per_thread: int) -> Callable[[int], int]:
        """Return what each thread does."""
        fanout_submit, context = self.native.fanout_submit, self.context

        def work(producer: int) -> int:
            submit, into = fanout_submit, context
            for sequence in range(per_thread):
                if submit(into, producer, sequence) != 0:
                    raise OSError(f"fanout_submit did not take request {sequence} of thread {producer}")
            return per_thread

        return work

    def empty(self, iterations: int) -> None:
        """The same loop behind the same gate, without the submit."""
        per_thread = iterations // self.threads

        def work(_: int) -> int:
            status = 0
            for _sequence in range(per_thread):
                if status != 0:
                    raise OSError("fanout_submit did not take a request")
            return per_thread

        self.team.run(work)

    def after(self, iterations: int) -> Receipt:
        """Await what was submitted, and close the context.

        By looking at the count, and asleep between two looks: a binding that holds the GIL could wait in native code
        for a callback that needs it.
        """
        native, context = self.native, self.context
        since, before = time.monotonic(), 0
        while (delivered := native.fanout_delivered(context)) < iterations:
            now = time.monotonic()
            if delivered != before:  # the limit is on the time in which nothing is: a callback may be slow
                since, before = now, delivered
            elif now - since > AWAIT_SECONDS_MAX:
                what = f"nothing was delivered for {AWAIT_SECONDS_MAX} s"
                raise OSError(f"{what}: {delivered} of {iterations} requests were")
            time.sleep(POLL_SECONDS)
        check(native.fanout_finish(context), "fanout_finish")
        receipt: Receipt = {
            "delivered": native.fanout_delivered(context),
            "duplicates": native.fanout_duplicates(context),
            "missing": native.fanout_missing(context),
            "disorders": native.fanout_disorders(context),
            "strays": native.fanout_strays(context),
        }
        check(native.fanout_close(context), "fanout_close")
        self.context = self.kept = None
        if self.host is not None:
            receipt |= {"calls": self.host.calls, "distinct": self.host.seen.count(1)}
        return receipt


def check(status: int, call: str) -> None:
    """Raise OSError for an error number."""
    if status != 0:
        raise OSError(status, f"{call}: {os.strerror(status)}")


def version(native: Any) -> str:  # noqa: ANN401
    """Return the library's version; on a free-threaded interpreter also whether it has kept the GIL away.

    An extension module that does not say that it can do without the GIL brings it back for all.
    """
    library = str(native.fanout_version().decode())
    is_gil_enabled = getattr(sys, "_is_gil_enabled", None)
    if is_gil_enabled is None or "free-threading" not in sys.version:
        return library
    return f"{library}, free-threaded with the GIL {'on' if is_gil_enabled() else 'off'}"


def contestant(native: Any, options: Options) -> Iterator[Work]:  # noqa: ANN401
    """Start the threads; a case is a queue with a wake."""
    threads = int(options["threads"])
    host = options["callback"] == "host"
    team = ThreadTeam(threads)

    def loops(cell: str) -> Loops:
        session = Session(native, team, cell, threads, host=host)
        return Loops(session.run, session.empty, session.before, session.after)

    cells = [cell for cell, _ in planned_cases(options["cases"])]
    yield Work(cases={cell: loops(cell) for cell in cells}, library_version=version(native))

    team.close()
