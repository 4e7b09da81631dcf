"""Plain functions of Python in place of the library's, what Python's own calls cost."""

from __future__ import annotations


def calls_noop() -> None:
    """As in C: it is called, and returns."""


def calls_int(value: int) -> int:
    """The next number."""
    return value + 1


def calls_two_ints(first: int, second: int) -> int:
    """The sum."""
    return first + second


def calls_eight_ints(
    first: int, second: int, third: int, fourth: int, fifth: int, sixth: int, seventh: int, eighth: int
) -> int:
    """The sum."""
    return first + second + third + fourth + fifth + sixth + seventh + eighth


def calls_six_doubles(first: float, second: float, third: float, fourth: float, fifth: float, sixth: float) -> float:
    """The sum."""
    return first + second + third + fourth + fifth + sixth


def calls_bool(value: bool) -> bool:
    """The other one."""
    return not value


def calls_int64(value: int) -> int:
    """The next number."""
    return value + 1


def calls_uint64(value: int) -> int:
    """The number before."""
    return value - 1


def calls_size(size: int) -> int:
    """The next number."""
    return size + 1


def calls_counted() -> int:
    """Nothing: the library serves none of these calls."""
    return 0
