"""The worker contract: arguments in, one JSON line per slice out, clocks read directly around the loop.

A process is started for every figure, and most of its life is the start of the interpreter. So what a worker imports is
there at the start anyway: neither `json` nor `typing`, each of which takes as long as Python itself.
"""

from __future__ import annotations

import sys
from time import perf_counter_ns, process_time_ns

from ffibench.worker.load import import_contestant, import_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Contestant = Callable[[object, "Options"], Iterator["Work"]]
    """`contestant(native, options)` in an experiment's file: sets up, yields its Work once, tears down."""

Options = dict[str, str]
"""The worker's `key=value` arguments: the contract's own and the experiment's parameters."""

Receipt = dict[str, "int | str"]
"""What a slice says it did."""


Figures = dict[str, int]
"""Extra figures of a slice in the experiment's units: the time to the first match."""

ESCAPED = {ord('"'): r"\"", ord("\\"): r"\\", **{code: rf"\u{code:04x}" for code in range(32)}}


class Loops:
    """The loops of one case, each called with the number of iterations."""

    def __init__(
        self,
        run: Callable[[int], Receipt | None],
        empty: Callable[[int], None],
        before: Callable[[int], None] | None = None,
        after: Callable[[int], Receipt] | None = None,
        figures: Callable[[], Figures] | None = None,
    ) -> None:
        """Take the loops.

        run: does the work, tests every return code, raises where one is wrong; returns the receipt, or leaves it to
            `after`.
        empty: the same loop without the native call.
        before: runs at the start of each warm-up and timed slice, outside the clocks: waits for a peer, starts threads.
        after: runs at the end of such a slice, outside the clocks; its result is added to the receipt.
        figures: called after that: returns extra figures of the slice.
        """
        self.run = run
        self.empty = empty
        self.before = before
        self.after = after
        self.figures = figures


class Work:
    """What a contestant yields after its set-up."""

    def __init__(self, cases: Mapping[str, Loops | str], library_version: str = "", endpoint: str = "") -> None:
        """Take what the contestant has.

        cases: case to its loops, or to the reason why this contestant cannot run it.
        endpoint: where it waits for the roles that are started after it, if it has bound an address of its own.
        """
        self.cases = cases
        self.library_version = library_version
        self.endpoint = endpoint


def serve(arguments: list[str]) -> int:
    """Run one contestant by the contract; return the exit status."""
    options = dict(argument.split("=", 1) for argument in arguments)
    contestant: Contestant
    if "costs" in options:
        from ffibench.worker.costs import first_call, measured_imports

        native, module, costs = measured_imports(options)
        contestant = module.contestant
        session = contestant(native, options)
        work = next(session)
        asked = {"costs": first_call(work, options, costs)}
    else:
        native = import_file(options["shim"]) if "shim" in options else None
        contestant = import_contestant(options["source"]).contestant
        session = contestant(native, options)
        work = next(session)
        asked = {}

    # An empty loop must be compiled as well as the timed one, on PyPy, and has no warm-up slices.
    for case, iterations in planned_cases(options["cases"]):
        planned = work.cases.get(case)
        if isinstance(planned, Loops):
            for _ in range(int(options["warmup"]) - 1):
                planned.empty(iterations)
    address = {"endpoint": work.endpoint} if work.endpoint else {}
    emit({"ready": {"library": work.library_version, **address, **asked}})
    if sys.stdin.readline() != "go\n":
        print("ffibench worker: expected go on standard input", file=sys.stderr)
        return 1
    for case, iterations in planned_cases(options["cases"]):
        loops = work.cases.get(case, f"{options['binding']} has no case {case}")
        if isinstance(loops, str):
            emit({"case": case, "unsupported": loops})
            continue
        if cold := int(options.get("cold", "0")):
            measure(case, "cold", 1, cold, loops)
        measure(case, "warmup", int(options["warmup"]), iterations, loops)
        measure(case, "timed", int(options["slices"]), iterations, loops)
        measure(case, "empty", int(options["slices"]), iterations, Loops(loops.empty, loops.empty))
    sys.stdin.read()  # until it closes: the harness reads the live process meanwhile
    next(session, None)
    return 0


def planned_cases(text: str) -> Iterator[tuple[str, int]]:
    """Read `NAME:ITERATIONS[,NAME:ITERATIONS ...]`."""
    for entry in text.split(","):
        name, _, iterations = entry.rpartition(":")
        yield name, int(iterations)


def measure(case: str, kind: str, slices: int, iterations: int, loops: Loops) -> None:
    """Time `slices` slices of a loop and print a line for each."""
    loop, before, after, figures = loops.run, loops.before, loops.after, loops.figures
    name = to_json(case)
    for number in range(slices):
        begun = process_time_ns()
        if before is not None:
            before(iterations)
        cpu = process_time_ns()
        wall = perf_counter_ns()
        receipt = loop(iterations)
        wall_ns = perf_counter_ns() - wall
        ended = process_time_ns()
        if after is not None:
            receipt = {**(receipt or {}), **after(iterations)}
        around_ns = cpu - begun + process_time_ns() - ended
        line = f'{{"case": {name}, "slice": {number}, "kind": "{kind}", "wall_ns": {wall_ns}, "cpu_ns": {ended - cpu}'
        if before is not None or after is not None:
            line += f', "around_ns": {around_ns}'
        if receipt is not None:
            line += f', "receipt": {to_json(receipt)}'
        if figures is not None:
            line += f', "figures": {to_json(figures())}'
        print(line + "}", flush=True)


def emit(line: Mapping[str, object]) -> None:
    """Print another line of the contract, unbuffered."""
    print(to_json(line), flush=True)


def to_json(value: object) -> str:
    """Return a value as JSON in ASCII: what a line of the contract has, texts, integers, and these by name."""
    if type(value) is int:
        return str(value)
    if type(value) is str:
        if value.isascii() and value.isprintable() and '"' not in value and "\\" not in value:  # nearly every text
            return f'"{value}"'
        text = value.translate(ESCAPED)
        return f'"{text}"' if text.isascii() else '"' + "".join(map(_in_ascii, text)) + '"'
    if type(value) is dict:
        return "{" + ", ".join(f"{to_json(name)}: {to_json(each)}" for name, each in value.items()) + "}"
    from json import dumps  # a contestant's mistake, which the harness is to see as it is

    return dumps(value)


def _in_ascii(character: str) -> str:
    if character.isascii():
        return character
    code = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(rf"\u{code[place : place + 4]}" for place in range(0, len(code), 4))
