"""Holds what `ffibench explain` predicts against what is measured: of parts, and of a binding that is exchanged.

`python tools/performance/explain.py` explains every generated binding of `xsub`, which has to be within 15 %. Then it
takes two programs that use ctypes, a loop over zlib and one over SQLite, predicts what other bindings save, exchanges
their binding, and times both in turn: predicted and measured savings have to be within 25 %. They are compared as
shares of the program's time, since the host that is predicted on is minutes older than the one that is measured on.

Exit status 1 where something is not met. For a quiet host; takes five to ten minutes.
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import msgspec
from msgspec.structs import replace
from rich.console import Console
from rich.table import Table

from ffibench.catalog.headers import header_folder
from ffibench.model import Call, Explanations, ProgramCost
from ffibench.model.price import WITHIN
from ffibench.plan.options import PlanOptions
from ffibench.workflow.prepare import prepare_folder

FFIBENCH = str(Path(sysconfig.get_path("scripts")) / "ffibench")
SAVED_WITHIN = 0.25
PAIRS = 9
"""Runs of a program through each binding, in turn."""
OTHERS = ("python/capi", "python/cython", "python/nanobind", "python/pybind11", "python/cffi-api")

OWN = """
import ctypes

NULL = None
WORDS = {"int": ctypes.c_int, "long": ctypes.c_ulong, "uint": ctypes.c_uint, "text": ctypes.c_char_p,
         "handle": ctypes.c_void_p, "out": ctypes.POINTER(ctypes.c_void_p)}
library = ctypes.CDLL("%(library)s")


def cell(_type):
    return (ctypes.c_void_p * 1)()


def declared(name, result, *arguments):
    function = getattr(library, name)
    function.restype, function.argtypes = WORDS[result], [WORDS[each] for each in arguments]
    globals()[name] = function
"""
"""How a program declares what it calls, by hand."""

LOAD = """
import sys
from ffibench.worker.load import import_file
native = import_file(sys.argv[1])
"""


class Program(msgspec.Struct, frozen=True):
    """A program that calls a library through ctypes in a loop."""

    name: str
    header: str
    library: str
    own: str
    """Its declarations."""
    text: str
    functions: tuple[str, ...]
    call: str
    """Any call that C can be asked, since a shim is made for calls."""


ZLIB = Program(
    "zlib",
    "zlib.h",
    "libz.so.1",
    'declared("crc32", "long", "long", "text", "uint")\ndeclared("adler32", "long", "long", "text", "uint")\n',
    """
crc32, adler32, data, check = native.crc32, native.adler32, bytes(range(16)), 0
for _ in range(1_000_000):
    check ^= crc32(0, data, 16) ^ adler32(1, data, 16)
print(check)
""",
    ("adler32", "crc32"),
    "crc32(0, bytes(16), 16)",
)
SQLITE = Program(
    "sqlite",
    "sqlite3.h",
    "libsqlite3.so.0",
    """
declared("sqlite3_open", "int", "text", "out")
declared("sqlite3_prepare_v2", "int", "handle", "text", "int", "out", "out")
declared("sqlite3_step", "int", "handle")
declared("sqlite3_column_int", "int", "handle", "int")
declared("sqlite3_reset", "int", "handle")
""",
    """
db, statement, rest = native.cell("void *"), native.cell("void *"), native.cell("void *")
assert native.sqlite3_open(b":memory:", db) == 0
assert native.sqlite3_prepare_v2(db[0], b"select 1234, 5678", -1, statement, rest) == 0
step, column, reset, row, total = (
    native.sqlite3_step, native.sqlite3_column_int, native.sqlite3_reset, statement[0], 0)
for _ in range(500_000):
    step(row)
    total += column(row, 0) + column(row, 1)
    reset(row)
