"""The numbers of protobuf: what each is in C, on the wire and in Python's `array`."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

FLOAT_MAX = 2.0**127 * (2 - 2.0**-23)
FLOAT_MIN = 2.0**-149
DOUBLE_MAX = 2.0**1023 * (2 - 2.0**-52)
DOUBLE_MIN = 2.0**-1074


class Number(Struct, frozen=True):
    """A type of number.

    Attributes:
        name: by which `native/schema/runtime.h` calls it: `i32`.
        c: its type in C.
        code: its letter in Python's modules `array` and `struct`.
        size: in bytes.
        extremes: what a fixture holds beside 0: the lowest and the highest; of floating point also the smallest and
            -0.0.

    """

    name: str
    c: str
    code: str
    size: int
    extremes: tuple[int | float, ...]


U8 = Number("u8", "uint8_t", "B", 1, (0, 1))
I32 = Number("i32", "int32_t", "i", 4, (-(2**31), 2**31 - 1))
U32 = Number("u32", "uint32_t", "I", 4, (0, 2**32 - 1))
I64 = Number("i64", "int64_t", "q", 8, (-(2**63), 2**63 - 1))
U64 = Number("u64", "uint64_t", "Q", 8, (0, 2**64 - 1))
F32 = Number("f32", "float", "f", 4, (-FLOAT_MAX, FLOAT_MAX, FLOAT_MIN, -0.0))
F64 = Number("f64", "double", "d", 8, (-DOUBLE_MAX, DOUBLE_MAX, DOUBLE_MIN, -0.0))

NUMBERS: Mapping[str, Number] = {
    **dict.fromkeys(("int32", "sint32", "sfixed32", "enum"), I32),
    **dict.fromkeys(("uint32", "fixed32"), U32),
    **dict.fromkeys(("int64", "sint64", "sfixed64"), I64),
    **dict.fromkeys(("uint64", "fixed64"), U64),
    "float": F32,
    "double": F64,
    "bool": U8,
}
"""By the kind of a field, all but `string`, `bytes` and `message`."""
