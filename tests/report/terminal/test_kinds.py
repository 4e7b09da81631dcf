"""The screen of `ffibench kinds`: everything is on it at any width, and each function once."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from ffibench.model import Crossing, CrossingFunction, HeaderKinds, RefusedFunction
from ffibench.report.terminal.kinds import SPELLINGS, kinds_screen

OPEN = CrossingFunction(
    name="database_open",
    file="/usr/include/database.h",
    line=12,
    crossings=(
        Crossing(name="name", declaration="const char *name", kind="string", others=("bytes", "handle")),
        Crossing(name="out", declaration="database **out", kind="cell", note='cell("void *")', others=("handle",)),
        Crossing(name="return", declaration="int", kind="scalar"),
    ),
    lacking={"perl/xs": ("cell",), "perl/platypus": ("cell",), "python/own": ("cell", "string")},
)
TEXT = CrossingFunction(
    name="database_error_with_a_very_long_name_of_its_own",
    file="/usr/include/database.h",
    line=20,
    crossings=(
        Crossing(
            name="a_parameter_with_a_long_name",
            declaration="int (*visit)(void *, const char *, int, struct database_context *)",
            kind="callback",
            others=("handle",),
        ),
        Crossing(name="return", declaration="char *", kind="string", note="copied, not freed", others=("owned:FREE",)),
    ),
)
FOUND = HeaderKinds(
    header="/usr/include/database.h",
    functions=(OPEN, TEXT),
    refused={
        "it takes a variable number of arguments": (RefusedFunction(name="print_it", file="a.h", line=3),),
        "has no length beside it": (
            RefusedFunction(
                name="hash_it",
                file="a.h",
                line=4,
                said_of=("`const uint8_t *key`",),
                fix="--kind hash_it.key=bytes",
            ),
        ),
    },
    technologies=("perl/platypus", "perl/xs", "python/ctypes", "python/own"),
    structs={"Point": "Point(x, y)"},
    library="/lib/libdatabase.so",
    not_exported=(TEXT,),
)


def screen(found: HeaderKinds, width: int) -> str:
    console = Console(file=io.StringIO(), width=width, highlight=False, markup=False, color_system=None)
    with console.capture() as captured:
        console.print(kinds_screen(found))
    return captured.get()


@pytest.mark.parametrize("width", [80, 100, 160, 200])
def test_no_line_is_wider_than_the_terminal_or_ends_in_blanks(width: int) -> None:
    lines = screen(FOUND, width).splitlines()
    assert max(map(len, lines)) <= min(width, 160)
    assert all(line == line.rstrip() for line in lines)


@pytest.mark.parametrize("width", [80, 100, 160])
def test_everything_is_on_it(width: int) -> None:
    shown = screen(FOUND, width)
    summary = " ".join(shown.partition("\n\n")[0].split())
    assert summary == "/usr/include/database.h: 2 functions can be bound, 1 of them by all 4 technologies; 2 cannot"
    assert re.search(r"^database_open +database\.h:12 \[1\] \[2\]$", shown, re.MULTILINE)
    assert re.search(r'^  out +cell\("void \*"\) +database \*\*out +or handle$', shown, re.MULTILINE)
    assert "[1]  perl/platypus, perl/xs: no cell" in shown.replace("perl/xs, perl/platypus", "perl/platypus, perl/xs")
    assert "[2]  python/own: no cell, no string" in shown
    for section in ("Not bound by every technology", "Cannot be bound", "What the caller gives, in Python"):
        assert f"\n{section}\n" in shown
    assert "\nDeclared, and not exported by /lib/libdatabase.so\n" in shown
    assert re.search(r"^ +hash_it +a\.h:4  `const uint8_t \*key`  \(--kind hash_it\.key=bytes\)$", shown, re.MULTILINE)
    assert shown.count("hash_it ") == shown.count("print_it") == 1
    assert "structs: native.Point(x, y)" in shown
    assert "`--kind database_open.name=bytes` passes it as what it could be, too." in shown
    assert f"`--kind {TEXT.name}.return=owned:FREE`" in "".join(shown.split("\n"))
    assert "docs/kinds.md" in shown


def test_what_there_is_not_is_not_on_it() -> None:
    one = CrossingFunction(name="f", file="a.h", line=1, crossings=())
    shown = screen(HeaderKinds(header="a.h", functions=(one,), refused={}, technologies=("python/own",)), 80)
    assert shown.splitlines()[0] == "a.h: 1 function can be bound; 0 cannot"
    for section in ("Not bound", "Cannot", "Declared", "--kind", "What the caller"):
        assert section not in shown


def test_every_kind_is_spelled() -> None:
    from ffibench.headers.types import KINDS

    assert set(SPELLINGS) == set(KINDS) - {"void"}
