"""ZeroMQ's weather station: a publisher sends updates, a subscriber averages the temperatures of one zipcode.

The example of the ZeroMQ guide (https://zguide.zeromq.org/docs/chapter1/, "Getting the Message Out"), made fair:
its weather comes from a generator that is exact in every language and begins anew in each slice, the publisher
begins when it has read the subscription, no update is dropped, and nobody sleeps.
"""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from typing import NamedTuple
from zlib import crc32

from ffibench.model import (
    Accepted,
    Case,
    Delivery,
    Experiment,
    Figure,
    Parameter,
    Receipt,
    Returns,
    Role,
    Value,
    WheelLibrary,
)

# Park and Miller's minimal standard generator, with their first multiplier: https://doi.org/10.1145/63039.63042
# No product exceeds 2^45, so that it is exact in doubles too.
MULTIPLIER = 16_807
MODULUS = 2**31 - 1

ZIPCODE = 10_001
ZIPCODES_MAX = 100_000
TEMPERATURES = 215  # from LOWEST on
LOWEST = -80
HUMIDITIES = 50  # from DRIEST on
DRIEST = 10
REST_BYTES = len("10001 ") + len(" 59")  # of an update, but for its temperature

MATCHES_MAX = 10_000_000
DELIVERED_MAX = 1_000_000  # updates of a proof: what the peer has not read yet takes 64 bytes each
PEER_MILLISECONDS_MAX = 60_000

# All functions that send, or receive. The one that receives is judged of the subscriber alone: the publisher reads
# subscriptions with it.
NO_SEND = dict.fromkeys(("zmq_send", "zmq_send_const", "zmq_sendmsg", "zmq_sendiov", "zmq_msg_send"), 0)
NO_RECEIVE = dict.fromkeys(("zmq_recv", "zmq_recvmsg", "zmq_recviov", "zmq_msg_recv"), 0)


class Weather(NamedTuple):
    """What one slice has to come to."""

    updates: int
    bytes: int
    temperature: int
    """Sum over the updates that match."""


@cache
def weather(matches: int, zipcodes: int, seed: int) -> Weather:
    """Return the weather up to the update with which so many match. Nothing is formatted: 0.4 us an update."""
    sizes = [REST_BYTES + len(str(LOWEST + each)) for each in range(TEMPERATURES)]
    state, updates, size, total, found = seed, 0, 0, 0, 0
    while found < matches:
        state = MULTIPLIER * state % MODULUS
        matching = state % zipcodes == 0
        state = MULTIPLIER * state % MODULUS
        temperature = state % TEMPERATURES
        state = MULTIPLIER * state % MODULUS  # the humidity, which has two digits
        updates += 1
        size += sizes[temperature]
        if matching:
            found += 1
            total += LOWEST + temperature
    return Weather(updates=updates, bytes=size, temperature=total)


def draws(seed: int) -> Iterator[int]:
    """Yield the generator's numbers."""
    state = seed
    while True:
        state = MULTIPLIER * state % MODULUS
        yield state


@cache
def published(updates: int, zipcodes: int, seed: int) -> Receipt:
    """Return the sum of the lengths and a checksum of so many first updates."""
    numbers = draws(seed)
    size = checksum = 0
    for _, zipcode, temperature, humidity in zip(range(updates), numbers, numbers, numbers, strict=False):
        update = b"%05d %d %d" % (
            (ZIPCODE + zipcode % zipcodes) % ZIPCODES_MAX,
            LOWEST + temperature % TEMPERATURES,
            DRIEST + humidity % HUMIDITIES,
        )
        size += len(update)
        checksum = crc32(update, checksum)
    return {"updates": updates, "bytes": size, "crc32": checksum}


