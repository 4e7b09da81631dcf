"""`codec`: what it costs to carry a message across, as CBOR and as a C struct in one block."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from ffibench.model import Accepted, Case, Effort, Experiment, LibrarySources, Parameter, Returns, Value, WheelSources

from ._messages import COMPLEX, PAYLOAD, REQUEST, RESPONSE, SHAPES, timed
from ._oracle import CALL, CBOR, DECODE, ENCODE, STEPS, STRUCT, TOTAL, WAYS, encoded, receipt

SIZE_MAX = 16 << 20
"""Of a payload: a round of C and one other then takes a minute."""
VIEW = "view"
"""Of a payload: decoded as a window on the answer, where `decode` and `total` copy its bytes."""
DEFAULT_HEAP = "default heap"

GROUPS = {
    REQUEST: "EchoRequest: a text and a number",
    RESPONSE: "EchoResponse: two texts",
    COMPLEX: "ComplexRequest: a list of requests, one of texts, an optional text",
    PAYLOAD: "BytesPayload: bytes",
}
ANSWERS = {CBOR: "codec_answer_cbor", STRUCT: "codec_answer_block"}
LENGTH = 2
"""The place of a request's length among their arguments."""
NAMES = {CBOR: "CBOR", STRUCT: "struct"}
WORDS = {
    ENCODE: "a message is encoded, and the bytes are dropped",
    CALL: "the library decodes a message, changes it and encodes the answer",
    DECODE: "an answer is decoded, and the values are dropped",
    TOTAL: "a message is encoded, the library answers, the answer is decoded, and all is dropped",
}
ITERATIONS = {
    (REQUEST, CBOR): (2_400, 1_600, 3_200, 800),
    (REQUEST, STRUCT): (8_000, 8_000, 16_000, 4_000),
    (RESPONSE, CBOR): (2_400, 1_600, 3_600, 600),
    (RESPONSE, STRUCT): (6_400, 5_000, 10_000, 2_400),
    (COMPLEX, CBOR): (480, 280, 640, 280),
    (COMPLEX, STRUCT): (3_200, 1_600, 2_600, 800),
}
"""Of the four steps: C's slice takes 0.1 ms or more on two shared cores of 2026, and no contestant's 100."""
PAYLOAD_BYTES = 16 << 20
"""Of all iterations of a slice."""
PAYLOADS = (16, 4_000)
"""Iterations for the largest payloads and for the smallest."""
VIEWS = 20_000
"""Iterations of a view, which costs the same whatever it is of."""


def check_size(size: Value) -> str | None:
    """Say what is wrong with a size, or None."""
    return None if 1 <= int(size) <= SIZE_MAX else f"a payload has between 1 and {SIZE_MAX:,} bytes"


def case(shape: str, way: str, step: str, size: int, kind: str = "") -> Case:
    """Return a case; `kind` is VIEW or DEFAULT_HEAP."""
    is_payload = shape == PAYLOAD
    if is_payload:
        fewest, most = PAYLOADS
        iterations = VIEWS if (step, kind) == (DECODE, VIEW) else max(fewest, min(PAYLOAD_BYTES // size, most))
    else:
        iterations = ITERATIONS[shape, way][STEPS.index(step)]
    words = WORDS[step] if kind != VIEW else WORDS[step].replace("decoded", "decoded as a view of its bytes")
    return Case(
        name=" ".join([shape, NAMES[way], step, *([kind] if kind else [])]),
        key="_".join([shape, way, step, *kind.split()]),
        operation=f"{words} ({NAMES[way]})",
        iterations=iterations,
        group=DEFAULT_HEAP if kind == DEFAULT_HEAP else GROUPS[shape],
        bytes=size if is_payload else 0,
        parameters=("size",) if is_payload else (),
        alternative=f"{shape} {NAMES[CBOR]} {step}" if way == STRUCT and step == TOTAL and kind != DEFAULT_HEAP else "",
        receipt=partial(receipt, shape, way, step, size),
        accepts=(accepted(shape, way, step, size),),
    )


def accepted(shape: str, way: str, step: str, size: int) -> Accepted:
    """Return what an operation calls: one answer where its step has one, of the whole message, without an error."""
    function, other = ANSWERS[way], ANSWERS[STRUCT if way == CBOR else CBOR]
    if step not in {CALL, TOTAL}:
        return Accepted(calls={function: 0, other: 0})
    varies = (shape, step) == (RESPONSE, TOTAL)  # in length, from one message to the next
    return Accepted(
        calls={function: 1, other: 0},
        length=None if varies else (function, LENGTH),
        size=0 if varies else len(encoded(shape, way, timed(shape, 0, size))),
        returns=(Returns(function=function, must_be="not negative", bits=64),),
    )


def cases(values: Mapping[str, Value]) -> tuple[Case, ...]:
    """Return the cases: shapes by ways by steps. Those with the default heap come first, before it is warmed."""
    size = int(values["size"])
    return (
        *(case(PAYLOAD, way, TOTAL, size, DEFAULT_HEAP) for way in WAYS),
        *(case(shape, way, step, size) for shape in SHAPES for way in WAYS for step in STEPS),
        *(case(PAYLOAD, STRUCT, step, size, VIEW) for step in (DECODE, TOTAL)),
    )


EXPERIMENT = Experiment(
    title="a message across the boundary, as CBOR and as a struct",
    header="codec.h",
    functions=(
        "codec_answer_cbor",
        "codec_answer_block",
        "codec_check",
        "codec_warm_heap",
        "codec_version",
        "codec_digest",
    ),
    library=LibrarySources(
        sources=("codec/answer.c", "codec/block.c", "codec/cbor.c", "codec/digest.c", "codec/utf8.c"),
        wheels=(
            WheelSources(
                distribution="zcbor",
                sources=("zcbor/src/zcbor_common.c", "zcbor/src/zcbor_decode.c", "zcbor/src/zcbor_encode.c"),
                include="zcbor/include",
            ),
        ),
        arguments=("-DZCBOR_CANONICAL", "-fno-strict-aliasing", "-fvisibility=hidden"),
    ),
    cases=cases,
    parameters=(Parameter(name="size", default=64 << 10, help="bytes of a payload", check=check_size),),
    efforts={
        "quick": Effort(rounds_min=6, rounds_max=8, seconds_max=25.0, precision=0.1, slices=1),
        "default": Effort(rounds_min=20, rounds_max=60, seconds_max=110.0, precision=0.05, slices=1),
    },
    around="the fixtures are encoded, answered and decoded, and compared with the oracle's",
)
