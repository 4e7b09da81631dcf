"""What the start of a binding costs, where the harness asks for that: its import, its first call, its memory.

Sources are compiled before the clocks run and then loaded as from bytecode, as those of an installed package are:
workers write no bytecode, and would compile the binding again in each process.
"""

from __future__ import annotations

import posix
from importlib import import_module
from importlib.machinery import SourceFileLoader
from marshal import dumps, loads
from time import perf_counter_ns

from ffibench.worker.load import register_contestant, register_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import CodeType, ModuleType

    from ffibench.worker.contract import Work

MEMORY = "/proc/self/smaps_rollup"
READ_BYTES = 4096
CALL = "call"
"""The value of the argument `costs` that asks for the first call too."""


class Compiled(SourceFileLoader):
    """Loads a source that it has compiled before."""

    def __init__(self, fullname: str, path: str) -> None:
        """Compile it. Raises SyntaxError."""
        super().__init__(fullname, path)
        self._bytecode = dumps(super().get_code(fullname))

    def get_code(self, fullname: str) -> CodeType:
        """Return what the file of the bytecode would hold."""
        code: CodeType = loads(self._bytecode)
        return code


class Costs:
    """What was measured so far, in nanoseconds and bytes."""

    def __init__(self, name: str) -> None:
        """Import a module that is registered, between two readings of the clock and of the memory."""
        memory()  # once without need: what the reading itself takes is there then
        before = memory()
        self.began = perf_counter_ns()
        self.module = import_module(name)
        self.ended = perf_counter_ns()
        self.grown = {each: size - before[each] for each, size in memory().items() if each in before}
        self.elsewhere_ns = 0
        """What lies between the import and the first call, and is not the binding's."""

    def report(self, called: int | None) -> dict[str, int]:
        """Return what the ready line has; `called` is when the first call had returned."""
        found = {"import_ns": self.ended - self.began, **self.grown}
        if called is not None:
            found["first_call_ns"] = called - self.began - self.elsewhere_ns
        return found


def measured_imports(options: Mapping[str, str]) -> tuple[ModuleType | None, ModuleType, Costs]:
    """Import the shim and the contestant's file; return both, and what the import of the binding cost.

    A contestant without a shim imports its binding itself, so that the import of its file is measured.
    """
    if "shim" not in options:
        costs = Costs(register_contestant(options["source"], Compiled))
        return None, costs.module, costs
    costs = Costs(register_file(options["shim"], Compiled))
    contestant = import_module(register_contestant(options["source"]))
    costs.elsewhere_ns = perf_counter_ns() - costs.ended
    return costs.module, contestant, costs


def first_call(work: Work, options: Mapping[str, str], costs: Costs) -> dict[str, int]:
    """Do the first operation where that is asked for and can be done alone; return what the ready line has."""
    from ffibench.worker.contract import Loops, planned_cases

    case = next((name for name, _ in planned_cases(options["cases"])), "")
    loops = work.cases.get(case)
    called = None
    if options["costs"] == CALL and isinstance(loops, Loops) and loops.before is None:
        loops.run(1)
        called = perf_counter_ns()
    return costs.report(called)


def memory() -> dict[str, int]:
    """Return what the process has in memory, in bytes, as the kernel sums it up; empty where it does not: proc(5)."""
    try:
        file = posix.open(MEMORY, posix.O_RDONLY)
    except OSError:
        return {}
    try:
        text = posix.read(file, READ_BYTES)
    finally:
        posix.close(file)
    names = {b"Rss:": "rss_bytes", b"Pss:": "pss_bytes"}
    lines = (line.split() for line in text.splitlines())
    return {names[line[0]]: int(line[1]) * 1024 for line in lines if line[0] in names}
