"""A worker on one page: it speaks the contract, reports the times that it is told, and misbehaves on demand.

Run by file path, with the `key=value` arguments of the contract and

    gross, empty    nanoseconds an operation of the timed and of the empty loop (27 and 1)
    first           nanoseconds an operation of the first calls, where the contract asks for them (0)
    figure          a further figure of every slice but the empty ones, named `figure`
    noise, seed     relative noise of a process, drawn from the seed and the round (0)
    busy            CPU time as a share of wall time (1)
    starts          a file in which each process enters itself: how a worker knows its round
    noted           a file in which it notes its round, `start` or `end`, and the time on the monotonic clock
    waits_at        the endpoint that it says it waits at; without one it says which it was told
    loads           files that it maps, separated by commas (the library under test)
    receipt         JSON in place of the right one, in every slice or in `receipt_of`, such as `timed:1`
    unsupported     why it cannot run its cases
    trouble         WHAT@WHERE or WHAT:HOW@WHERE, such as `kill:9@slice`; see `trouble`
    since           the first round of the trouble (1)

The points of trouble are `start` (before ready), `warmup`, `slice` and `empty` (before the first slice of warm-up,
the first timed one and the first of the empty loop), `end` (after the last line, before standard input closes) and
`closed` (after that).
"""

from __future__ import annotations

import json
import mmap
import os
import subprocess
import sys
import time

FOREVER = 600

options = dict(argument.split("=", 1) for argument in sys.argv[1:])


def enter(what: str) -> int:
    """Enter this process into the file of starts; return how many workers are in it, which is the round."""
    with open(options["starts"], "a+", encoding="ascii") as file:  # noqa: PTH123 (each start counts)
        file.write(f"{what} {os.getpid()}\n")
        file.seek(0)
        return file.read().count("worker")


def note(what: str, round_number: int) -> None:
    """Note when this process began and ended, where that is asked for; the clock is that of the whole system."""
    if "noted" in options:
        with open(options["noted"], "a", encoding="ascii") as file:  # noqa: PTH123
            file.write(f"{round_number} {what} {time.monotonic_ns()}\n")


def emit(line: object) -> None:
    os.write(1, json.dumps(line).encode() + b"\n")


def leave_child(writes_to: str = "") -> None:
    """Leave a child that holds the pipes open: silent, or writing without end to a descriptor."""
    entered, tell = os.pipe()
    if os.fork():
        os.read(entered, 1)
        return
    enter("child")
    os.write(tell, b".")
    while writes_to:
        os.write(int(writes_to), b"x" * 1000)
    time.sleep(FOREVER)


def leave_daemon() -> None:
    """Leave a child that is in no group and no session of ours: what a daemon does of itself."""
    entered, tell = os.pipe()
    first = os.fork()
    if first:
        os.waitpid(first, 0)
        os.read(entered, 1)
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    enter("child")
    os.write(tell, b".")
    for descriptor in (0, 1, 2):
        os.close(descriptor)
    time.sleep(FOREVER)


def trouble(what: str, how: str) -> None:  # noqa: PLR0912
    match what:
        case "exit":
            sys.stderr.write(f"some words\n{how}\n")
            sys.exit(3)
        case "leave":
            sys.exit(0)
        case "kill":
            os.kill(os.getpid(), int(how))
            time.sleep(FOREVER)
        case "hang":
            leave_child()
            time.sleep(FOREVER)
        case "child":
            leave_child(how)
        case "say":
            os.write(1, how.encode().decode("unicode_escape").encode("latin-1"))
        case "flood":
            while True:
                os.write(1, b"x" * 100_000)
        case "complain":
            os.write(2, b"x" * int(how))
        case "close":
            os.close(1)
            time.sleep(FOREVER)
        case "signal":
            while True:  # and again, as one does who sees that nothing happens
                os.kill(os.getppid(), int(how))
                time.sleep(2)
        case "daemon":
            leave_daemon()
        case "run":
            subprocess.run(how, shell=True, check=True)
        case "allocate":
            bytearray(int(how))[::4096] = b"x" * -(-int(how) // 4096)
        case "burn":
            sum(number * number for number in range(int(how)))
        case _:
            sys.exit(f"no trouble is called {what}")


def happen(where: str, round_number: int) -> None:
    rest, _, point = options.get("trouble", "").rpartition("@")
    if point == where and round_number >= int(options.get("since", "1")):
        what, _, how = rest.partition(":")
        trouble(what, how)


def factor(round_number: int) -> float:
    """By how much this process is slower than told."""
    noise = float(options.get("noise", "0"))
    if not noise:
        return 1.0
    from random import Random

    return 1 + noise * Random(f"{options['seed']}/{round_number}").random()


def spend(cpu_ns: int, wall_ns: int) -> None:
    """Use the time that is told: the harness looks at its own clocks."""
    until, at_last = time.process_time_ns() + cpu_ns, time.monotonic_ns() + wall_ns
    while time.process_time_ns() < until:
        pass
    time.sleep(max(0, at_last - time.monotonic_ns()) / 1e9)


def run_case(case: str, iterations: int, round_number: int) -> None:
    gross = float(options.get("gross", "27")) * factor(round_number)
    empty = float(options.get("empty", "1"))
    cold = int(options.get("cold", "0"))
    kinds = (
        ("cold", int(cold > 0), float(options.get("first", "0")), cold),
        ("warmup", int(options["warmup"]), gross, iterations),
        ("timed", int(options["slices"]), gross, iterations),
        ("empty", int(options["slices"]), empty, iterations),
    )
    for kind, count, each, done in kinds:
        happen("slice" if kind == "timed" else kind, round_number)
        right = {"receipt": {"sends": done}}
        told = {"receipt": json.loads(options["receipt"])} if "receipt" in options else right
        for number in range(count):
            wall_ns = round(each * done)
            times = {"wall_ns": wall_ns, "cpu_ns": round(wall_ns * float(options.get("busy", "1")))}
            spend(times["cpu_ns"], times["wall_ns"])
            work = told if options.get("receipt_of", f"{kind}:{number}") == f"{kind}:{number}" else right
            more = {"figures": {"figure": int(options["figure"])}} if "figure" in options else {}
            emit(
                {"case": case, "slice": number, "kind": kind, **times, **({} if kind == "empty" else {**work, **more})}
            )


def main() -> None:
    round_number = enter("worker")
    note("start", round_number)
    maps = []
    for path in options.get("loads", options["library"]).split(","):
        if path:
            with open(path, "rb") as file:  # noqa: PTH123
                maps.append(mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ))
    happen("start", round_number)
    cpus = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    place = {"endpoint": options["waits_at"]} if "waits_at" in options else {"told": options.get("endpoint", "")}
    emit({"ready": {"library": "4.3.5", "cpus": ",".join(map(str, cpus)), **place}})
    assert sys.stdin.readline() == "go\n"
    for entry in options["cases"].split(","):
        case, _, iterations = entry.rpartition(":")
        if "unsupported" in options:
            emit({"case": case, "unsupported": options["unsupported"]})
        else:
            run_case(case, int(iterations), round_number)
    happen("end", round_number)
    sys.stdin.read()
    happen("closed", round_number)
    note("end", round_number)


if __name__ == "__main__":
    main()
