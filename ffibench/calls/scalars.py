"""Which numbers a C type holds, and how they are carried."""

from __future__ import annotations

import math
import struct
import sys
from collections.abc import Mapping

from ffibench.headers.types import CType

Number = int | float
"""As it is written: a whole number is no floating-point number."""

BITS: Mapping[str, int] = {
    "char": 8, "signed char": 8, "unsigned char": 8, "short": 16, "unsigned short": 16, "int": 32, "unsigned int": 32,
    "long": 64 if sys.maxsize > 2**32 else 32, "unsigned long": 64 if sys.maxsize > 2**32 else 32,
    "long long": 64, "unsigned long long": 64,
}  # fmt: skip


FLOAT_LIMIT = 2.0**128 - 2.0**103
"""From here on a number is rounded to the infinity of `float`."""


def carried(number: Number, declared: CType) -> int | float | bool | None:
    """Return a number as a parameter of this scalar type gets it; None where the type does not hold it.

    A whole number given to a floating-point type becomes one; a fraction does not become an integer. What `float` would
    round is rounded here, so that all get the same.
    """
    if declared.category == "bool":
        return bool(number) if number in {0, 1} else None
    if declared.category == "float":
        return _single(float(number)) if declared.base == "float" else float(number)
    low, high = limits(declared)
    return int(number) if isinstance(number, int) and low <= number <= high else None


def limits(declared: CType) -> tuple[int, int]:
    """Return the least and the greatest number of an integer type; plain char is taken for a signed one."""
    bits = BITS[declared.base]
    unsigned = declared.base.startswith("unsigned")
    return (0, 2**bits - 1) if unsigned else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def bits_of(number: float) -> str:
    """Return the 64 bits of a floating-point number as 16 hexadecimal digits: exact text, NaN too."""
    return struct.pack(">d", number).hex()


def number_of(bits: str) -> float:
    """Return the number of 16 hexadecimal digits. Raises ValueError where they are none."""
    value: float = struct.unpack(">d", bytes.fromhex(bits))[0]
    return value


def _single(number: float) -> float | None:
    if math.isfinite(number) and abs(number) >= FLOAT_LIMIT:
        return None
    value: float = struct.unpack("f", struct.pack("f", number))[0]
    return value
