"""Times the tool itself: its help, a warm check of the shims, a cold build, its memory. Exit status 1 where slow."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.table import Table

FFIBENCH = str(Path(sysconfig.get_path("scripts")) / "ffibench")
HELP_SECONDS_MAX = 0.2
WARM_SECONDS_MAX = 0.5
COLD_SECONDS_MAX = 45.0
HARNESS_MEGABYTES_MAX = 80.0

# The memory of the command itself, not of the workers and compilers that it starts.
MEMORY = (
    "import resource, sys; sys.argv = ['ffibench', *sys.argv[1:]]; from ffibench.__main__ import main\n"
    "try: main()\nexcept SystemExit: pass\n"
    "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, file=sys.stderr)"
)


def seconds(*arguments: str, environment: dict[str, str], times: int = 1) -> float:
    """Return the median wall time of a command."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        subprocess.run([FFIBENCH, *arguments], env=environment, check=True, capture_output=True)
        taken.append(time.perf_counter() - began)
    return median(taken)


def main() -> int:
    """Print the table and return the exit status."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "XDG_CACHE_HOME": folder, "XDG_DATA_HOME": folder}
        cold = seconds("build", "xsub", environment=environment)
        warm = seconds("build", "xsub", environment=environment, times=5)
        shown = seconds("--help", environment=environment, times=5)
        run = subprocess.run(
            [sys.executable, "-c", MEMORY, "run", "xsub", "--rounds", "12"],
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        )
        megabytes = float(run.stderr.split()[-1])
    table = Table("what", "found", "at most", "", box=None)
    met = []
    for name, value, most, unit in (
        ("ffibench --help", shown, HELP_SECONDS_MAX, "s"),
        ("ffibench build, all built", warm, WARM_SECONDS_MAX, "s"),
        ("ffibench build, nothing built", cold, COLD_SECONDS_MAX, "s"),
        ("memory of the harness", megabytes, HARNESS_MEGABYTES_MAX, "MB"),
    ):
        met.append(value <= most)
        table.add_row(name, f"{value:.3g} {unit}", f"{most:g} {unit}", "ok" if met[-1] else "NOT MET")
    Console().print(table)
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
