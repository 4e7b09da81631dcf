"""The send loop of `xsub` in C alone, which can be told to be slower by a known share: it sends more than it says.

Not in `ffibench list`: it is there for `ffibench selftest --aa`, and says nothing about languages.
"""

from __future__ import annotations

from collections.abc import Mapping

from ffibench.model import Case, Experiment, Parameter, Receipt, Role, Value, WheelLibrary

MESSAGE = "ohhai"


def cases(values: Mapping[str, Value]) -> tuple[Case, ...]:
    """Return the one case; what it was told to send more is not in its receipt."""

    def receipt(iterations: int) -> Receipt:
        return {"iterations": iterations}

    operation = f"zmq_send of {len(MESSAGE)} bytes, nobody subscribed"
    return (Case(name="send", operation=operation, iterations=50_000, receipt=receipt),)


def check_extra(extra: Value) -> str | None:
    """Say what is wrong with a number of further sends, or None."""
    return None if 0 <= int(extra) <= 1000 else "it lies between 0 and 1000"


EXPERIMENT = Experiment(
    title="one C program against itself",
    header="zmq.h",
    functions=("zmq_ctx_new", "zmq_ctx_term", "zmq_socket", "zmq_bind", "zmq_close", "zmq_send", "zmq_errno"),
    library=WheelLibrary(distribution="pyzmq", pattern="*libzmq*"),
    parameters=(
        Parameter(name="message", default=MESSAGE, help="the bytes to send"),
        Parameter(name="extra", default=0, help="so many sends more in 1,000", check=check_extra),
    ),
    cases=cases,
    roles=(Role(name="sender"),),
    transport="ipc",
)
