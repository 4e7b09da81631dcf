"""The fault matrix: what an `experiment.py` declares or returns that cannot be | what the user sees | the exit status.

Each row replaces a piece of the experiment `tally`.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from support.faults import Command

BETWEEN = "is not between 1 and 1,000,000,000,000"
ITERATIONS, CALLS, DONE = "iterations=iterations,", '{"tally_sum": 1}', '{"calls": iterations}'
DECLARED, LENGTH = "    cases=cases,", 'length=("tally_sum", 1)'

MATRIX = {
    "negative iterations": (ITERATIONS, "iterations=-5,", f"the case 'few', iterations: -5 {BETWEEN}"),
    "no iterations": (ITERATIONS, "iterations=0,", f"the case 'few', iterations: 0 {BETWEEN}"),
    "too many": (ITERATIONS, "iterations=10**13,", f"the case 'few', iterations: 10000000000000 {BETWEEN}"),
    "a text for a number": (ITERATIONS, 'iterations="5",', "the case 'few', iterations: expected `int`, got `str`"),
    "half a one": (ITERATIONS, "iterations=2.5,", "the case 'few', iterations: expected `int`, got `float`"),
    "none named": (ITERATIONS, "", "cases() failed: TypeError: Missing required argument 'iterations'"),
    "negative slices": (DECLARED, f"{DECLARED} slices=-3,", f"EXPERIMENT, slices: -3 {BETWEEN}"),
    "no thread": (DECLARED, f"{DECLARED} threads=0,", f"EXPERIMENT, threads: 0 {BETWEEN}"),
    "no role": (DECLARED, f"{DECLARED} roles=(),", "EXPERIMENT, roles: expected at least one"),
    "another transport": (DECLARED, f'{DECLARED} transport="tcp",', "EXPERIMENT, transport: invalid enum value 'tcp'"),
    "no function of cases": (DECLARED, "    cases=5,", "EXPERIMENT, cases: expected `Callable`, got `int`"),
    "functions as a text": ('("tally_sum",)', '"tally_sum"', "EXPERIMENT, functions: expected `array`, got `str`"),
    "a library as a text": ('LibrarySources(sources=("tally.c",))', '"tally.c"',
        "EXPERIMENT, library: expected a WheelLibrary, a LibraryFile or LibrarySources"),
    "sources as a text": ('("tally.c",)', '"tally.c"', "EXPERIMENT, library, sources: expected `array`, got `str`"),
    "arguments as a text": ('("tally.c",)', '("tally.c",), arguments="-DX"',
        "EXPERIMENT, library, arguments: expected `array`, got `str`"),
    "a package as a text": ('("tally.c",)', '("tally.c",), wheels=("zcbor",)',
        "EXPERIMENT, library, wheels[0]: expected `object`, got `str`"),
    "no default": ("default=8", "default=None",
        "EXPERIMENT, parameters, default: expected `int | float | str`, got `null`"),
    "negative bytes": (ITERATIONS, f"{ITERATIONS} bytes=-1,",
        "the case 'few', bytes: -1 is not between 0 and 1,000,000,000,000"),
    "a group of two lines": (ITERATIONS, rf'{ITERATIONS} group="a\nb",', "the case 'few', group: it cannot be printed"),
    "no list of cases": ("    return (\n", "    return 5 or (\n", "cases(): expected `array`, got `int`"),
    "a generator of cases": ("    return (\n", "    yield (\n", "cases(): expected `array`, got `generator`"),
    "no case": ("    return (\n", "    return () and (\n", "cases() returned none"),
    "no Case": ("    return (\n", '    return ["few"] or (\n', "cases(), [0]: expected `object`, got `str`"),
    "cases that fail": ("    return (\n", "    raise KeyError(7) or (\n", "cases() failed: KeyError: 7"),
    "cases that leave": ("    return (\n", "    raise SystemExit(0) or (\n", "cases() failed: SystemExit: 0"),
    "a name without a letter": ("name=name", 'name=" "', "the case ' ' has no name that can be printed"),
    "a name of two lines": ("name=name", r'name="a\nb"', r"the case 'a\nb' has no name that can be printed"),
    "negative calls": (CALLS, '{"tally_sum": -1}', "the case 'few', accepts: -1 is negative"),
    "calls without counts": (CALLS, '("tally_sum",)', "the case 'few', accepts, calls: expected `object`, got `array`"),
    "a length without a place": (LENGTH, 'length="tally_sum"',
        "the case 'few', accepts, length: expected `array | null`, got `str`"),
}  # fmt: skip
RECEIPTS = {
    "none": ("None", "expected `object`, got `null`"),
    "no number": ('{"calls": 2.5}', "[...]: expected `int | str`, got `float`"),
    "one that fails": ('{"calls": 1 // 0}', "ZeroDivisionError: integer division or modulo by zero"),
}


def spoil(own: Path, before: str, after: str) -> str:
    """Replace a piece of the experiment; return the path of its file."""
    path = own / "experiment.py"
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(("before", "after", "told"), MATRIX.values(), ids=MATRIX.keys())
def test_what_is_declared(before: str, after: str, told: str, command: Command, own: Path) -> None:
    path = spoil(own, before, after)
    seen = command("list", str(own))
    assert (seen.status, seen.table, seen.errors) == (1, "", f"Error: {path}: {told}; correct this file\n")


@pytest.mark.parametrize("what", ["run", "audit"])
def test_nothing_is_measured_before(what: str, command: Command, own: Path) -> None:
    spoil(own, ITERATIONS, "iterations=-5,")
    seen = command(what, str(own))
    assert (seen.status, seen.table, seen.kept) == (1, "", None)


@pytest.mark.parametrize(("receipt", "told"), RECEIPTS.values(), ids=RECEIPTS.keys())
def test_the_receipt_of_an_oracle(receipt: str, told: str, command: Command, own: Path) -> None:
    path = spoil(own, DONE, receipt)
    seen = command("run", str(own))
    assert seen.status == 1
    assert seen.errors.startswith(f"Error: {path}: the case 'few': receipt(2000)")
    assert seen.errors.endswith(f"{told}; correct this file\n")


@pytest.mark.parametrize(
    ("check", "told"),
    [("return 5", ": expected `str | null`, got `int`"), ("return 1 // 0", " failed: ZeroDivisionError: integer")],
)
def test_the_check_of_a_parameter(check: str, told: str, command: Command, own: Path) -> None:
    path = spoil(own, "return None if", f"{check} if")
    seen = command("run", str(own), "--set", "size=5")
    assert seen.status == 1
    assert seen.errors.startswith(f"Error: {path}: the check of the parameter size{told}")


@pytest.mark.parametrize(
    ("placement", "told"),
    [
        ("1 // 0", "placement() failed: ZeroDivisionError: integer division or modulo by zero"),
        ("5", "placement(): expected `str`, got `int`"),
    ],
)
def test_where_threads_run(placement: str, told: str, command: Command, own: Path) -> None:
    path = spoil(own, DECLARED, f"{DECLARED} placement=lambda values: {placement},")
    seen = command("run", str(own), "-c", "c")
    assert (seen.status, seen.table, seen.kept) == (1, "", None)
    assert seen.errors.endswith(f"Error: {path}: {told}; correct this file\n")


def test_the_reason_of_who_cannot(command: Command, own: Path) -> None:
    path = spoil(own, ITERATIONS, "cannot=lambda contestant: contestant.nose, iterations=iterations,")
    seen = command("run", str(own))
    assert seen.status == 1
    assert seen.errors.startswith(f"Error: {path}: the case 'few': cannot() failed: AttributeError: ")
