"""The screens of `ffibench explain`: each part a line with a bar, at any width; what is missing is said."""

from __future__ import annotations

import io
import re

import pytest
from msgspec.structs import replace
from rich.console import Console, RenderableType

from ffibench.model import (
    CalledByProgram,
    Explanation,
    Explanations,
    Part,
    PartKind,
    Priced,
    ProgramCost,
    ThroughBinding,
    Unexplained,
)
from ffibench.report.terminal.explain import WATERFALLS_MAX, explain_screen
from ffibench.report.terminal.explain_program import FUNCTIONS_MAX, program_screen
from ffibench.report.terminal.waterfall import Step, Waterfall

PARTS: tuple[tuple[PartKind, str, str, float], ...] = (
    ("loop", "", "loop, with its test of the result", 14.3),
    ("call", "", "call, 4 ints", 124.0),
    ("argument", "socket", "handle", 2.0),
    ("argument", "a_parameter_with_a_name_of_some_length", "bytes", 20.0),
    ("result", "return", "int, small", -20.3),
    ("together", "", "all of these together", -3.0),
    ("lock", "", "lock released and retaken (python/capi~nogil)", 44.0),
    ("native", "", "native work, as in C", 44.0),
)
ONE = Explanation(
    contestant="python/cffi-api",
    interpreter="CPython 3.11.7",
    version="2.1.1",
    lock="released",
    case="send",
    operation="zmq_send of 5 bytes, nobody subscribed: dropped inside libzmq",
    rounds=11,
    parts=tuple(
        Part(kind=kind, name=name, what=what, price=Priced(ns=ns, low_ns=ns - 1, high_ns=ns + 1))
        for kind, name, what, ns in PARTS
    ),
    predicted_ns=228.0,
    measured=Priced(ns=240.0, low_ns=236.0, high_ns=244.0),
    difference=-0.05,
    difference_low=-0.07,
    difference_high=-0.03,
)
FOUND = Explanations(experiment="xsub", title="a send loop", library="/lib/libzmq.so", rounds=11, explained=(ONE,))
LACKING = replace(
    ONE,
    contestant="python/ctypes",
    measured=Priced(ns=400.0, low_ns=390.0, high_ns=410.0),
    difference=-0.43,
    difference_low=-0.45,
    difference_high=-0.41,
    missing=("calls from C back into the language",),
)
SEVERAL = replace(
    FOUND,
    explained=(ONE, LACKING),
    unexplained=(Unexplained(contestant="python/pyzmq", reason="Its file calls the library in its own way."),),
)
PROGRAM = ProgramCost(
    command=("python", "app.py"),
    exit_status=0,
    seconds=6.0,
    cpu_seconds=5.0,
    libraries=("/lib/libz.so.1",),
    callers={"/lib/libffi.so.8": 1_000_000, "": 3},
    header="/usr/include/zlib.h",
    binding="python/ctypes",
    rounds=11,
    functions=(
        CalledByProgram(
            name="crc32",
            calls=1_000_000,
            signature="uLong crc32(uLong crc, const Bytef *buf, uInt len);",
            price=Priced(ns=500.0, low_ns=490.0, high_ns=510.0),
        ),
        CalledByProgram(name="crc32_z_private", calls=3, reason="zlib.h does not declare it"),
    ),
    bindings=(
        ThroughBinding(
            contestant="python/ctypes", interpreter="CPython 3.11.7", version="3.11.7", lock="released", seconds=0.5
        ),
        ThroughBinding(
            contestant="python/capi",
            interpreter="CPython 3.11.7",
            version="3.11.7",
            lock="held",
            seconds=0.05,
            saved_seconds=0.45,
            low_saved_seconds=0.44,
            high_saved_seconds=0.46,
        ),
        ThroughBinding(
            contestant="python/pybind11",
            interpreter="",
            version="",
            lock=None,
            seconds=None,
            reason="crc32: its binding cannot be built",
        ),
    ),
)
PROGRAM = replace(PROGRAM, bindings=(replace(PROGRAM.bindings[0], saved_seconds=0.0), *PROGRAM.bindings[1:]))


def shown(screen: RenderableType, width: int) -> str:
    console = Console(file=io.StringIO(), width=width, highlight=False, markup=False, color_system=None)
    with console.capture() as captured:
        console.print(screen)
    return captured.get()


@pytest.mark.parametrize("width", [80, 100, 160, 200])
@pytest.mark.parametrize("screen", [explain_screen(FOUND), explain_screen(SEVERAL), program_screen(PROGRAM)])
def test_no_line_is_wider_than_the_terminal_or_ends_in_blanks(screen: RenderableType, width: int) -> None:
    lines = shown(screen, width).splitlines()
    assert max(map(len, lines)) <= min(width, 160)
    assert all(line == line.rstrip() for line in lines)


