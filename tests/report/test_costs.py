"""The promise: what a binding costs besides its calls is one row a contestant, and a dash says what is not there."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace
from support.costs import COMPILED, reported, with_costs
from support.runs import run_of

from ffibench.model import Run
from ffibench.report.costs import UNRECORDED, cost_table
from ffibench.report.exports.markdown import markdown
from ffibench.report.report import make_report
from ffibench.report.table import Tabular
from ffibench.report.terminal.report import drawn_report
from ffibench.report.terminal.table import drawn_table
from ffibench.results.compare import compare
from ffibench.units import ABSENT, EN_DASH

NAMES = ("c", "control", "python/capi", "python/ctypes", "python/nanobind", "python/pyzmq", "perl/zmq-ffi")
PLAIN = run_of({name: [20.0 + number] * 6 for number, name in enumerate(NAMES)}, audited=False)
CAPI = replace(COMPILED, contestant="python/capi", sources={"work_capi.c": 431}, modules={"work_capi.so": 26_512})
NANOBIND = replace(
    COMPILED,
    contestant="python/nanobind",
    sources={"work_nanobind.cpp": 122},
    modules={"work_nanobind.so": 270_336},
    stripped_bytes=226_304,
    compile_seconds=2.41,
    core="python/nanobind-core",
    core_seconds=8.3,
)
CTYPES = replace(
    COMPILED,
    contestant="python/ctypes",
    sources={"work_ctypes.py": 66},
    modules={"work_ctypes.py": 3_210},
    stripped_bytes=None,
    built=False,
    compile_seconds=None,
)
JITTER = (-0.03, 0.02, 0.0, 0.05, -0.01, 0.01)


def around(import_ms: float) -> list[float]:
    return [import_ms * (1 + each) for each in JITTER]


RUN = with_costs(
    PLAIN,
    {
        "python/capi": reported(*around(0.412), first_call_ms=0.62, rss_kib=1456, pss_kib=702),
        "python/nanobind": reported(*around(1.31), first_call_ms=0.7, rss_kib=1676),
        "python/ctypes": reported(*around(4.02), first_call_ms=0.55, rss_kib=2744),
        "python/pyzmq": reported(*around(38.5), first_call_ms=1.2, rss_kib=12_744),
    },
    CAPI,
    CTYPES,
    NANOBIND,
)


def table_of(run: Run) -> Tabular:
    table = cost_table(run)
    assert table is not None
    return table


def cells(run: Run, key: str) -> dict[str, str]:
    """A column by the names of its rows."""
    table = table_of(run)
    place = [heading.key for heading in table.headings].index(key)
    return {line.cells[0]: line.cells[place].strip() for line in table.lines()}


@pytest.mark.parametrize("width", [80, 100, 160])
def test_the_table_is_as_drawn(width: int, render: Callable[..., str], golden: Callable[[str, str], None]) -> None:
    golden(f"costs-{width}.txt", render(drawn_table(table_of(RUN)), width))


def test_a_run_without_costs_has_no_table() -> None:
    assert cost_table(PLAIN) is None
    assert make_report(PLAIN, compare(PLAIN)).costs is None


def test_c_is_first_then_by_the_time_of_the_import() -> None:
    assert list(cells(RUN, "lines")) == [
        "c",
        "python/capi",
        "python/nanobind",
        "python/ctypes",
        "python/pyzmq",
        "perl/zmq-ffi",
    ]


def test_figures_have_their_units() -> None:
    assert cells(RUN, "lines")["python/capi"] == "431"
    assert cells(RUN, "compile")["python/nanobind"] == "2.41"
    assert cells(RUN, "module")["python/capi"] == "25.9"
    assert cells(RUN, "stripped")["python/nanobind"] == "221"
    assert cells(RUN, "import")["python/capi"] == "0.414"
    assert cells(RUN, "import interval")["python/capi"] == f"0.400{EN_DASH}0.433"
    assert cells(RUN, "first call")["python/capi"] == "1.03"
    assert cells(RUN, "rss")["python/capi"] == "1456"
    assert cells(RUN, "files")["python/capi"] == "work_capi.c 431"


def test_c_has_dashes() -> None:
    for key in ("lines", "compile", "module", "import", "first call", "rss", "pss", "files"):
        assert cells(RUN, key)["c"] == ABSENT


def test_notes_tell_what_a_dash_and_a_figure_leave_out() -> None:
    notes = dict(table_of(RUN).notes)
    marks = cells(RUN, "note")
    assert notes[marks["c"]] == "It has no binding: a program in C calls the library itself."
    assert notes[marks["perl/zmq-ffi"]] == "No process reported the import of its binding."
    core = "Compiled without python/nanobind-core, which all shims of its technology link: 8.30 s once."
    assert notes[marks["python/nanobind"]] == core
    assert notes[marks["python/pyzmq"]].startswith("Its binding is not generated here")
    assert marks["python/capi"] == marks["python/ctypes"] == ""


def test_a_build_without_a_record_names_the_command_that_makes_one() -> None:
    old = replace(RUN, bindings=(replace(CAPI, compile_seconds=None), CTYPES, replace(NANOBIND, core_seconds=None)))
    assert dict(table_of(old).notes)[cells(old, "note")["python/capi"]] == UNRECORDED
    assert "`ffibench build --force`" in UNRECORDED
    assert cells(old, "compile")["python/capi"] == ABSENT
    assert dict(table_of(old).notes)[cells(old, "note")["python/nanobind"]].endswith("its time was not recorded.")


def test_few_rounds_have_medians_without_intervals() -> None:
    few = replace(RUN, rounds=RUN.rounds[:3])
    assert "import interval" not in {heading.key for heading in table_of(few).headings}
    assert dict(table_of(few).notes)["95 % CI"] == "Too few rounds for an interval, which takes 6."
    assert cells(few, "import")["python/capi"] != ABSENT


def test_what_no_process_reported_is_no_column() -> None:
    silent = replace(PLAIN, bindings=(CAPI,))
    keys = {heading.key for heading in table_of(silent).headings}
    assert not keys & {"import", "first call"}
    assert "lines" in keys


def test_it_stands_in_the_report_and_in_markdown(render: Callable[..., str]) -> None:
    report = make_report(RUN, compare(RUN))
    assert "what a binding costs besides its calls" in render(drawn_report(report))
    text = markdown(report)
    assert "### work: what a binding costs besides its calls" in text
    assert "| `python/capi` | 431 | 1.25 | 25.9 | 20.0 | 0.414 |" in text
