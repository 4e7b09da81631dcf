"""A send loop on a PUB socket that nobody is subscribed to: what one `zmq_send` costs to call.

libzmq drops the message at once, so what is left of the time is the crossing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from ffibench.model import (
    Accepted,
    Case,
    Delivery,
    Experiment,
    Parameter,
    Receipt,
    Returns,
    Role,
    Value,
    WheelLibrary,
)

MESSAGE_BYTES_MAX = 100_000  # a longer one does not fit into one argument of a command line

# All functions that send. An operation calls zmq_send once, or goes through a message object, as pyzmq and ffi-rzmq do.
NONE = dict.fromkeys(("zmq_send", "zmq_send_const", "zmq_sendmsg", "zmq_sendiov", "zmq_msg_send"), 0)

# A send returns the bytes that it took, or -1: to a socket that is none, say.
WHOLE = Returns(function="zmq_send", must_be="argument", position=2)
BY_MESSAGE = (
    Returns(function="zmq_msg_init_size", must_be="0"),
    Returns(function="zmq_msg_send", must_be="not negative"),
)
BY_DATA = (
    Returns(function="zmq_msg_init_data", must_be="0"),
    Returns(function="zmq_sendmsg", must_be="not negative"),
)

DELIVERED = 300  # under the high-water mark of 1,000 messages, so that none is dropped
PEER_MILLISECONDS_MAX = 5_000


def size_of(values: Mapping[str, Value]) -> int:
    """Return the bytes of the message."""
    return len(str(values["message"]).encode())


def check_message(message: Value) -> str | None:
    """Say what is wrong with a message, or None."""
    if "\0" in str(message):
        return "a message cannot hold a NUL byte"
    if len(str(message).encode()) > MESSAGE_BYTES_MAX:
        return f"a message may have {MESSAGE_BYTES_MAX:,} bytes at the most"
    return None


def cases(values: Mapping[str, Value]) -> tuple[Case, ...]:
    """Return the one case: every send is accepted whole."""
    size = size_of(values)

    def receipt(iterations: int) -> Receipt:
        return {"sends": iterations, "bytes": iterations * size}

    return (
        Case(
            name="send",
            operation=f"zmq_send of {size:,} bytes, nobody subscribed: dropped inside libzmq",
            iterations=50_000,
            bytes=size,
            receipt=receipt,
            accepts=(
                Accepted(calls={**NONE, "zmq_send": 1}, length=("zmq_send", 2), size=size, returns=(WHOLE,)),
                Accepted(
                    calls={**NONE, "zmq_msg_init_size": 1, "zmq_msg_send": 1},
                    length=("zmq_msg_init_size", 1),
                    size=size,
                    returns=BY_MESSAGE,
                ),
                Accepted(
                    calls={**NONE, "zmq_msg_init_data": 1, "zmq_sendmsg": 1},
                    length=("zmq_msg_init_data", 2),
                    size=size,
                    returns=BY_DATA,
                ),
            ),
            delivery=Delivery(operations=DELIVERED, peer=subscriber, receipt=delivered),
        ),
    )


@contextmanager
def subscriber(endpoint: str, values: Mapping[str, Value]) -> Iterator[Callable[[], Receipt]]:
    """Subscribe to everything that a worker sends; what is yielded says, when the worker has ended, what came."""
    import zmq

    context = zmq.Context()
    try:
        socket = context.socket(zmq.SUB)
        socket.setsockopt(zmq.RECONNECT_IVL, 1)  # milliseconds: the worker binds a moment later
        socket.setsockopt(zmq.RCVHWM, 0)
        gone = socket.get_monitor_socket(zmq.EVENT_DISCONNECTED)
        socket.subscribe(b"")
        socket.connect(endpoint)

        def received() -> Receipt:
            # libzmq says that the sender has gone when it has read all that the sender wrote.
            gone.poll(PEER_MILLISECONDS_MAX)
            messages = []
            while socket.poll(0):
                messages.append(socket.recv())
            return {"messages": len(messages), "intact": messages.count(str(values["message"]).encode())}

        yield received
    finally:
        context.destroy(linger=0)


def delivered(values: Mapping[str, Value], operations: int) -> Receipt:
    """Return what the subscriber must have got: each message once, all of them the very bytes."""
    return {"messages": operations, "intact": operations}


EXPERIMENT = Experiment(
    title="send loop on a ZeroMQ PUB socket without subscribers",
    header="zmq.h",
    # The same as of `weather`, so that both use the same shims.
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
    parameters=(Parameter(name="message", default="ohhai", help="the bytes to send", check=check_message),),
    cases=cases,
    roles=(Role(name="sender"),),
    transport="ipc",
)
