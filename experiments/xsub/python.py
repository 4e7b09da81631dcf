"""xsub through every Python shim: one loop for all bindings, in the signature of C."""

from __future__ import annotations

import os
from itertools import repeat

from ffibench.worker.contract import Loops, Options, Receipt, Work

TYPE_CHECKING = False
if TYPE_CHECKING:  # a worker starts in less time without
    from collections.abc import Iterator
    from typing import Any


def contestant(native: Any, options: Options) -> Iterator[Work]:  # noqa: ANN401
    """Bind a PUB socket through the shim `native`; the one case sends `message`."""

    def check(ok: object, call: str) -> None:
        if not ok:
            number = native.zmq_errno()
            raise OSError(number, f"{call}: {os.strerror(number)}")

    context = native.zmq_ctx_new()
    check(context, "zmq_ctx_new")
    # An XPUB sends by the same code as a PUB, and can tell that somebody has subscribed.
    peers = int(options["peers"])
    socket = native.zmq_socket(context, native.ZMQ_XPUB if peers else native.ZMQ_PUB)
    check(socket, "zmq_socket")
    check(native.zmq_bind(socket, options["endpoint"].encode()) == 0, "zmq_bind")
    for _ in range(peers):  # a subscription to everything is a message of one byte
        check(native.zmq_recv(socket, bytearray(1), 1, 0) == 1, "zmq_recv")

    message = options["message"].encode()
    size = len(message)
    zmq_send = native.zmq_send

    def run(iterations: int) -> Receipt:
        for _ in repeat(None, iterations):
            if zmq_send(socket, message, size, 0) != size:
                raise OSError("zmq_send did not take the whole message")
        return {"sends": iterations, "bytes": iterations * size}

    def empty(iterations: int) -> None:
        sent = size
        for _ in repeat(None, iterations):
            if sent != size:
                raise OSError("zmq_send did not take the whole message")

    yield Work(cases={"send": Loops(run, empty)})

    check(native.zmq_close(socket) == 0, "zmq_close")
    check(native.zmq_ctx_term(context) == 0, "zmq_ctx_term")
