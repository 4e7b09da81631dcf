"""What generated loops say in their receipts: answers as exact text, as `native/kits/c/ffibench_calls.h` has them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from typing import Any, NoReturn

MEMORY_BYTES_MAX = 64
"""Of memory that is longer so many bytes are compared, spread evenly."""


def wrong(what: str) -> NoReturn:
    """Raise ValueError: a call did not do what it does in C."""
    raise ValueError(what)


def real(value: float) -> str:
    """Return the 16 hexadecimal digits of a floating-point number's bits."""
    from struct import pack

    return pack(">d", value).hex()


def address(handle: object) -> str:
    """Return whether a handle is NULL."""
    return "not NULL" if handle else "NULL"


def memory(data: bytes | bytearray | array[Any]) -> str:
    """Return the hexadecimal digits of memory; of a long one, of bytes that are spread evenly over it."""
    view = memoryview(data).cast("B")
    last = MEMORY_BYTES_MAX - 1
    if len(view) <= MEMORY_BYTES_MAX:
        return view.hex()
    return bytes(view[each * (len(view) - 1) // last] for each in range(MEMORY_BYTES_MAX)).hex()
