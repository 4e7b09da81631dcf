"""weather through pyzmq as its users write it: `socket.send(update)`, `socket.recv_string()`.

ffibench: lock=released distribution=pyzmq own-library
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import repeat
from time import perf_counter_ns
from typing import Any

import zmq

from ffibench.worker.contract import Figures, Loops, Options, Receipt, Work

from ._weather import (
    FILTER,
    Task,
    fail_with_more_updates,
    fail_without_subscriber,
    fail_without_update,
    print_average,
)


def contestant(native: None, options: Options) -> Iterator[Work]:
    """Play the role that the worker was given; calls raise on failure, which is how pyzmq tests return codes."""
    task = Task(options)
    # An XPUB sends by the same code as a PUB, and can tell that somebody has subscribed.
    with zmq.Context() as context, context.socket(zmq.XPUB if task.publishes else zmq.SUB) as socket:
        socket.setsockopt(zmq.SNDHWM if task.publishes else zmq.RCVHWM, 0)
        socket.setsockopt(zmq.RCVTIMEO, task.patience_ms)
        yield from publisher(socket, task) if task.publishes else subscriber(socket, task, options["endpoint"])


def publisher(socket: zmq.Socket[Any], task: Task) -> Iterator[Work]:
    """Wait for the subscription of each slice, then publish the weather from its beginning."""
    try:
        socket.bind(task.address)
    except zmq.ZMQError as error:
        sys.exit(f"publisher: {task.address}: {zmq.strerror(error.errno or 0)}")
    send, zipcodes, seed = socket.send, task.zipcodes, task.seed

    def await_subscription(iterations: int) -> None:
        try:
            while not socket.recv().startswith(b"\x01"):
                pass  # the subscription before is taken back
        except zmq.Again:
            fail_without_subscriber(task)

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
            send(update)
            total += len(update)
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
            total += len(update)

    yield Work(
        cases={"publish": Loops(publish, publish_nothing, before=await_subscription)},
        library_version=zmq.zmq_version(),
        endpoint=socket.getsockopt_string(zmq.LAST_ENDPOINT),
    )


def subscriber(socket: zmq.Socket[Any], task: Task, endpoint: str) -> Iterator[Work]:
    """Subscribe in each slice, and average the temperatures of the updates that come."""
    socket.connect(endpoint)
    recv_string = socket.recv_string
    matches = came = total = first_match_ns = 0

    def receive(iterations: int) -> Receipt:
        nonlocal matches, came, total, first_match_ns
        matches, came = iterations, 0
        start = perf_counter_ns()
        socket.subscribe(FILTER)
        try:
            _zipcode, temperature, _humidity = recv_string().split()
            total = int(temperature)
            first_match_ns = perf_counter_ns() - start
            total += rest(iterations)
        except zmq.Again:
            fail_without_update(task, came, matches)
        return {"matches": iterations, "temperature": total}

    def rest(iterations: int) -> int:
        nonlocal came
        total = 0
        for came in range(1, iterations):  # noqa: B007 (reported where one does not come)
            _zipcode, temperature, _humidity = recv_string().split()
            total += int(temperature)
        return total

    def receive_nothing(iterations: int) -> None:
        nonlocal came
        total = 0
        update = b"10001 30 40"
        for came in range(iterations):  # noqa: B007
            _zipcode, temperature, _humidity = update.decode().split()
            total += int(temperature)

    def unsubscribe(iterations: int) -> Receipt:
        socket.unsubscribe(FILTER)
        return {}

    def figures() -> Figures:
        return {"first_match_ns": first_match_ns}

    yield Work(
        cases={"receive": Loops(receive, receive_nothing, after=unsubscribe, figures=figures)},
        library_version=zmq.zmq_version(),
    )

    # Whatever else was sent lies there still, and is seen by one who subscribes to everything.
    socket.subscribe("")
    if socket.poll(0):
        fail_with_more_updates(matches)
    print_average(task, total, matches)
