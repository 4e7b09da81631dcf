"""A worker of known cost: it spins until the clock has moved by a given number of nanoseconds.

Run by file path, `python -I -S worker.py`, with the `key=value` arguments of the worker contract and

    cost_ns     nanoseconds per iteration of the timed loop
    empty_ns    nanoseconds per iteration of the empty loop
    drift       the share of `cost_ns` by which each slice is slower than the one before it (0)
    warming     the number of slices, from the start of the process, that take `warming_ns` an iteration (0)
    other_ns    every other process takes this in place of `cost_ns`: of each two, which one is drawn from `seed`
    starts      a file in which each process enters itself, where `other_ns` is given: how it knows its number

The clock decides when a slice is over, so its cost is right whatever the processor's speed. Another program that
uses the processor cannot shorten it, and lengthens it only where it has the processor when the time is up. So in
every slice the CPU time is at most the known cost, and the wall time at least.
"""

import mmap
import sys
import zlib
from time import perf_counter_ns, process_time_ns

EXPECTED_GO = "go\n"


def start_number(path: str) -> int:
    """Add this process to a file; return how many were in it before."""
    with open(path, "a+b") as file:  # noqa: PTH123 (pathlib would take longer to import than all else)
        number = file.tell()
        file.write(b".")
    return number


def cost_ns(options: dict[str, str]) -> float:
    """Return the cost of an iteration of this process after warm-up and before it drifts."""
    if "other_ns" not in options:
        return float(options["cost_ns"])
    pair, place = divmod(start_number(options["starts"]), 2)
    drawn = zlib.crc32(f"{options['seed']}/{pair}".encode()) & 1
    return float(options["cost_ns" if place == drawn else "other_ns"])


def measure(kind: str, number: int, case: str, iterations: int, each_ns: float) -> None:
    """Spin for one slice and print its line."""
    spin_ns = round(iterations * each_ns)
    cpu = process_time_ns()
    wall = perf_counter_ns()
    until = wall + spin_ns
    while perf_counter_ns() < until:
        pass
    wall_ns = perf_counter_ns() - wall
    cpu_ns = process_time_ns() - cpu
    receipt = "" if kind == "empty" else f', "receipt": {{"iterations": {iterations}}}'
    times = f'"wall_ns": {wall_ns}, "cpu_ns": {cpu_ns}'
    print(f'{{"case": "{case}", "slice": {number}, "kind": "{kind}", {times}{receipt}}}', flush=True)


def serve(options: dict[str, str]) -> int:
    """Serve the worker contract; return the exit status."""
    own_ns = cost_ns(options)
    drift, warming = float(options.get("drift", "0")), int(options.get("warming", "0"))
    counts = {"warmup": int(options["warmup"]), "timed": int(options["slices"])}
    with open(options["library"], "rb") as file:  # noqa: PTH123
        library = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)  # so that the memory map shows it
    print('{"ready": {"binding": "1.0"}}', flush=True)
    if sys.stdin.readline() != EXPECTED_GO:
        print("ffibench worker: expected go on standard input", file=sys.stderr)
        return 1
    for entry in options["cases"].split(","):
        case, _, iterations = entry.rpartition(":")
        done = 0
        for kind, count in counts.items():
            for number in range(count):
                each_ns = float(options["warming_ns"]) if done < warming else own_ns * (1 + drift * done)
                measure(kind, number, case, int(iterations), each_ns)
                done += 1
        for number in range(counts["timed"]):
            measure("empty", number, case, int(iterations), float(options["empty_ns"]))
    sys.stdin.read()  # until it closes: the harness reads the live process meanwhile
    library.close()
    return 0


if __name__ == "__main__":
    sys.exit(serve(dict(argument.split("=", 1) for argument in sys.argv[1:])))