def cases(values: Mapping[str, Value]) -> tuple[Case, ...]:
    """Return what each role does: all updates are published, those of one zipcode are received."""
    matches, zipcodes, seed = (int(values[name]) for name in ("matches", "zipcodes", "seed"))
    whole = weather(matches, zipcodes, seed)

    def sent(iterations: int) -> Receipt:
        if iterations == whole.updates:
            return {"updates": whole.updates, "bytes": whole.bytes}
        return {"updates": iterations, "bytes": published(iterations, zipcodes, seed)["bytes"]}

    def received(iterations: int) -> Receipt:
        return {"matches": iterations, "temperature": weather(iterations, zipcodes, seed).temperature}

    return (
        Case(
            name="publish",
            role="publisher",
            operation=f"an update drawn, formatted and sent; {matches:,} of {whole.updates:,} go to the subscriber",
            iterations=whole.updates,
            fixed=True,
            receipt=sent,
            accepts=(
                Accepted(
                    calls={**NO_SEND, "zmq_send": 1},
                    length=("zmq_send", 2),
                    total=whole.bytes,
                    returns=(Returns(function="zmq_send", must_be="argument", position=2),),
                ),
                Accepted(
                    calls={**NO_SEND, "zmq_msg_init_size": 1, "zmq_msg_send": 1},
                    length=("zmq_msg_init_size", 1),
                    total=whole.bytes,
                    returns=(
                        Returns(function="zmq_msg_init_size", must_be="0"),
                        Returns(function="zmq_msg_send", must_be="not negative"),
                    ),
                ),
            ),
            delivery=Delivery(operations=min(whole.updates, DELIVERED_MAX), peer=listener, receipt=delivered),
        ),
        Case(
            name="receive",
            role="subscriber",
            operation="an update received and parsed, its temperature added up",
            iterations=matches,
            fixed=True,
            clock="cpu",
            figures=(Figure(name="wall", heading="end to end"), Figure(name="first_match_ns", heading="first match")),
            receipt=received,
            accepts=(
                Accepted(
                    calls={**NO_RECEIVE, "zmq_recv": 1},
                    returns=(Returns(function="zmq_recv", must_be="not negative"),),
                ),
                Accepted(
                    calls={**NO_RECEIVE, "zmq_msg_recv": 1},
                    returns=(Returns(function="zmq_msg_recv", must_be="not negative"),),
                ),
            ),
        ),
    )


@contextmanager
def listener(endpoint: str, values: Mapping[str, Value]) -> Iterator[Callable[[], Receipt]]:
    """Subscribe to all updates; what is yielded says, when the publisher has ended, what came."""
    import zmq

    context = zmq.Context()
    try:
        peer = context.socket(zmq.SUB)
        peer.setsockopt(zmq.RCVHWM, 0)
        gone = peer.get_monitor_socket(zmq.EVENT_DISCONNECTED)
        peer.subscribe(b"")
        peer.connect(endpoint)

        def received() -> Receipt:
            # libzmq says that the publisher has gone when it has read all that the publisher wrote.
            gone.poll(PEER_MILLISECONDS_MAX)
            updates = size = checksum = 0
            with suppress(zmq.Again):
                while True:
                    update = peer.recv(zmq.DONTWAIT)
                    updates += 1
                    size += len(update)
                    checksum = crc32(update, checksum)
            return {"updates": updates, "bytes": size, "crc32": checksum}

        yield received
    finally:
        context.destroy(linger=0)


def delivered(values: Mapping[str, Value], operations: int) -> Receipt:
    """Return what the listener must have got: each update once, in order, to the byte."""
    return published(operations, int(values["zipcodes"]), int(values["seed"]))


def within(low: int, high: int) -> Callable[[Value], str | None]:
    """Return the check of a whole number between two, both included."""

    def check(value: Value) -> str | None:
        return None if low <= int(value) <= high else f"it takes {low:,} to {high:,}"

    return check


def check_port(port: Value) -> str | None:
    """Say why a publisher cannot wait at a port, or None."""
    wrong = within(0, 65_535)(port)
    if wrong is not None or port == 0:
        return wrong
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as libzmq does
        try:
            probe.bind(("127.0.0.1", int(port)))
        except OSError as error:
            why = "is in use" if error.errno == errno.EADDRINUSE else f"is refused: {os.strerror(error.errno or 0)}"
            return f"port {port} {why}; 0 takes a free one"
    return None


def check_patience(patience: Value) -> str | None:
    """Say what is wrong with a time limit, or None."""
    return None if 0.001 <= float(patience) <= 86_400 else "it takes 0.001 to 86,400 seconds"


EXPERIMENT = Experiment(
    title="ZeroMQ's weather station over tcp, publisher and subscriber",
    header="zmq.h",
    functions=(
        "zmq_ctx_new",
        "zmq_ctx_term",
        "zmq_socket",
        "zmq_setsockopt",
        "zmq_getsockopt",
        "zmq_bind",
        "zmq_connect",
        "zmq_close",
        "zmq_send",
        "zmq_recv",
        "zmq_errno",
    ),
    # The file that pyzmq itself loads, so that nothing need be installed and all run on the same code.
    library=WheelLibrary(distribution="pyzmq", pattern="*libzmq*"),
    parameters=(
        Parameter(name="matches", default=100, help="updates of the zipcode 10001", check=within(1, MATCHES_MAX)),
        Parameter(
            name="zipcodes",
            default=100,
            help="how many there are; the example of the guide has 100000",
            check=within(1, ZIPCODES_MAX),
        ),
        Parameter(name="seed", default=1_969, help="where the weather begins", check=within(1, MODULUS - 1)),
        Parameter(name="port", default=0, help="of the publisher on 127.0.0.1; 0: a free one", check=check_port),
        Parameter(name="patience", default=10.0, help="seconds that a role waits for the other", check=check_patience),
    ),
    cases=cases,
    roles=(Role(name="publisher"), Role(name="subscriber", alone={"matches": 100_000, "zipcodes": 2}, slices=1)),
)
