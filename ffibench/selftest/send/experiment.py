"""The send loop of `xsub` in C alone, with an argument that makes it slower by a known share: it sends more messages.

Not in `ffibench list`: it is only for `ffibench selftest --aa`, and does not compare languages.
"""

from __future__ import annotations

from collections.abc import Mapping

from ffibench.model import Case, Experiment, Parameter, Receipt, Role, Value, WheelLibrary

MESSAGE = "ohhai"


def cases(values: Mapping[str, Value]) -> tuple[Case, ...]:
    """Return the one case; its receipt does not include the extra sends."""

    def receipt(iterations: int) -> Receipt:
        return {"iterations": iterations}

    operation = f"zmq_send of {len(MESSAGE)} bytes, nobody subscribed"
    return (Case(name="send", operation=operation, iterations=50_000, receipt=receipt),)


def check_extra(extra: Value) -> str | None:
    """Return what is wrong with a number of extra sends, or None."""
    return None if 0 <= int(extra) <= 1000 else "it must be between 0 and 1000"


EXPERIMENT = Experiment(
    title="one C program against itself",
    header="zmq.h",
    functions=("zmq_ctx_new", "zmq_ctx_term", "zmq_socket", "zmq_bind", "zmq_close", "zmq_send", "zmq_errno"),
    library=WheelLibrary(distribution="pyzmq", pattern="*libzmq*"),
    parameters=(
        Parameter(name="message", default=MESSAGE, help="the bytes to send"),
        Parameter(name="extra", default=0, help="extra sends in 1,000", check=check_extra),
    ),
    cases=cases,
    roles=(Role(name="sender"),),
    transport="ipc",
)