print(total)
""",
    ("sqlite3_open", "sqlite3_prepare_v2", "sqlite3_step", "sqlite3_column_int", "sqlite3_reset"),
    "sqlite3_libversion_number()",
)

Found = tuple[str, str, str, str, bool]


def shims(program: Program) -> dict[str, str]:
    """Return the files of the other bindings of a program, built."""
    folder = header_folder(program.header, (Call(expression=program.call),), program.library, {})
    folder = replace(folder, experiment=replace(folder.experiment, functions=program.functions))
    prepared = prepare_folder(folder, PlanOptions(contestants=OTHERS, library=program.library))
    return {
        candidate.contestant.name: str(artifact)
        for candidate, artifact in prepared.chosen
        if artifact is not None and candidate.contestant.name in OTHERS
    }


def seconds_of(app: Path, binding: str) -> tuple[float, str]:
    """Run a program through a binding; return the processor time of the whole process and what it printed.

    Processor time as that of prices, which other programs do not change.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    answer = subprocess.run([sys.executable, app, binding], check=True, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, answer.stdout


def exchanged(program: Program, folder: Path) -> Iterator[Found]:
    """Yield for each other binding what it was predicted to save of the program's time, and what it did."""
    app, own, file = folder / "app.py", folder / "own.py", folder / "cost.json"
    app.write_text(LOAD + program.text)
    own.write_text(OWN % {"library": program.library} + program.own)
    others = shims(program)
    command = [FFIBENCH, "explain", "--library", f"{program.library}*", "--header", program.header]
    command += ["--from", "python/ctypes", *(word for name in others for word in ("-c", name)), "--json", str(file)]
    subprocess.run([*command, "--", sys.executable, str(app), str(own)], check=True, capture_output=True)
    predicted = msgspec.json.decode(file.read_bytes(), type=ProgramCost)
    times: dict[str, list[float]] = {name: [] for name in (str(own), *others.values())}
    printed: set[str] = set()
    for _ in range(PAIRS):
        for binding in random.sample(list(times), len(times)):
            seconds, said = seconds_of(app, binding)
            times[binding].append(seconds)
            printed.add(said)
    assert len(printed) == 1, f"the bindings gave different answers: {printed}"
    for each in predicted.bindings[1:]:
        if each.saved_seconds is None:
            yield f"{program.name}, {each.contestant}", each.reason, "", f"within {SAVED_WITHIN:.0%}", False
            continue
        now, other = times[str(own)], times[others[each.contestant]]
        foretold = each.saved_seconds / predicted.cpu_seconds
        saved = median(1 - theirs / mine for mine, theirs in zip(now, other, strict=True))
        apart = foretold / saved - 1
        told = f"{foretold:.1%} of {predicted.cpu_seconds:.2f} s", f"{saved:.1%} of {median(now):.2f} s ({apart:+.0%})"
        yield (
            f"{program.name}, {each.contestant}, saved",
            *told,
            f"within {SAVED_WITHIN:.0%}",
            abs(apart) <= SAVED_WITHIN,
        )


def parts(folder: Path) -> Iterator[Found]:
    """Yield for each generated binding of xsub what was predicted of it, and what was measured."""
    file = folder / "parts.json"
    subprocess.run([FFIBENCH, "explain", "xsub", "--json", str(file)], check=True, capture_output=True)
    found = msgspec.json.decode(file.read_bytes(), type=Explanations)
    for each in found.explained:
        told = f"{each.predicted_ns:.1f} ns", f"{each.measured.ns:.1f} ns ({each.difference:+.0%})"
        yield f"xsub, {each.contestant}", *told, f"within {WITHIN:.0%}", each.within


def main() -> int:
    """Print the table and return the exit status."""
    found: list[Found] = []
    with tempfile.TemporaryDirectory() as folder:
        found += parts(Path(folder))
        for program in (ZLIB, SQLITE):
            place = Path(folder) / program.name
            place.mkdir()
            found += exchanged(program, place)
    table = Table("what", "predicted", "measured", "asked for", "", box=None)
    for name, predicted, measured, target, met in found:
        table.add_row(name, predicted, measured, target, "ok" if met else "NOT MET")
    Console().print(table)
    return 0 if all(met for *_, met in found) else 1


if __name__ == "__main__":
    sys.exit(main())
