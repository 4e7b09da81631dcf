"""The promise: `doctor` breaks no name of a path, says each command once in a group, and ends with one verdict."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from ffibench.model import Finding
from ffibench.report.terminal.doctor import Checklist, verdict, wrapped

LIBRARY = "/srv/project/environment/lib/python3.11/site-packages/pyzmq.libs/libzmq-2f02442c.so.5.2.5"
GCC = "apt-get install gcc g++"
WELL = Finding(group="Experiments", subject="xsub library", found=LIBRARY)
MISSING = Finding(group="Compilers", subject="C compiler", found="there is no cc", fix=GCC, needed=True)
ALSO = Finding(group="Compilers", subject="C++ compiler", found="there is no c++", fix=GCC, needed=True)
NOTE = Finding(group="Perl", subject="perl", found="there is no perl on PATH", fix="apt-get install perl")


def screen(*findings: Finding, width: int, terminal: bool) -> str:
    file = io.StringIO()
    console = Console(file=file, width=width, force_terminal=terminal, color_system=None, markup=False, highlight=False)
    console.print(Checklist(findings), soft_wrap=True)
    return file.getvalue()


@pytest.mark.parametrize("width", [80, 100, 160])
def test_a_path_stays_whole_where_nobody_looks_at_the_width(width: int) -> None:
    assert LIBRARY in screen(WELL, MISSING, width=width, terminal=False).split()


@pytest.mark.parametrize("width", [60, 80, 100])
def test_on_a_terminal_it_folds_at_its_slashes(width: int) -> None:
    lines = screen(WELL, MISSING, width=width, terminal=True).splitlines()
    assert max(map(len, lines)) <= width
    (first,) = [number for number, line in enumerate(lines) if "/srv" in line]
    last = next(number for number, line in enumerate(lines) if line.endswith("libzmq-2f02442c.so.5.2.5"))
    pieces = [line.split()[-1] for line in lines[first : last + 1]]
    assert "".join(pieces) == LIBRARY
    assert all(piece.endswith("/") for piece in pieces[:-1])


def test_a_name_that_is_wider_than_the_terminal_stays_whole() -> None:
    assert list(wrapped("in /a/extraordinarily-long", 10, fold=True)) == ["in /a/", "extraordinarily-long"]


def test_a_command_is_said_in_each_group_that_needs_it() -> None:
    other = Finding(group="Raku", subject="raku", found="there is no raku on PATH", fix=NOTE.fix)
    assert screen(NOTE, other, WELL, width=100, terminal=False).count(f"fix: {NOTE.fix}") == 2


def test_a_command_is_said_once_in_its_group_and_the_state_in_a_word() -> None:
    text = screen(MISSING, ALSO, NOTE, WELL, width=100, terminal=False)
    assert text.count(GCC) == 1
    assert [line.split()[0] for line in text.splitlines() if line.startswith("  ") and line[2] != " "] == [
        *("missing", "missing", "note", "ok"),
    ]
    assert text.splitlines()[-1] == "2 things are missing: C compiler, C++ compiler."


def test_the_verdict_is_a_sentence() -> None:
    assert verdict([WELL]) == "A run would be whole."
    assert verdict([WELL, NOTE]) == "A run would be whole. 1 note above could make it better."
    assert verdict([WELL, NOTE, MISSING]) == "1 thing is missing: C compiler."
