"""Times what counting adds to a call, and to the start of a program. Exit status 1 where it is too much."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from msgspec.structs import replace
from rich.console import Console
from rich.table import Table

from ffibench.audit.counting import Sum, Watch, counting
from ffibench.model import Returns

LIBRARY = "long trivial(long a) { return a; }\n"
PROGRAM = """
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
long trivial(long);
static long calls;
static void *loop(void *unused)
{
    for (long i = 0; i < calls; i++)
        if (trivial(i) != i)
            exit(1);
    return unused;
}
int main(int count, char **words)
{
    pthread_t threads[8];
    struct timespec began, ended;
    const int number = atoi(words[count - 1]);
    calls = atol(words[1]);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &began);
    for (int i = 0; i < number; i++)
        pthread_create(&threads[i], NULL, loop, NULL);
    for (int i = 0; i < number; i++)
        pthread_join(threads[i], NULL);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ended);
    const double seconds = (double)(ended.tv_sec - began.tv_sec) + 1e-9 * (double)(ended.tv_nsec - began.tv_nsec);
    printf("%.3f", seconds * 1e9 / (double)calls / number);
    return 0;
}
"""
CALLS = 20_000_000
ADDED_NS_MAX = 10.0
ADDED_THREADS_NS_MAX = 60.0  # two processors pass one cache line to and fro
START_MS_MAX = 5.0
TIMES = 5


def call_ns(program: Path, threads: int, environment: dict[str, str]) -> float:
    """Return the processor time of a call, the median of some runs: others may be at work on this machine."""
    command = [str(program), str(CALLS), str(threads)]
    return median(float(subprocess.check_output(command, env=environment)) for _ in range(TIMES))


def start_ms(environment: dict[str, str]) -> float:
    """Return the wall time of a Python that loads zlib and ends, the median of some runs."""
    taken = []
    for _ in range(4 * TIMES):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-IS", "-c", "import zlib"], env=environment, check=True)
        taken.append(time.perf_counter() - began)
    return 1000 * median(taken)


def build(folder: Path) -> Path:
    """Compile the library and the program."""
    for name, text in (("trivial.c", LIBRARY), ("program.c", PROGRAM)):
        (folder / name).write_text(text)
    for arguments in (
        ["-fPIC", "-shared", "-o", "libtrivial.so", "trivial.c"],
        ["-o", "program", "program.c", str(folder / "libtrivial.so"), "-pthread"],
    ):
        subprocess.run(["cc", "-O2", *arguments], cwd=folder, check=True)
    return folder / "program"


def main() -> int:
    """Print the table and return the exit status."""
    bare = dict(os.environ)
    found = []
    with tempfile.TemporaryDirectory() as folder:
        program = build(Path(folder))
        plain = Watch(patterns=("libtrivial.so",))
        total = replace(plain, sums=(Sum(function="trivial", position=0),))
        result = replace(plain, returns=(Returns(function="trivial", must_be="argument", bits=64),))
        for what, watch, times in (  # so many atomic additions
            ("a call", plain, 1),
            ("a call with a sum", total, 2),
            ("a call with a checked result", result, 1),
        ):
            with counting(watch) as counts:
                counted = {**bare, **counts.environment}
                for threads, most in ((1, ADDED_NS_MAX), (2, ADDED_THREADS_NS_MAX)):
                    added = call_ns(program, threads, counted) - call_ns(program, threads, bare)
                    found.append((f"{what}, threads: {threads}", added, times * most, "ns"))
    with counting(Watch(patterns=("libz.so*",))) as counts:
        added = start_ms({**bare, **counts.environment}) - start_ms(bare)
        found.append(("start of a Python that loads zlib", added, START_MS_MAX, "ms"))
    table = Table("what counting adds to", "found", "at most", "", box=None)
    for what, value, most, unit in found:
        table.add_row(what, f"{value:.2f} {unit}", f"{most:g} {unit}", "ok" if value <= most else "NOT MET")
    Console().print(table)
    return 0 if all(value <= most for _, value, most, _ in found) else 1


if __name__ == "__main__":
    sys.exit(main())
