"""`calls`: one case for each shape of a call, through every binding."""

from __future__ import annotations

from msgspec.structs import replace

from ffibench.model import CONTROL, Call, Effort, Experiment, LibrarySources, Parameter, Value

NUMBERS = "numbers"
TEXT = "text and bytes"
MEMORY = "arrays and structs"
HANDLES = "handles"
CALLBACKS = "callbacks"

SIZE_MAX = 64 << 20
"""Bytes: a sweep beyond this one measures the memory alone."""


def check_size(size: Value) -> str | None:
    """Say what is wrong with a size, or None."""
    return None if 0 <= int(size) <= SIZE_MAX else f"a size lies between 0 and {SIZE_MAX:,} bytes"


def call(group: str, name: str, expression: str, iterations: int, *, handle: bool = False) -> Call:
    """Return a case; with `handle` one whose expression is given the handle `h`."""
    return Call(
        expression=expression,
        name=name,
        group=group,
        setup=("h = calls_open(1000)",) if handle else (),
        teardown=("calls_close(h)",) if handle else (),
        iterations=iterations,
    )


# Integers lie outside -5 .. 256, of which CPython keeps an object each, but where that is the question.
CALLS = (
    call(NUMBERS, "nothing", "calls_noop()", 10_000),
    call(NUMBERS, "int -> int", "calls_int(1000)", 10_000),
    call(NUMBERS, "int -> int, small", "calls_int(7)", 10_000),
    call(NUMBERS, "2 ints", "calls_two_ints(1000, 2000)", 10_000),
    call(NUMBERS, "8 mixed ints", "calls_eight_ints(1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008)", 10_000),
    call(NUMBERS, "6 doubles", "calls_six_doubles(1.5, 2.5, 3.5, 4.5, 5.5, 6.5)", 10_000),
    call(NUMBERS, "bool", "calls_bool(True)", 10_000),
    call(NUMBERS, "int64, lowest", "calls_int64(-(2**63))", 10_000),
    call(NUMBERS, "uint64, highest", "calls_uint64(2**64 - 1)", 10_000),
    call(NUMBERS, "size_t", "calls_size(4096)", 10_000),
    call(TEXT, "string in, 5 B", 'calls_text_in("ohhai")', 10_000),
    call(TEXT, "string in, 1 KiB", 'calls_text_in("x" * 1024)', 10_000),
    call(TEXT, "string out", "calls_text_out()", 10_000),
    call(TEXT, "bytes in, none", "calls_bytes_in(bytes(0), 0)", 10_000),
    call(TEXT, "bytes in, 1 KiB", "calls_bytes_in(bytes(1024), 1024)", 10_000),
    call(TEXT, "bytes in", "calls_bytes_in(bytes({size}), {size})", 100),
    call(TEXT, "bytes in, 1 MiB", "calls_bytes_in(bytes(2**20), 2**20)", 10),
    call(TEXT, "buffer filled, none", "calls_bytes_out(buffer(0), 0)", 10_000),
    call(TEXT, "buffer filled, 1 KiB", "calls_bytes_out(buffer(1024), 1024)", 10_000),
    call(TEXT, "buffer filled", "calls_bytes_out(buffer({size}), {size})", 500),
    call(TEXT, "buffer filled, 1 MiB", "calls_bytes_out(buffer(2**20), 2**20)", 20),
    call(MEMORY, "5,000 doubles", 'calls_doubles_in(array("d", 5000), 5000)', 200),
    call(MEMORY, "struct by value", "calls_point_by_value(calls_point(x=1000, y=2000))", 2_000),
    call(MEMORY, "struct by pointer", "calls_point_by_pointer(calls_point(x=2000, y=1000))", 10_000),
    call(MEMORY, "int out by pointer", "calls_out(out(value))", 10_000),
    call(HANDLES, "create and destroy", "h = calls_open(1000); calls_close(h)", 2_000),
    call(HANDLES, "handle in", "calls_value(h)", 10_000, handle=True),
    call(HANDLES, "as zmq_send", 'calls_send(h, b"ohhai", 5, 0)', 10_000, handle=True),
    call(CALLBACKS, "1 callback", "calls_back(callback(300), NULL, 1)", 2_000),
    call(CALLBACKS, "1,000 callbacks", "calls_back(callback(300), NULL, 1000)", 5),
)


def idiom(key: str, name: str, expression: str, iterations: int, *, handle: bool = False) -> Call:
    """Return a case that bindings write by hand, each in its way, in `shims`: in C it is the calls below that."""
    plain = call("idioms", name, expression, iterations, handle=handle)
    return replace(plain, key=f"idiom_{key}", only=("*~idiom", CONTROL))


IDIOMS = (
    idiom("constructor", "constructor", "h = calls_open(1000); calls_close(h)", 2_000),
    idiom("method", "method", "calls_add(h, 1000)", 5_000, handle=True),
    idiom("property", "property", "calls_value(h)", 5_000, handle=True),
    idiom("object_in", "object in", "calls_point_by_pointer(calls_point(x=2000, y=1000))", 5_000),
    idiom("object_out", "object in and out", "calls_point_by_value(calls_point(x=1000, y=2000))", 2_000),
    idiom("overload_int", "overload, int", "calls_int(1000)", 5_000),
    idiom("overload_double", "overload, double", "calls_double(1.5)", 5_000),
    idiom("keyword", "keyword argument", "calls_scaled(1000, 2)", 5_000),
    idiom("default", "default argument", "calls_scaled(1000, 3)", 5_000),
    idiom("list_in", "list of 5,000 doubles", 'calls_doubles_in(array("d", 5000), 5000)', 50),
    idiom("list_out", "100 doubles as a list", 'calls_range(array("d", 100), 100)', 1_000),
    idiom("ndarray", "ndarray of 5,000 doubles", 'calls_doubles_in(array("d", 5000), 5000)', 200),
    idiom("exception", "error as an exception", "calls_checked(-1)", 500),
)

EXPERIMENT = Experiment(
    title="every shape of a call",
    header="calls.h",
    functions=("calls_counted",),
    counter="calls_counted",
    library=LibrarySources(
        sources=("calls/count.c", "calls/numbers.c", "calls/memory.c", "calls/handles.c", "calls/idioms.c"),
    ),
    variants=("c/*", "python/ctypes~untyped", "python/*~abi3", "python/*~helper"),
    calls=(*CALLS, *IDIOMS),
    # The marks of its grid need 19 rounds: Holm over the pairs of five hundred cells.
    efforts={
        "quick": Effort(rounds_min=6, rounds_max=10, seconds_max=40.0, precision=0.1),
        "default": Effort(rounds_min=20, rounds_max=60, seconds_max=150.0, precision=0.05),
    },
    parameters=(
        Parameter(
            name="size",
            default=1 << 16,
            help="bytes of the cases `bytes in` and `buffer filled`",
            check=check_size,
        ),
    ),
)
