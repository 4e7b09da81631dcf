"""A plain function of Python in place of the call."""


def calls_int(value: int) -> int:
    """The next number."""
    return value + 1


def calls_counted() -> int:
    """Nothing: the library serves none of these calls."""
    return 0
