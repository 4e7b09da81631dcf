"""Holds a run of xsub against what the project promises: `python ratios.py RUN.json`. Exit status 1 where it fails.

Ratios are asked for on CPython 3.11 alone: they differ by a third between versions of Python.
"""

from __future__ import annotations

import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from ffibench.model import CONTROL, Run
from ffibench.results.compare import compare
from ffibench.results.store import load
from ffibench.results.warnings import control_is_clean
from ffibench.stats import Interval

# Careful hand-written bindings of the same signature on two shared cores with CPython 3.11.
RATIOS = {
    "python/capi": 2.0,
    "python/cython": 2.0,
    "python/nanobind": 2.1,
    "python/pybind11": 3.4,
    "python/pyzmq-raw": 4.4,
    "python/cffi-api": 5.4,
    "python/cffi-abi": 10.0,
    "python/pyzmq": 10.7,
    "python/ctypes-pydll": 13.9,
    "python/ctypes": 15.6,
    "perl/xs": 2.4,
    "perl/platypus": 5.0,
}
SLACK = 1.15
SECONDS_MAX = 60.0


def judge(run: Run) -> list[tuple[str, str, str, bool]]:
    """Return what was looked at: a name, what was found, what was asked for, and whether that is met."""
    rows = compare(run).rows
    seconds = sum(each.seconds for each in run.rounds)
    invalid = [row.contestant for row in rows if not row.valid]
    wide = [
        row.contestant
        for row in rows
        if row.ratio_low is not None
        and row.ratio_high is not None
        and Interval(row.ratio_low, row.ratio_high).half_width > run.plan.precision
    ]
    control = next(row for row in rows if row.contestant == CONTROL)
    found = [
        ("rows that are valid", f"{len(rows) - len(invalid)} of {len(rows)}", "all", not invalid),
        ("rounds", str(len(run.rounds)), "at least 11", len(run.rounds) >= 11),
        ("seconds of rounds", f"{seconds:.1f}", f"at most {SECONDS_MAX:.0f}", seconds <= SECONDS_MAX),
        ("control", f"{control.ratio:.3f}", "1 +- 0.02", control_is_clean(control, "default")),
        ("intervals wider than asked", ", ".join(wide) or "none", f"none over {run.plan.precision:.0%}", not wide),
    ]
    for row in rows:
        target = RATIOS.get(row.contestant)
        if target is None or not (row.interpreter.startswith(("CPython 3.11", "perl"))) or row.ratio is None:
            continue
        most = target * SLACK
        found.append((row.contestant, f"{row.ratio:.2f}", f"at most {most:.2f}", row.ratio <= most))
    return found


def main() -> int:
    """Print the table and return the exit status."""
    run = load(Path(sys.argv[1]))
    table = Table("what", "found", "asked for", "", box=None, title=f"{sys.argv[1]}, {run.host.tool}")
    found = judge(run)
    for name, value, target, met in found:
        table.add_row(name, value, target, "ok" if met else "NOT MET")
    Console().print(table)
    return 0 if all(met for *_, met in found) else 1


if __name__ == "__main__":
    sys.exit(main())
