"""A sweep as values: what one role did over the values of a parameter, in the unit and the order of its table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from ffibench.model import BASELINE, CONTROL, Row, Run, Value
from ffibench.report.table import one_line
from ffibench.results.blocks import blocks
from ffibench.results.scaling import Point, Scaling, in_order, scalings
from ffibench.results.sizes import sized
from ffibench.units import format_number

UNITS = ((1e6, "M/s", "Millions of operations"), (1e3, "k/s", "Thousands of operations"), (1.0, "/s", "Operations"))


SMALL = 0.01
"""A change of throughput that is less is shown as a part."""
BYTES = (1.0, "GB/s", "Gigabytes")
"""Bytes a nanosecond are gigabytes a second."""


@dataclass(frozen=True)
class Sweep:
    """What one role did over the values of a parameter: the rows of one table, in its order."""

    parameter: str
    values: tuple[Value, ...]
    scalings: tuple[Scaling, ...]
    power: float
    """What a rate is divided by to be shown."""
    unit: str
    words: str
    """The unit in words."""
    sized: bool
    """It is one over a size: its rates are of bytes, and its table has nanoseconds an operation."""

    def rate(self, point: Point | None) -> float | None:
        """Give the throughput at a point in the sweep's unit."""
        if point is None or not point.ns:
            return None
        return (point.row.bytes if self.sized else 1e9) / point.ns / self.power

    def shown(self, ns: float | None) -> float | None:
        """Give what its table has for nanoseconds an operation: these, or their rate."""
        return ns if self.sized or not ns else 1e9 / ns / self.power

    @property
    def shown_words(self) -> str:
        """What its table has, in words."""
        return "Nanoseconds an operation" if self.sized else f"{self.words} a second"

    def at(self, value: Value) -> str:
        """Name a point in a sentence: `threads=4`."""
        return one_line(f"{self.parameter}={value}")


def sweeps(run: Run, rows: Sequence[Row]) -> list[Sweep]:
    """Group the rows of a sweep by role, in the order in which they come."""
    groups: dict[tuple[str, str, str], list[Scaling]] = {}
    for each in scalings(run, rows):
        groups.setdefault((each.role, each.parameter, each.last.row.clock), []).append(each)
    return [_sweep(group) for group in groups.values()]


def sweep_title(run: Run, sweep: Sweep, several_roles: bool) -> str:
    """Name the experiment, the role where there are several, and what is swept."""
    role = f", {sweep.scalings[0].role}" if several_roles else ""
    return one_line(f"{run.plan.experiment}: {run.plan.title}{role}, over {sweep.parameter}")


def part_text(factor: float, finest: int | None = None) -> str:
    """Show a factor of throughput; a small one as a part, `1/1640`, since 0.000608 tells nobody anything."""
    if 0 < factor < SMALL:
        return f"1/{format_number(1 / factor)}"
    return format_number(factor, 3, finest)


def _sweep(group: Sequence[Scaling]) -> Sweep:
    rates = [1e9 / point.ns for each in group for point in each.points if point.ns]
    middle = median(rates) if rates else 1.0
    power, unit, words = next((each for each in UNITS if middle >= each[0]), UNITS[-1])
    over_size = sized(group)
    if over_size:
        power, unit, words = BYTES
    return Sweep(
        parameter=group[0].parameter,
        values=tuple(in_order(point.value for each in group for point in each.points)),
        scalings=tuple(_sorted(group)),
        power=power,
        unit=unit,
        words=words,
        sized=over_size,
    )


def _sorted(group: Sequence[Scaling]) -> list[Scaling]:
    """By block, by series, the baseline and its control first, then the fastest at the last point."""
    order = blocks(each.block for each in group)
    series = list(dict.fromkeys(each.series for each in group))
    first = {BASELINE: 0, CONTROL: 1}

    def place(each: Scaling) -> tuple[int, int, int, bool, float]:
        contestant, ns = first.get(each.contestant, 2), each.last.ns
        return order.index(each.block), series.index(each.series), contestant, ns is None, ns or 0.0

    return sorted(group, key=place)
