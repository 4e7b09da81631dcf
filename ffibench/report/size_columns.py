"""The columns and notes of a sweep over a size: gigabytes a second, what is fixed, what each byte adds, who meets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ffibench.report.case_table import first_looks
from ffibench.report.names import Names
from ffibench.report.sweep import Sweep
from ffibench.report.table import Heading, one_line
from ffibench.results.sizes import Fit, Meeting
from ffibench.results.times import RowKey, key_of
from ffibench.stats import Bounded
from ffibench.units import EN_DASH, column, format_number

MISS = 0.2
"""A line that is further off is called none: caches and allocators change the cost of a byte with the size."""

MEETINGS_MAX = 8
"""Of more the first by size are named."""

FIT_COLUMNS = ("fixed", "fixed interval", "byte", "byte interval")


def size_columns(sweep: Sweep, fits: Mapping[RowKey, Fit]) -> dict[Heading, list[str]]:
    """Build the throughput at the last size, and the line: nanoseconds an operation and for each byte."""
    last = sweep.values[-1]
    rates = [sweep.rate(each.last) if each.last.value == last else None for each in sweep.scalings]
    lines = [None if fit is None else fit.line for fit in (fits.get(key_of(each.last.row)) for each in sweep.scalings)]
    columns = {Heading("rate", ("GB/s", one_line(f"at {last}"))): column(rates)}
    if any(line is not None for line in lines):
        columns |= _bounded("fixed", "fixed", [None if line is None else line.fixed for line in lines])
        columns |= _bounded("byte", "per byte", [None if line is None else line.slope for line in lines])
    return columns


def size_words(fits: Mapping[RowKey, Fit]) -> str:
    """Say how the columns of the line are made, where there are any."""
    return "Fixed and per byte are of a line through all sizes (Theil and Sen)." if fits else ""


def misfit(sweep: Sweep, fit: Fit | None) -> list[str]:
    """Say of a line that is far from what was measured where it is so."""
    if fit is None or fit.miss <= MISS:
        return []
    return [f"Not a line: at {sweep.at(fit.miss_at)} that is off by more than {100 * MISS:.0f} %."]


def meeting_notes(meetings: Sequence[Meeting], names: Names, *, several: bool) -> Iterator[tuple[str, str]]:
    """Say who meets whom at which size, and who is faster beyond it; `several` where there is more than one series."""
    for each in meetings[:MEETINGS_MAX]:
        below, above = (names[one.contestant, one.interpreter] for one in (each.below, each.above))
        bounds = f"95 % CI {format_number(each.low)}{EN_DASH}{format_number(each.high)}"
        series = one_line(f" in {each.below.series}") if several else ""
        where = f"{format_number(each.size)} bytes ({bounds})"
        yield "meet", f"{below} and {above}{series} at {where}: above that {above} is faster."
    if len(meetings) > MEETINGS_MAX:
        yield "meet", f"{len(meetings) - MEETINGS_MAX} more pairs meet at larger sizes."


def _bounded(key: str, word: str, estimates: Sequence[Bounded | None]) -> dict[Heading, list[str]]:
    texts = column([None if each is None else each.value for each in estimates])
    bounds = [None if each is None else each.bounds for each in estimates]
    intervals = [
        "" if each is None else f"{format_number(each[0])}{EN_DASH}{format_number(each[1])}" for each in bounds
    ]
    looks = [each is not None and each.bounds is None for each in estimates]
    return {
        Heading(key, (word, "ns")): first_looks(texts, looks),
        Heading(f"{key} interval", ("95 % CI",), name=f"95 % CI of {word}"): intervals,
    }
