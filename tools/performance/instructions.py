"""Instructions that one `zmq_send` takes through each binding, counted by callgrind, against the targets.

    python tools/performance/instructions.py [CONTESTANT ...]

A worker is counted twice, without and with one slice of warm-up, so that it does N and then 2N sends:
start-up, set-up and the empty loop cancel in the difference. Counts do not depend on what else the machine does.
The exit status is 1 where a count is above its target by more than 10 %.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.table import Table

from ffibench.errors import FfibenchError
from ffibench.model import PlannedWorker
from ffibench.plan.make import make_plan
from ffibench.plan.options import PlanOptions
from ffibench.workflow.prepare import prepare

SENDS = 20_000
TOLERANCE = 1.10
TARGETS = {
    "c": 410,
    "python/capi": 1017,
    "python/cython": 1151,
    "python/nanobind": 1220,
    "python/pybind11": 1732,
    "python/cffi-api": 2306,
    "python/ctypes": 6906,
}
"""Of careful bindings of the same signature written by hand, CPython 3.11, GCC 12."""


def main(patterns: Sequence[str]) -> int:
    """Count, print the table, and return the exit status."""
    console = Console()
    try:
        if shutil.which("valgrind") is None:
            raise FfibenchError("no valgrind, which counts the instructions; apt-get install valgrind")
        counts = count_sends(patterns)
    except FfibenchError as error:
        console.print(f"Error: {error}", style="red", markup=False)
        return 1
    table = Table("contestant", title=f"Instructions a zmq_send, slope over {SENDS:,} sends", box=None)
    for heading in ("instructions", "target", "share"):
        table.add_column(heading, justify="right")
    above = False
    for name, count in sorted(counts.items(), key=lambda each: each[1]):
        target = TARGETS.get(name)
        over = target is not None and count > target * TOLERANCE
        above = above or over
        known = ("", "") if target is None else (f"{target:,}", f"{count / target:.3f}")
        table.add_row(name, f"{count:,.0f}", *known, style="red" if over else None)
    console.print(table)
    return int(above)


def count_sends(patterns: Sequence[str]) -> dict[str, float]:
    """Return, by contestant, the instructions of one send. Raises FfibenchError where one does not build or run."""
    ready = prepare("xsub", PlanOptions(contestants=patterns))
    for failure in ready.failures:
        raise failure.error
    once, twice = (
        make_plan(ready.folder, ready.chosen, (), ready.library, PlanOptions(iterations=SENDS, slices=1, warmup=warmup))
        for warmup in (0, 1)
    )
    return {
        few.contestant.name: (count_worker(many) - count_worker(few)) / SENDS
        for few, many in zip(once.workers, twice.workers, strict=True)
        if few.contestant.name != "control"
    }


def count_worker(worker: PlannedWorker) -> int:
    """Return the instructions of a whole worker. Raises FfibenchError where it fails."""
    with TemporaryDirectory(prefix="ffibench-") as folder:
        out = Path(folder) / "callgrind.out"
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}"]
        command += worker.invocation(f"ipc://{folder}/0.ipc")
        answer = subprocess.run(command, input="go\n", capture_output=True, text=True, check=False)
        total = re.search(r"^(?:totals|summary): (\d+)", out.read_text() if out.exists() else "", re.MULTILINE)
        if answer.returncode != 0 or total is None:
            raise FfibenchError(f"{worker.contestant.name} failed under callgrind: {answer.stderr.strip()}")
        return int(total[1])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
