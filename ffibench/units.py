"""Numbers to and from text: counts that a user types, figures that a table shows.

Imports nothing of ffibench. The text is plain ASCII except for the en dash of an unavailable value.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from fractions import Fraction

EN_DASH = "\N{EN DASH}"
ABSENT = EN_DASH
"""The cell of a table where there is no figure."""

COUNT_MAX = 10**15
"""At one nanosecond each, so many iterations take eleven days."""

_COUNT = re.compile(r"([0-9]+(?:_[0-9]+)*)(?:\.([0-9]+))?(?:[eE]\+?([0-9]{1,3})|([kKmMgG]))?")
_WHOLE = re.compile(rf"\(?[-+]?[0-9,]+|{EN_DASH}")
_SUFFIXES = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}


def parse_count(text: str) -> int:
    """Read an exact positive integer: `50000`, `10_000_000`, `10M`, `2.5k` or `1e7`.

    The suffixes k, M and G, in either case, are powers of a thousand. ValueError says in a sentence
    what is wrong with anything else: zero, a negative, a fraction, a comma, more than `COUNT_MAX`.
    """
    text = text.strip()
    if len(text) > 40:
        raise ValueError(f"A text of {len(text)} characters is not a count.")
    if text.startswith("-"):
        raise ValueError(f"{text!r} is negative; a count is at least 1.")
    if "," in text:
        raise ValueError(f"{text!r} has a comma; write 10_000 or 10k.")
    match = _COUNT.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a count; write it like 50000, 10_000_000, 10M or 1e7.")
    whole, fraction, exponent, suffix = match.groups(default="")
    exact = Fraction(f"{whole.replace('_', '')}.{fraction or 0}")
    exact *= 10 ** int(exponent or 0) * _SUFFIXES[suffix.lower()]
    if exact == 0:
        raise ValueError(f"{text!r} is zero; a count is at least 1.")
    if exact.denominator != 1:
        raise ValueError(f"{text!r} is not a whole number.")
    if exact > COUNT_MAX:
        raise ValueError(f"{text!r} is more than {COUNT_MAX:,}, the largest count taken.")
    return int(exact)


def format_count(count: int) -> str:
    """Show an integer with its thousands separated: `50,000`."""
    return f"{count:,}"


def format_number(value: float, significant: int = 3, finest: int | None = None) -> str:
    """Show a number with `significant` digits, thousands separated from 10,000 on.

    Digits before the point that are not significant are zeros: 12345 with three is `12,300`.
    `finest` is the maximum of decimals, whatever the significant digits ask for: a difference of two
    figures is no more precise than they are.
    """
    decimals = decimals_of(value, significant)
    if decimals < 0:
        value, decimals = float(f"{value:.{significant - 1}e}"), 0
    elif finest is not None:
        decimals = min(decimals, finest)
    text = f"{value:,.{decimals}f}" if abs(value) >= 9_999.5 else f"{value:.{decimals}f}"
    return text.lstrip("-") if float(text.replace(",", "")) == 0 else text


def decimals_of(value: float, significant: int = 3) -> int:
    """Return how many decimals show `value` with `significant` digits; negative for rounding to tens and up."""
    exponent = int(f"{value:.{significant - 1}e}".partition("e")[2])
    return significant - 1 - exponent


def column(values: Sequence[float | None], significant: int = 3, finest: int | None = None) -> list[str]:
    """Show a column of numbers with the same significant digits and their decimal points aligned.

    Returns one string per value, all of the same width, padded on both sides. None and what is not
    finite become an en dash in the units' place. `finest` as in `format_number`.
    """
    texts = [
        ABSENT if value is None or not math.isfinite(value) else format_number(value, significant, finest)
        for value in values
    ]
    return aligned(texts)


def aligned(texts: Sequence[str]) -> list[str]:
    """Put texts that begin with a number below each other, by the point of that number, padded on both sides."""
    parts = [_WHOLE.match(text) for text in texts]
    ends = [0 if found is None else found.end() for found in parts]
    before = max(ends, default=0)
    after = max((len(text) - end for text, end in zip(texts, ends, strict=True)), default=0)
    return [f"{text[:end]:>{before}}{text[end:]:<{after}}" for text, end in zip(texts, ends, strict=True)]


def format_ns(value: float, significant: int = 3) -> str:
    """Show nanoseconds outside a column: `22.4 ns`, `12,300 ns`."""
    return f"{format_number(value, significant)} ns"


def format_share(share: float, significant: int = 2) -> str:
    """Show a share of one, 0.0123, as a percentage: `1.2 %`."""
    return f"{format_number(100 * share, significant)} %"


def format_seconds(seconds: float, significant: int = 3) -> str:
    """Show a duration: `5.23 ms`, `47.2 s`, and from two minutes on `2 min 13 s` or `1 h 05 min`."""
    if seconds < 1:
        return f"{format_number(1000 * seconds, significant)} ms"
    if seconds < 119.5:
        return f"{format_number(seconds, significant)} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest:02} s"
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes:02} min"


def format_rate(per_second: float, significant: int = 3) -> str:
    """Show operations per second with a suffix: `20.3M/s`, `834k/s`."""
    for power, suffix in ((9, "G"), (6, "M"), (3, "k")):
        if float(f"{per_second:.{significant - 1}e}") >= 10**power:
            return f"{format_number(per_second / 10**power, significant)}{suffix}/s"
    return f"{format_number(per_second, significant)}/s"


def format_exact_rate(per_second: int) -> str:
    """Show a rate that a user asked for, to the last digit: `100k/s`, `2.5M/s`, `123,456/s`."""
    for power, suffix in ((9, "G"), (6, "M"), (3, "k")):
        if per_second >= 10**power and per_second % 10 ** (power - 1) == 0:
            return f"{per_second / 10**power:g}{suffix}/s"
    return f"{per_second:,}/s"
