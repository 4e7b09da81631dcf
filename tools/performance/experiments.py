"""Runs `weather` and `fanout` as a user does, and holds them against what the project promises of a quiet host.

Exit status 1 where something is not met. Takes five minutes.
"""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.table import Table

from ffibench.model import BASELINE, Run
from ffibench.results.compare import compare
from ffibench.results.store import load
from ffibench.stats import Interval

FFIBENCH = str(Path(sysconfig.get_path("scripts")) / "ffibench")
SECONDS_MAX = {"default": 90.0, "quick": 30.0}
PUBLISHER_HALF_WIDTH_MAX = 0.03
SUBSCRIBER_HALF_WIDTH_MAX = 0.10
SUBMITS_A_SECOND_MIN = 5e6

Found = tuple[str, str, str, bool]


def carried_out(folder: Path, *arguments: str) -> tuple[Run, float]:
    """Carry a run out; return it with the seconds that the whole command took, all shims being built."""
    subprocess.run([FFIBENCH, "build", arguments[0]], check=True, capture_output=True)
    file = folder / "run.json"
    began = time.perf_counter()
    subprocess.run([FFIBENCH, "run", *arguments, "--json", str(file)], check=True, capture_output=True)
    return load(file), time.perf_counter() - began


def in_time(what: str, seconds: float, mode: str) -> Found:
    """Hold the seconds of a command against those that its mode may take."""
    return what, f"{seconds:.1f} s", f"at most {SECONDS_MAX[mode]:.0f} s", seconds <= SECONDS_MAX[mode]


def all_valid(what: str, run: Run) -> Found:
    """Say how many rows are valid."""
    rows = compare(run).rows
    valid = sum(row.valid for row in rows)
    return f"{what}, valid rows", f"{valid} of {len(rows)}", "all", valid == len(rows)


def narrow(what: str, run: Run, role: str, most: float) -> Found:
    """Hold the widest interval of a role against the most that it may be."""
    widths = [
        (Interval(row.ratio_low, row.ratio_high).half_width, row.contestant)
        for row in compare(run).rows
        if row.role == role and row.ratio_low is not None and row.ratio_high is not None
    ]
    width, name = max(widths)
    return f"{what}, widest interval", f"{width:.1%} ({name})", f"at most {most:.0%}", width <= most


def looked_at(folder: Path) -> Iterator[Found]:
    """Yield what was looked at: a name, what was found, what was asked for, and whether that is met."""
    run, seconds = carried_out(folder, "weather")
    yield in_time("weather", seconds, "default")
    yield all_valid("weather", run)
    yield narrow("weather, publisher", run, "publisher", PUBLISHER_HALF_WIDTH_MAX)
    run, _ = carried_out(folder, "weather", "--vary", "subscriber")
    yield all_valid("weather --vary subscriber", run)
    yield narrow("weather --vary subscriber", run, "subscriber", SUBSCRIBER_HALF_WIDTH_MAX)
    run, seconds = carried_out(folder, "fanout")
    yield in_time("fanout", seconds, "default")
    yield all_valid("fanout", run)
    (row,) = (
        row
        for row in compare(run).rows
        if (row.contestant, row.series, row.point) == (BASELINE, "sharded-edge", {"threads": 1})
    )
    rate = 1e9 / (row.gross_ns or float("inf"))
    least = f"at least {SUBMITS_A_SECOND_MIN / 1e6:g} M/s"
    yield "sharded, wake on the edge, one producer", f"{rate / 1e6:.1f} M/s", least, rate >= SUBMITS_A_SECOND_MIN
    for name in ("weather", "fanout"):
        _, seconds = carried_out(folder, name, "--quick")
        yield in_time(f"{name} --quick", seconds, "quick")


def main() -> int:
    """Print the table and return the exit status."""
    with tempfile.TemporaryDirectory() as folder:
        found = list(looked_at(Path(folder)))
    table = Table("what", "found", "asked for", "", box=None)
    for name, value, target, met in found:
        table.add_row(name, value, target, "ok" if met else "NOT MET")
    Console().print(table)
    return 0 if all(met for *_, met in found) else 1


if __name__ == "__main__":
    sys.exit(main())
