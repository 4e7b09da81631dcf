"""xsub through pyzmq's backend: the Cython `Socket` below the layer of Python that users see.

ffibench: lock=released distribution=pyzmq own-library
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat

import zmq
from zmq.backend import Context, Socket

from ffibench.worker.contract import Loops, Options, Receipt, Work


def contestant(native: None, options: Options) -> Iterator[Work]:
    """Bind a PUB socket; `send` raises on failure, which is how pyzmq tests the return code."""
    message = options["message"].encode()
    size = len(message)
    # An XPUB sends by the same code as a PUB, and can tell that somebody has subscribed.
    peers = int(options["peers"])

    context = Context()
    socket = Socket(context, zmq.XPUB if peers else zmq.PUB)
    socket.bind(options["endpoint"])
    for _ in range(peers):
        socket.recv()
    send = socket.send

    def run(iterations: int) -> Receipt:
        for _ in repeat(None, iterations):
            send(message)
        return {"sends": iterations, "bytes": iterations * size}

    def empty(iterations: int) -> None:
        for _ in repeat(None, iterations):
            pass

    yield Work(cases={"send": Loops(run, empty)}, library_version=zmq.zmq_version())

    socket.close()
    context.term()
