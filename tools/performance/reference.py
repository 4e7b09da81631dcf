"""Holds our bindings of one int in and out against ones written by hand: `python reference.py`. Exit status 1 beyond.

Both are measured in the same interleaved rounds of one run, by the same loop, on the same library: how fast a binding
is differs by a third between builds of one CPython, so that no figure from elsewhere says much. The folder `reference`
beside this file has the modules.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from rich.console import Console
from rich.table import Table

from ffibench.model import Row
from ffibench.workflow import RunOptions, run

MODULES = Path(__file__).parent / "reference"
PAIRS = {
    "python/capi": "python/hand-capi",
    "python/cython": "python/hand-cython",
    "python/nanobind": "python/hand-nanobind",
    "python/pybind11": "python/hand-pybind11",
    "python/cffi-api": "python/hand-cffi-api",
    "python/cffi-abi": "python/hand-cffi-abi",
    "python/ctypes": "python/hand-ctypes",
    "python/ctypes~untyped": "python/hand-ctypes-untyped",
}
ALONE = ("c", "python/hand-pyfunc")
"""For scale: C through the procedure linkage table, and a plain function of Python."""
SLACK = 1.15


def judge(rows: Mapping[str, Row]) -> list[tuple[str, str, str, str, bool]]:
    """Return a line for each pair: our name, our time, that by hand, the ratio, and whether it is close enough."""
    found = []
    for ours, by_hand in PAIRS.items():
        times = [_gross_ns(rows.get(name)) for name in (ours, by_hand)]
        ratio = times[0] / times[1] if times[0] is not None and times[1] is not None else None
        close = ratio is not None and ratio <= SLACK
        found.append((ours, *map(_shown, times), "no valid row" if ratio is None else f"{ratio:.2f}", close))
    return found


def _gross_ns(row: Row | None) -> float | None:
    return row.gross_ns if row is not None and row.valid else None


def _shown(nanoseconds: float | None) -> str:
    return "-" if nanoseconds is None else f"{nanoseconds:.1f}"


def main() -> int:
    """Measure, print the table and return the exit status."""
    contestants = (*PAIRS, *PAIRS.values(), *ALONE)
    result = run(str(MODULES), RunOptions(contestants=contestants))
    rows = {row.contestant: row for row in result.comparison.rows}
    table = Table("contestant", "ours, ns", "by hand, ns", f"ratio, at most {SLACK}")
    lines = judge(rows)
    for name, ours, by_hand, ratio, close in lines:
        table.add_row(name, ours, by_hand, ratio if close else f"[bold]{ratio}[/]")
    for name in ALONE:
        table.add_row(name, "", _shown(_gross_ns(rows.get(name))), "")
    console = Console()
    console.print(table)
    wrong = [f"{row.contestant}: {row.reason}" for row in rows.values() if not row.valid]
    for each in wrong:
        console.print(each, markup=False)
    return 0 if all(close for *_, close in lines) and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