@pytest.mark.parametrize("width", [80, 100, 160])
def test_each_part_is_a_line_with_its_nanoseconds(width: int) -> None:
    text = shown(explain_screen(FOUND), width)
    for line in (r"call, 4 ints +124 ", r"socket  handle +2\.0 ns", r"return  int, small +-20\.3 ns"):
        assert re.search(rf"^{line}", text, re.MULTILINE), text
    assert re.search(r"^predicted +228 ", text, re.MULTILINE)
    assert re.search(r"^measured +240 ", text, re.MULTILINE)
    assert re.search(r"^difference +-5\.0 %", text, re.MULTILINE)
    assert "within 15 % of what was measured" in text
    assert ("236 to 244" in text) == (width >= 100)


def test_what_no_part_accounts_for_is_said() -> None:
    text = " ".join(shown(explain_screen(SEVERAL), 100).split())
    assert "Missing: 172 ns, 43 % of what was measured, belong to no part." in text
    assert "Without a price: calls from C back into the language." in text
    assert "Not explained python/pyzmq Its file calls the library in its own way." in text
    cheaper = replace(ONE, measured=Priced(ns=150.0), difference=0.52, difference_low=0.1, difference_high=0.6)
    text = " ".join(shown(explain_screen(replace(FOUND, explained=(cheaper,))), 100).split())
    assert "The parts cost 78.0 ns more alone than together, 52 % of the whole." in text
    assert "The interval of the difference holds smaller ones too" in text


def test_several_are_in_one_table_first() -> None:
    text = shown(explain_screen(SEVERAL), 100)
    table = text.partition("\n\n")[2].partition("\n\n")[0]
    assert re.search(r"^python/cffi-api +228 ns +240 ns +-5\.0 %", table, re.MULTILINE)
    assert re.search(r"^python/ctypes +228 ns +400 ns +-43 %", table, re.MULTILINE)


def test_of_many_only_the_table_is_shown() -> None:
    many = tuple(replace(ONE, contestant=f"python/b{number}") for number in range(WATERFALLS_MAX + 1))
    text = " ".join(shown(explain_screen(replace(FOUND, explained=many)), 100).split())
    assert "call, 4 ints" not in text
    assert "python/b4 228 ns 240 ns -5.0 %" in text
    assert "`ffibench explain xsub python/b0` shows where its time goes." in text


def test_a_bar_begins_where_the_one_above_ended() -> None:
    drawn = Waterfall(top=100.0, width=20, ascii_only=True)
    assert drawn.bar(Step(0.0, 50.0, "")).plain == "=" * 10
    assert drawn.bar(Step(50.0, 100.0, "")).plain == " " * 10 + "=" * 10
    assert drawn.bar(Step(100.0, 60.0, "")).plain == " " * 12 + "-" * 8
    assert drawn.bar(Step(60.0, 60.1, "")).plain == " " * 12 + "|"
    assert drawn.bar(Step(100.0, 100.0, "")).plain == " " * 19 + "|"
    assert drawn.bar(Step(2.0, -3.0, "")).plain in {"|", "-"}


@pytest.mark.parametrize("width", [80, 160])
def test_a_program_is_told_what_crossing_costs_and_what_another_binding_saves(width: int) -> None:
    text = shown(program_screen(PROGRAM), width)
    head = " ".join(text.partition("\n\n")[0].split())
    assert (
        head
        == "1,000,000 calls through python/ctypes cost 500 ms to cross, 10 % of the program's 5.00 s of processor time"
    )
    assert re.search(r"^crc32 +1,000,000 +500 ns +500 ms", text, re.MULTILINE)
    assert re.search(r"^crc32_z_private +3 +no price +zlib\.h does not", text, re.MULTILINE)
    assert re.search(r"^python/capi +50\.0 ms +450 ms +9\.0 %", text, re.MULTILINE)
    assert "cannot be built" in " ".join(text.split())
    assert "libffi.so.8 1,000,000, code in no file 3" in " ".join(text.split())
    assert "3 of 1,000,003 calls are in no sum above" in " ".join(text.split())
    assert ("440 ms to 460 ms" in text) == (width == 160)


def test_a_program_of_many_functions_shows_the_most_expensive() -> None:
    many = tuple(replace(PROGRAM.functions[0], name=f"f{number}") for number in range(FUNCTIONS_MAX + 2))
    text = shown(program_screen(replace(PROGRAM, functions=many)), 100)
    assert "and 2 further functions, in the JSON" in text
