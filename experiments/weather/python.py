"""weather through every Python shim: one file for all bindings and both roles, in the signature of C."""

from __future__ import annotations

import os
import sys
from errno import EAGAIN
from itertools import repeat
from time import perf_counter_ns

from ffibench.worker.contract import Figures, Loops, Options, Receipt, Work

from ._weather import (
    FILTER,
    Task,
    fail_with_more_updates,
    fail_without_subscriber,
    fail_without_update,
    print_average,
)

TYPE_CHECKING = False
if TYPE_CHECKING:  # a worker starts in less time without
    from collections.abc import Iterator
    from typing import Any


SUBSCRIPTION = FILTER.encode()
ROOM = 256


def contestant(native: Any, options: Options) -> Iterator[Work]:  # noqa: ANN401
    """Play the role that the worker was given, through the shim `native`."""
    task = Task(options)
    context = native.zmq_ctx_new()
    check(native, context, "zmq_ctx_new")
    # An XPUB sends by the same code as a PUB, and can tell that somebody has subscribed.
    socket = native.zmq_socket(context, native.ZMQ_XPUB if task.publishes else native.ZMQ_SUB)
    check(native, socket, "zmq_socket")
    for option, value in (
        (native.ZMQ_SNDHWM if task.publishes else native.ZMQ_RCVHWM, 0),
        (native.ZMQ_RCVTIMEO, task.patience_ms),
    ):
        check(native, native.zmq_setsockopt(socket, option, as_int(value), 4) == 0, "zmq_setsockopt")

    if task.publishes:
        yield from publisher(native, socket, task)
    else:
        yield from subscriber(native, socket, task, options["endpoint"])

    check(native, native.zmq_close(socket) == 0, "zmq_close")
    check(native, native.zmq_ctx_term(context) == 0, "zmq_ctx_term")


def check(native: Any, ok: object, call: str) -> None:  # noqa: ANN401
    """End with a sentence where a call failed."""
    if not ok:
        sys.exit(f"{call}: {os.strerror(native.zmq_errno())}")


def as_int(value: int) -> bytes:
    """Return the memory of an int of C."""
    return value.to_bytes(4, sys.byteorder, signed=True)


def publisher(native: Any, socket: Any, task: Task) -> Iterator[Work]:  # noqa: ANN401
    """Wait for the subscription of each slice, then publish the weather from its beginning."""
    check(native, native.zmq_bind(socket, task.address.encode()) == 0, f"publisher: {task.address}")
    endpoint, size_of_it = bytearray(ROOM), native.cell("unsigned long")
    size_of_it[0] = ROOM
    rc = native.zmq_getsockopt(socket, native.ZMQ_LAST_ENDPOINT, endpoint, size_of_it)
    check(native, rc == 0, "zmq_getsockopt")

    event = bytearray(ROOM)
    zmq_send, zipcodes, seed = native.zmq_send, task.zipcodes, task.seed

    def await_subscription(iterations: int) -> None:
        event[0] = 0  # the subscription before has been taken back, which comes first
        while event[0] != 1:
            if native.zmq_recv(socket, event, ROOM, 0) < 0:
                if native.zmq_errno() == EAGAIN:
                    fail_without_subscriber(task)
                check(native, False, "zmq_recv")

    def publish(iterations: int) -> Receipt:
        state, total = seed, 0
        for _ in repeat(None, iterations):
            state = 16807 * state % 2147483647
            zipcode = (10001 + state % zipcodes) % 100000
            state = 16807 * state % 2147483647
            temperature = state % 215 - 80
            state = 16807 * state % 2147483647
            humidity = state % 50 + 10
            update = b"%05d %d %d" % (zipcode, temperature, humidity)
            size = len(update)
            if zmq_send(socket, update, size, 0) != size:
                sys.exit("publisher: zmq_send did not take the whole update")
            total += size
        return {"updates": iterations, "bytes": total}

    def publish_nothing(iterations: int) -> None:
        state, total = seed, 0
        for _ in repeat(None, iterations):
            state = 16807 * state % 2147483647
            zipcode = (10001 + state % zipcodes) % 100000
            state = 16807 * state % 2147483647
            temperature = state % 215 - 80
            state = 16807 * state % 2147483647
            humidity = state % 50 + 10
            update = b"%05d %d %d" % (zipcode, temperature, humidity)
            size = sent = len(update)
            if sent != size:
                sys.exit("publisher: zmq_send did not take the whole update")
            total += size

    length = int.from_bytes(size_of_it, sys.byteorder) - 1  # without the NUL
    yield Work(
        cases={"publish": Loops(publish, publish_nothing, before=await_subscription)},
        endpoint=endpoint[:length].decode(),
    )


def subscriber(native: Any, socket: Any, task: Task, endpoint: str) -> Iterator[Work]:  # noqa: ANN401
    """Subscribe in each slice, and average the temperatures of the updates that come."""
    check(native, native.zmq_connect(socket, endpoint.encode()) == 0, "zmq_connect")
    memory = bytearray(ROOM)
    zmq_recv = native.zmq_recv
    matches = total = first_match_ns = 0

    def missed(came: int) -> None:
        if native.zmq_errno() != EAGAIN:
            check(native, False, "zmq_recv")
        fail_without_update(task, came, matches)

    def receive(iterations: int) -> Receipt:
        nonlocal matches, total, first_match_ns
        matches = iterations
        start = perf_counter_ns()
        rc = native.zmq_setsockopt(socket, native.ZMQ_SUBSCRIBE, SUBSCRIPTION, len(SUBSCRIPTION))
        check(native, rc == 0, "zmq_setsockopt")
        size = zmq_recv(socket, memory, ROOM, 0)
        if size < 0:
            missed(0)
        _zipcode, temperature, _humidity = memory[:size].decode().split()
        total = int(temperature)
        first_match_ns = perf_counter_ns() - start
        total += rest(iterations)
        return {"matches": iterations, "temperature": total}

    def rest(iterations: int) -> int:
        total = 0
        for came in range(1, iterations):
            size = zmq_recv(socket, memory, ROOM, 0)
            if size < 0:
                missed(came)
            _zipcode, temperature, _humidity = memory[:size].decode().split()
            total += int(temperature)
        return total

    def receive_nothing(iterations: int) -> None:
        total = 0
        memory[:11] = b"10001 30 40"
        size = 11
        for came in range(iterations):
            if size < 0:
                missed(came)
            _zipcode, temperature, _humidity = memory[:size].decode().split()
            total += int(temperature)

    def unsubscribe(iterations: int) -> Receipt:
        rc = native.zmq_setsockopt(socket, native.ZMQ_UNSUBSCRIBE, SUBSCRIPTION, len(SUBSCRIPTION))
        check(native, rc == 0, "zmq_setsockopt")
        return {}

    def figures() -> Figures:
        return {"first_match_ns": first_match_ns}

    yield Work(cases={"receive": Loops(receive, receive_nothing, after=unsubscribe, figures=figures)})

    # Whatever else was sent lies there still, and is seen by one who subscribes to everything.
    check(native, native.zmq_setsockopt(socket, native.ZMQ_SUBSCRIBE, b"", 0) == 0, "zmq_setsockopt")
    if zmq_recv(socket, memory, ROOM, native.ZMQ_DONTWAIT) >= 0:
        fail_with_more_updates(matches)
    check(native, native.zmq_errno() == EAGAIN, "zmq_recv")
    print_average(task, total, matches)
