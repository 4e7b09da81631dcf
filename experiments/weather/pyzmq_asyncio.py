"""weather through pyzmq's sockets for asyncio: `await socket.send(update)`, `await socket.recv()`.

ffibench: lock=released distribution=pyzmq own-library
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine, Iterator
from itertools import repeat
from time import perf_counter_ns
from typing import Any

import zmq
from zmq.asyncio import Context, Socket

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
    """Play the role that the worker was given, each slice a coroutine of one event loop."""
    task = Task(options)
    loop = asyncio.new_event_loop()
    # An XPUB sends by the same code as a PUB, and can tell that somebody has subscribed.
    with Context() as context, context.socket(zmq.XPUB if task.publishes else zmq.SUB) as socket:
        socket.setsockopt(zmq.SNDHWM if task.publishes else zmq.RCVHWM, 0)
        if task.publishes:
            yield from publisher(loop, socket, task)
        else:
            yield from subscriber(loop, socket, task, options["endpoint"])
    loop.close()


def publisher(loop: asyncio.AbstractEventLoop, socket: Socket, task: Task) -> Iterator[Work]:
    """Wait for the subscription of each slice, then publish the weather from its beginning."""
    zipcodes, seed = task.zipcodes, task.seed
    try:
        socket.bind(task.address)
    except zmq.ZMQError as error:
        sys.exit(f"publisher: {task.address}: {zmq.strerror(error.errno or 0)}")

    async def await_subscription() -> None:
        while not (await socket.recv()).startswith(b"\x01"):
            pass  # the subscription before is taken back

    async def publish(iterations: int) -> Receipt:
        send = socket.send
        state, total = seed, 0
        for _ in repeat(None, iterations):
            state = 16807 * state % 2147483647
            zipcode = (10001 + state % zipcodes) % 100000
            state = 16807 * state % 2147483647
            temperature = state % 215 - 80
            state = 16807 * state % 2147483647
            humidity = state % 50 + 10
            update = b"%05d %d %d" % (zipcode, temperature, humidity)
            await send(update)
            total += len(update)
        return {"updates": iterations, "bytes": total}

    async def publish_nothing(iterations: int) -> None:
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

    def before(iterations: int) -> None:
        try:
            loop.run_until_complete(asyncio.wait_for(await_subscription(), task.patience))
        except asyncio.TimeoutError:
            fail_without_subscriber(task)

    def run(iterations: int) -> Receipt:
        return loop.run_until_complete(publish(iterations))

    def empty(iterations: int) -> None:
        loop.run_until_complete(publish_nothing(iterations))

    yield Work(
        cases={"publish": Loops(run, empty, before=before)},
        library_version=zmq.zmq_version(),
        endpoint=socket.getsockopt_string(zmq.LAST_ENDPOINT),
    )


def subscriber(loop: asyncio.AbstractEventLoop, socket: Socket, task: Task, endpoint: str) -> Iterator[Work]:
    """Subscribe in each slice, and average the temperatures of the updates that come."""
    socket.connect(endpoint)
    matches = came = total = first_match_ns = 0

    async def receive(iterations: int) -> None:
        nonlocal total, first_match_ns
        start = perf_counter_ns()
        socket.subscribe(FILTER)
        _zipcode, temperature, _humidity = (await socket.recv()).decode().split()
        total = int(temperature)
        first_match_ns = perf_counter_ns() - start
        total += await rest(iterations)

    async def rest(iterations: int) -> int:
        nonlocal came
        recv = socket.recv
        total = 0
        for came in range(1, iterations):  # noqa: B007 (reported where one does not come)
            _zipcode, temperature, _humidity = (await recv()).decode().split()
            total += int(temperature)
        return total

    async def receive_nothing(iterations: int) -> None:
        nonlocal came
        total = 0
        update = b"10001 30 40"
        for came in range(iterations):  # noqa: B007
            _zipcode, temperature, _humidity = update.decode().split()
            total += int(temperature)

    def run(iterations: int) -> Receipt:
        nonlocal matches, came
        matches, came = iterations, 0
        if not patiently(loop, receive(iterations), task.patience, lambda: came):
            fail_without_update(task, came, matches)
        return {"matches": iterations, "temperature": total}

    def empty(iterations: int) -> None:
        loop.run_until_complete(receive_nothing(iterations))

    def unsubscribe(iterations: int) -> Receipt:
        socket.unsubscribe(FILTER)
        return {}

    def figures() -> Figures:
        return {"first_match_ns": first_match_ns}

    yield Work(
        cases={"receive": Loops(run, empty, after=unsubscribe, figures=figures)},
        library_version=zmq.zmq_version(),
    )

    # Whatever else was sent lies there still, and is seen by one who subscribes to everything.
    socket.subscribe("")
    if loop.run_until_complete(has_more(socket)):
        fail_with_more_updates(matches)
    print_average(task, total, matches)


def patiently(
    loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, None], patience: float, count: Callable[[], int]
) -> bool:
    """Run `work` to its end; False where nothing more was counted for so many seconds.

    One timer for all updates: with RCVTIMEO pyzmq sets one for each, which takes a quarter longer.
    """
    task = loop.create_task(work)

    def look(seen: int) -> None:
        if count() == seen:
            task.cancel()
        elif not task.done():
            loop.call_later(patience, look, count())

    loop.call_later(patience, look, 0)
    try:
        loop.run_until_complete(task)
    except asyncio.CancelledError:
        return False
    return True


async def has_more(socket: Socket) -> bool:
    """Return whether something lies there, without waiting."""
    return bool(await socket.poll(0))
