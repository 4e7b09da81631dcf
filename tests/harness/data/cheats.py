"""A worker that does its work where its clocks do not see it, or whose clocks say what is not so.

`key=value` arguments: those of the contract, and

    mode      where the work is done, or which clock is wrong: see `MODES` and `clocks`
    work_ms   processor time of the work of a slice

A loop that does not do its work takes `LEFT_NS`, which is in every loop.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time

LEFT_NS = 1_000_000

options = dict(argument.split("=", 1) for argument in sys.argv[1:])
MODE = options["mode"]
WORK_NS = int(options["work_ms"]) * 1_000_000
ITERATIONS = int(options["cases"].rpartition(":")[2])


def burn(nanoseconds: int) -> None:
    until = time.process_time_ns() + nanoseconds
    while time.process_time_ns() < until:
        pass


def burn_in_this_thread() -> None:
    until = time.thread_time_ns() + WORK_NS
    while time.thread_time_ns() < until:
        pass


def elsewhere(where: str) -> None:
    """Do the work at this place, where the mode says so."""
    if where == MODE:
        burn(WORK_NS)


def in_child(*, waited: bool) -> None:
    """Let a child do it: one that is waited for, or one that ends of itself and is left to whoever adopts it."""
    code = f"import time\nwhile time.process_time_ns() < {WORK_NS}: pass"
    child = [sys.executable, "-I", "-S", "-c", code]
    if waited:
        subprocess.run(child, check=True)
        return
    first = os.fork()
    if first:
        os.waitpid(first, 0)
        return
    os.setsid()
    null = subprocess.DEVNULL
    subprocess.Popen(child, stdin=null, stdout=null, stderr=null)
    os._exit(0)


def clocks() -> tuple[float, float]:
    """Return the factors by which the clocks of wall and processor time are wrong."""
    factors = {
        "both clocks slow": (0.001, 0.001),
        "wall clock slow": (0.1, 1),
        "wall clock stands": (1e-9, 1),
        "processor clock fast": (1, 3),
        "wall clock fast": (30, 1),
        "both clocks fast": (3, 3),
    }
    return factors.get(MODE, (1, 1))


def loop(kind: str) -> None:
    burn(LEFT_NS)
    does = MODE == "inside" or clocks() != (1, 1) or (MODE == "warm-up alone" and kind == "warmup")
    if does and kind != "empty":
        burn(WORK_NS)
    if MODE == "empty loop sleeps" and kind == "empty":
        time.sleep(WORK_NS / 1e9)


def slices(kind: str, count: int) -> None:
    for number in range(count):
        begun = time.process_time_ns()
        elsewhere(f"before {kind}")
        threads = [threading.Thread(target=burn_in_this_thread)] if MODE == "thread" and kind == "timed" else []
        for thread in threads:
            thread.start()
            thread.join()
        cpu, wall = time.process_time_ns(), time.monotonic_ns()
        loop(kind)
        wall_ns, cpu_ns = time.monotonic_ns() - wall, time.process_time_ns() - cpu
        after = time.process_time_ns()
        elsewhere(f"after {kind}")
        if MODE == "child" and kind == "timed" and number == 0:
            in_child(waited=True)
        if MODE == "orphan" and kind == "timed" and number == 0:
            in_child(waited=False)
        around_ns = cpu - begun + time.process_time_ns() - after
        of_wall, of_cpu = clocks()
        line: dict[str, object] = {"case": "send", "slice": number, "kind": kind}
        line |= {"wall_ns": max(1, round(wall_ns * of_wall)), "cpu_ns": round(cpu_ns * of_cpu)}
        line["around_ns"] = around_ns * int(options.get("around_times", "1"))
        if kind != "empty":
            line["receipt"] = {"sends": ITERATIONS}
        emit(line, last=kind == "empty" and number == count - 1)


def emit(line: object, *, last: bool = False) -> None:
    elsewhere("printing")
    if last:
        elsewhere("before the last line")
    print(json.dumps(line), flush=True)


def main() -> None:
    with open(options["library"], "rb") as library:  # noqa: PTH123
        import mmap

        kept = mmap.mmap(library.fileno(), 0, prot=mmap.PROT_READ)
    if MODE == "child before go":
        in_child(waited=True)
    print(json.dumps({"ready": {"library": "1.0"}}), flush=True)
    assert sys.stdin.readline() == "go\n"
    elsewhere("at go")
    slices("warmup", int(options["warmup"]))
    slices("timed", int(options["slices"]))
    elsewhere("between loop and empty loop")
    slices("empty", int(options["slices"]))
    sys.stdin.read()
    kept.close()


if __name__ == "__main__":
    main()
